"""The brains that ship: all there, small, and the same when they are trained again."""

from pathlib import Path

import numpy as np
import pytest

from agents.errors import UnsuitableBrainError
from agents.roster import read_agent
from agents.training.brains import Brain
from agents.training.keeping import load
from agents.training.shipped import SHIPPED, SHIPPED_FILES, file_name, retrain, without_regrown
from agents.training.trainer import finish, with_length
from engine import load_game

QUICK = [pair for pair in SHIPPED if pair[0] == "tictactoe"]
LONG = [pair for pair in SHIPPED if pair[0] != "tictactoe"]
TABLE = ("nim:preset=marienbad", "ea-table")


def shipped_file(game: str, spec: str) -> Path:
    return Path(str(SHIPPED_FILES / file_name(load_game(game), spec)))


def test_what_ships_is_what_is_listed() -> None:
    listed = {shipped_file(game, spec).name for game, spec in SHIPPED}
    assert {file.name for file in Path(str(SHIPPED_FILES)).glob("*.npz")} == listed


def test_all_of_them_together_are_small() -> None:
    assert sum(shipped_file(game, spec).stat().st_size for game, spec in SHIPPED) < 600_000


@pytest.mark.parametrize(("game", "spec"), SHIPPED)
def test_a_curve_has_twenty_to_a_hundred_points_and_ends_where_its_brain_does(
    game: str, spec: str
) -> None:
    brain = load(shipped_file(game, spec))
    assert 20 <= len(brain.curve) <= 100
    assert brain.curve[-1].step == brain.steps


def assert_rebuilt(game: str, spec: str) -> None:
    shipped = load(shipped_file(game, spec))
    again = finish(retrain(load_game(game), spec))
    assert again.digest == shipped.digest
    assert again.curve == shipped.curve


@pytest.mark.parametrize(("game", "spec"), QUICK)
def test_trained_again_from_its_seed_it_is_the_same(game: str, spec: str) -> None:
    assert_rebuilt(game, spec)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "spec"), LONG)
def test_trained_again_from_its_seed_it_is_the_same_on_larger_games(game: str, spec: str) -> None:
    assert_rebuilt(game, spec)


def further(brain: Brain | None) -> Brain:
    """The evolved table, ten generations on."""
    game = load_game(TABLE[0])
    entry, options = read_agent(TABLE[1], game)
    assert entry.train is not None
    return finish(entry.train(game, with_length(options, 210), 1, brain))


def test_a_population_that_does_not_ship_is_grown_again_just_as_it_was() -> None:
    shipped = load(shipped_file(*TABLE))
    assert "population" not in shipped.arrays
    assert further(shipped).digest == further(None).digest


def test_a_best_that_its_seed_does_not_lead_to_is_refused() -> None:
    shipped = load(shipped_file(*TABLE))
    forged = Brain(
        **{**shipped.__dict__, "arrays": {"best": np.zeros_like(shipped.arrays["best"])}}
    )
    with pytest.raises(UnsuitableBrainError, match="its seed does not lead to its best"):
        further(forged)


def test_leaving_out_what_is_regrown_leaves_what_plays() -> None:
    assert without_regrown(further(None)).arrays.keys() == {"best"}
