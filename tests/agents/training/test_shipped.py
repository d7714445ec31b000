"""The brains that ship: all there, small, and the same when they are trained again."""

from pathlib import Path

import pytest

from agents.training.shipped import SHIPPED, file_name, retrain
from agents.training.trainer import SHIPPED as DIRECTORY
from agents.training.trainer import brains, finish
from engine import load_game
from tests.agents.learning.schools import same_arrays

QUICK = [pair for pair in SHIPPED if pair[0] == "tictactoe"]
LONG = [pair for pair in SHIPPED if pair[0] != "tictactoe"]


def shipped_file(game: str, spec: str) -> Path:
    return Path(str(DIRECTORY / file_name(load_game(game), spec)))


def test_what_ships_is_what_is_listed() -> None:
    listed = {shipped_file(game, spec).name for game, spec in SHIPPED}
    assert {file.name for file in Path(str(DIRECTORY)).glob("*.npz")} == listed


def test_all_of_them_together_are_small() -> None:
    assert sum(shipped_file(game, spec).stat().st_size for game, spec in SHIPPED) < 500_000


def assert_rebuilt(game: str, spec: str) -> None:
    shipped = brains.load(shipped_file(game, spec))
    again = finish(retrain(load_game(game), spec))
    assert same_arrays(again, shipped)
    assert again.parameters == shipped.parameters


@pytest.mark.parametrize(("game", "spec"), QUICK)
def test_trained_again_from_its_seed_it_is_the_same(game: str, spec: str) -> None:
    assert_rebuilt(game, spec)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "spec"), LONG)
def test_trained_again_from_its_seed_it_is_the_same_on_larger_games(game: str, spec: str) -> None:
    assert_rebuilt(game, spec)
