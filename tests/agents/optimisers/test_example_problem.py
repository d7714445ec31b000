"""The package in docs/adding-a-problem.md, installed as written, and solved."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
DOC = ROOT / "docs" / "adding-a-problem.md"
pytestmark = pytest.mark.soak  # installs a package


def files() -> dict[str, str]:
    """The named blocks of the document, by the name above each."""
    named = r"^`([^`\n]+)`\n\n```\w+\n(.*?)^```"
    return dict(re.findall(named, DOC.read_text("utf-8"), re.MULTILINE | re.DOTALL))


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the package was installed to."""
    source = tmp_path_factory.mktemp("package")
    target = tmp_path_factory.mktemp("installed")
    for name, text in files().items():
        (source / name).write_text(text, encoding="utf-8")
    install = ["-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run(
        [sys.executable, *install, "--target", str(target), str(source)], check=True, timeout=300
    )
    return target


def optimised(installed: Path, *words: str) -> list[dict[str, object]]:
    """What the command prints where the package is installed."""
    done = subprocess.run(
        [sys.executable, "-m", "webapp", "optimise", *words, "--json"],
        check=True,
        capture_output=True,
        text=True,
        timeout=300,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(installed)},
    )
    found = json.loads(done.stdout)
    return found if isinstance(found, list) else [found]


@pytest.mark.parametrize(("size", "fewest"), [(4, 2), (5, 3), (6, 3), (7, 4), (8, 5)])
def test_the_searches_that_prove_find_the_known_number_of_queens(
    installed: Path, size: int, fewest: int
) -> None:
    found = optimised(installed, f"queens:size={size}", "astar:branch=rarest", "exact", "greedy")
    assert [report["size"] for report in found[:2]] == [fewest, fewest]
    assert [report["optimal"] for report in found[:2]] == [True, True]
    assert found[2]["size"] >= fewest


def test_a_box_of_another_kind_is_asked_by_all_who_ask_boxes(installed: Path) -> None:
    searches = ("genetic", "one-plus-one", "tabu", "weigh", "guessing")
    found = optimised(installed, "plateaus:width=2", *searches, "--calls", "3000")
    assert [report["search"] for report in found] == list(searches)
    assert found[0]["best"] > found[-1]["best"]
    assert {len(report["genome"]) for report in found} == {30}
    assert max(report["calls"] for report in found) <= 3000


def test_a_search_of_a_package_asks_our_box_and_ends_when_it_has_no_more_to_ask(
    installed: Path,
) -> None:
    (report,) = optimised(installed, "black-box:groups=2", "guessing:batches=3")
    assert report["calls"] == 150
    assert 0 < report["best"] < 0.6
