"""The package in docs/adding-an-agent.md, installed as written and played in another process."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.slow  # installs a package


def blocks(language: str) -> list[str]:
    """The fenced blocks of the document in that language."""
    text = (ROOT / "docs" / "adding-an-agent.md").read_text(encoding="utf-8")
    return re.findall(rf"```{language}\n(.*?)```", text, flags=re.DOTALL)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the package was installed to."""
    source = tmp_path_factory.mktemp("package")
    target = tmp_path_factory.mktemp("installed")
    (source / "pyproject.toml").write_text(blocks("toml")[0], encoding="utf-8")
    (source / "first_mover.py").write_text(blocks("python")[-1], encoding="utf-8")
    install = ["-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run(
        [sys.executable, *install, "--target", str(target), str(source)], check=True, timeout=300
    )
    return target


def zermelo(installed: Path, *words: str) -> str:
    """What the command prints where the package is installed."""
    done = subprocess.run(
        [sys.executable, "-m", "webapp.cli", *words],
        check=True,
        capture_output=True,
        text=True,
        timeout=300,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(installed)},
    )
    return done.stdout


def test_an_installed_agent_is_on_the_roster(installed: Path) -> None:
    assert "first-mover" in zermelo(installed, "agents", "nim")


def test_an_installed_agent_plays(installed: Path) -> None:
    said = zermelo(installed, "match", "nim", "first-mover", "random", "--games", "4", "--json")
    assert '"games": 4' in said


def test_an_installed_agent_explains_itself(installed: Path) -> None:
    said = zermelo(installed, "analyse", "nim", "1-3-5-7-9 x", "--agent", "first-mover")
    assert "a1 comes first of 25" in said
