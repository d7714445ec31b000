"""Heat on pictures: every share where its move is, on each game's board."""

import pytest

from engine import load_game
from engine.drawing import STICK_HEIGHT, STICK_WIDTH
from webapp.boards.heat import MAX_STRENGTH, heat_for


def test_a_match_stands_for_taking_it_and_those_to_its_right() -> None:
    game = load_game("nim:heaps=1-3-5")
    heat = heat_for(game, game.start, {"a1": 0.003, "c2": 0.997}, choice="c2")
    assert heat is not None
    single, second = heat.spots
    assert (single.x, single.y, single.text) == (2 * STICK_WIDTH, 0, "")
    assert (second.x, second.y) == (3 * STICK_WIDTH, 2 * STICK_HEIGHT)
    assert (second.text, second.chosen) == (">99", True)  # not 100: it is not certain
    assert [text for _, _, text in heat.coordinates] == ["a", "b", "c"]


def test_all_pushes_of_a_cube_are_one_spot_and_the_strong_ones_arrows() -> None:
    game = load_game("quixo")
    shares = {"a1-a5": 0.3, "a1-e1": 0.2, "b1-b5": 0.46, "c1-c5": 0.04}
    heat = heat_for(game, game.start, shares, choice="b1-b5")
    assert heat is not None
    assert [spot.text for spot in heat.spots] == ["50%", "46%", "4%"]
    assert [spot.strength for spot in heat.spots] == pytest.approx(
        [MAX_STRENGTH * share for share in (0.5, 0.46, 0.04)], abs=1e-3
    )
    assert [spot.chosen for spot in heat.spots] == [False, True, False]
    assert [strength for _, strength in heat.arrows] == [1.0, 0.65, 0.43]  # of the strongest
    assert heat.margin > 0


def test_a_cell_is_tinted_in_its_place() -> None:
    game = load_game("tictactoe")
    heat = heat_for(game, game.start, {"b2": 1.0})
    assert heat is not None
    (spot,) = heat.spots
    assert spot.place == (150, 150)
    assert spot.text == "100%"
