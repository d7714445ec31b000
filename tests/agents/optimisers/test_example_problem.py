"""The package in docs/adding-a-problem.md, installed as written, and solved."""

import json
from pathlib import Path

import pytest

from tests.documented import install, zermelo

pytestmark = pytest.mark.soak  # installs a package


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return install("adding-a-problem.md", tmp_path_factory.mktemp("queens"))


def optimised(installed: Path, *words: str) -> list[dict[str, object]]:
    found = json.loads(zermelo(installed, "optimise", *words, "--json"))
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
