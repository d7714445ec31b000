"""The package in docs/adding-an-agent.md, installed as written, trained and played."""

import json
import os
import re
import subprocess
import sys
from importlib import invalidate_caches
from pathlib import Path
from random import Random

import pytest

from agents.core import Limit
from agents.roster import find_agent, load_agent, roster
from agents.runs import stretch
from agents.training.brains import from_bytes
from engine import load_game

ROOT = Path(__file__).parents[2]
DOC = ROOT / "docs" / "adding-an-agent.md"
pytestmark = pytest.mark.slow  # installs a package


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


@pytest.fixture
def here(installed: Path, monkeypatch: pytest.MonkeyPatch):
    """This process has the package too."""
    monkeypatch.syspath_prepend(str(installed))
    invalidate_caches()
    roster.cache_clear()
    yield
    monkeypatch.undo()
    sys.modules.pop("habits", None)
    roster.cache_clear()


def zermelo(installed: Path, *words: str, **settings: str) -> str:
    """What the command prints where the package is installed."""
    done = subprocess.run(
        [sys.executable, "-m", "webapp", *words],
        check=True,
        capture_output=True,
        text=True,
        timeout=300,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(installed), **settings},
    )
    return done.stdout


def test_an_installed_agent_plays(installed: Path) -> None:
    said = zermelo(installed, "match", "nim", "first-mover", "habit", "--games", "4", "--json")
    assert '"games": 4' in said


def test_an_installed_agent_explains_itself(installed: Path) -> None:
    said = zermelo(installed, "analyse", "nim", "1-3-5-7-9 x", "--agent", "first-mover")
    assert "a1 comes first of 25" in said


def test_a_brain_that_was_trained_is_played_with(installed: Path, tmp_path: Path) -> None:
    home = {"ZERMELO_DATA": str(tmp_path), "HOME": str(tmp_path)}
    zermelo(installed, "train", "nim", "habit", "--games", "60", "--name", "mine", **home)
    agent = ("--agent", "habit:brain=mine")
    said = zermelo(installed, "analyse", "nim", "start", *agent, "--json", **home)
    assert {"name": "games learned from", "value": 60} in json.loads(said)["evidence"]


@pytest.mark.usefixtures("here")
def test_both_are_on_the_roster() -> None:
    assert {entry.key for entry in roster()} >= {"first-mover", "habit"}


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("key", ["first-mover", "habit:games=50"])
@pytest.mark.parametrize("spec", ["nim", "tictactoe", "quixo:size=3"])
def test_the_same_question_has_the_same_answer(key: str, spec: str) -> None:
    game = load_game(spec)
    agent = load_agent(key, game)
    one, other = (agent.analyse(game.start, limit=Limit(), rng=Random(3)) for _ in range(2))
    assert one == other
    assert sum(candidate.chance for candidate in one.candidates) == pytest.approx(1)
    assert {candidate.move for candidate in one.candidates} == set(game.start.legal_moves())


@pytest.mark.usefixtures("here")
def test_a_move_that_was_never_tried_has_no_value() -> None:
    game = load_game("nim")
    analysis = load_agent("habit:games=1", game).analyse(game.start, limit=Limit(), rng=Random(1))
    assert None in [candidate.value for candidate in analysis.candidates]


@pytest.mark.usefixtures("here")
def test_the_brain_after_a_step_is_the_same_however_the_run_was_cut() -> None:
    whole = stretch("nim", "habit", 7, None, until=60, seconds=60)
    part = stretch("nim", "habit", 7, None, until=25, seconds=60)
    rest = stretch("nim", "habit", 7, part.brain, until=60, seconds=60)
    assert from_bytes(rest.brain).digest == from_bytes(whole.brain).digest


@pytest.mark.usefixtures("here")
def test_its_length_is_one_option_and_no_part_of_the_brain() -> None:
    entry = find_agent("habit")
    assert [option.name for option in entry.options if option.role == "length"] == ["games"]
