"""The package in docs/adding-an-agent.md, installed as written, trained and played."""

import json
import sys
from importlib import invalidate_caches
from pathlib import Path
from random import Random

import pytest

from agents.core import Limit
from agents.roster import find_agent, load_agent, roster
from agents.runs import train_slice
from agents.training.brains import from_bytes
from engine import load_game
from tests.documented import install, zermelo

pytestmark = pytest.mark.slow  # installs a package


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return install("adding-an-agent.md", tmp_path_factory.mktemp("habits"))


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


def test_an_installed_agent_plays_and_explains_itself(installed: Path) -> None:
    said = zermelo(installed, "match", "nim", "first-mover", "habit", "--games", "4", "--json")
    assert '"games": 4' in said
    said = zermelo(installed, "analyse", "nim", "1-3-5-7-9 x", "--agent", "first-mover")
    assert "a1 comes first of 25" in said


def test_a_brain_that_was_trained_is_played_with(installed: Path, tmp_path: Path) -> None:
    home = {"ZERMELO_DATA": str(tmp_path), "HOME": str(tmp_path)}
    zermelo(installed, "train", "nim", "habit", "--games", "60", "--name", "mine", **home)
    agent = ("--agent", "habit:brain=mine")
    said = zermelo(installed, "analyse", "nim", "start", *agent, "--json", **home)
    assert {"name": "games learned from", "value": 60} in json.loads(said)["evidence"]


@pytest.mark.usefixtures("here")
def test_both_are_on_the_roster_and_a_length_is_one_option_and_no_part_of_the_brain() -> None:
    assert {entry.key for entry in roster()} >= {"first-mover", "habit"}
    options = find_agent("habit").options
    assert [option.name for option in options if option.role == "length"] == ["games"]


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
    whole = train_slice("nim", "habit", 7, None, until=60, seconds=60)
    part = train_slice("nim", "habit", 7, None, until=25, seconds=60)
    rest = train_slice("nim", "habit", 7, part.brain, until=60, seconds=60)
    assert from_bytes(rest.brain).digest == from_bytes(whole.brain).digest
