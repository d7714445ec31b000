"""The brains that ship: all there, small, and the same when they are trained again."""

from pathlib import Path

import pytest

from agents.roster import read_agent
from agents.runs import retrain, shipped_file_name
from agents.training.brain_files import load
from agents.training.brains import Brain
from agents.training.shipped import SHIPPED, SHIPPED_FILES
from agents.training.trainer import SEED, finish, with_length
from engine import load_game
from tests.soak import lessened

# A minute to learn, four, and two.
LONG = {("quixo", "quixo-deep"), ("quixo", "quixo-evolved"), ("quixo", "network")}
SLOW, SOAK = pytest.mark.slow, pytest.mark.soak
TABLE = ("nim:preset=marienbad", "ea-table")


def shipped_file(game: str, spec: str) -> Path:
    return Path(str(SHIPPED_FILES / shipped_file_name(load_game(game), spec)))


def test_what_ships_is_what_is_listed_and_all_of_it_together_is_small() -> None:
    files = {shipped_file(game, spec) for game, spec in SHIPPED}
    assert set(Path(str(SHIPPED_FILES)).glob("*.npz")) == files
    assert sum(file.stat().st_size for file in files) < 2_600_000


@pytest.mark.parametrize(("game", "spec"), SHIPPED)
def test_a_curve_has_twenty_to_a_hundred_points_and_ends_where_its_brain_does(
    game: str, spec: str
) -> None:
    brain = load(shipped_file(game, spec))
    assert 20 <= len(brain.curve) <= 100
    assert brain.curve[-1].step == brain.steps


def retrained(game: str, spec: str, points: int) -> Brain:
    """The brain as it was when its curve had so many points."""
    checkpoints = retrain(load_game(game), spec)
    return next(found.brain for found in checkpoints if len(found.brain.curve) >= points)


@pytest.mark.parametrize("whole", [pytest.param(0, marks=SLOW), pytest.param(1, marks=SOAK)])
@pytest.mark.parametrize(("game", "spec"), SHIPPED)
def test_trained_again_from_its_seed_it_is_the_same(game: str, spec: str, whole: int) -> None:
    """In make test up to the first points of its curve only."""
    shipped, is_long = load(shipped_file(game, spec)), (game, spec) in LONG
    every = len(shipped.curve)
    # The short form of the soak leaves the two that take longest at a sixth of their way.
    points = (lessened(every, every // 6) if is_long else every) if whole else 1 if is_long else 4
    again = retrained(game, spec, points)
    assert again.curve[:points] == shipped.curve[:points]
    assert again.parameters == shipped.parameters
    assert again.digest == shipped.digest or points < every


@pytest.mark.slow
def test_one_that_ships_can_be_trained_further() -> None:
    game, spec = load_game(TABLE[0]), TABLE[1]
    entry, options = read_agent(spec, game)
    assert entry.train is not None
    longer = with_length(options, 210)
    resumed = finish(entry.train(game, longer, SEED, load(shipped_file(*TABLE))))
    assert resumed.digest == finish(entry.train(game, longer, SEED, None)).digest
