"""Tic-tac-toe's published counts, its endings and what it refuses."""

from collections import Counter
from collections.abc import Callable

import pytest

from engine import (
    Ending,
    IllegalMoveError,
    InvalidMoveError,
    InvalidStateError,
    Outcome,
    Seat,
    load_game,
)
from tests.engine.counting import Walk, reachable, walk, walk_by_levels

GAME = load_game("tictactoe")


# Nothing remembered, it takes fifty times as long.
@pytest.mark.parametrize("walk", [walk_by_levels, pytest.param(walk, marks=pytest.mark.soak)])
def test_moves_and_games_are_counted_as_published(walk: Callable[[object], Walk]) -> None:
    found = walk(GAME.start)
    counts = [found.moves[depth] for depth in range(1, 11)]
    assert counts == [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872, 0]
    assert found.games == Counter({5: 1440, 6: 5328, 7: 47952, 8: 72576, 9: 127872})
    assert found.games.total() == 255168


def test_there_are_5478_states_765_up_to_symmetry() -> None:
    states = reachable(GAME)
    assert (len(states), len({GAME.canonical(state) for state in states})) == (5478, 765)


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("xxx/oo./... o", Outcome(Seat.FIRST, Ending.LINE)),
        ("ox./.ox/x.o x", Outcome(Seat.SECOND, Ending.LINE)),
        ("xox/oxo/xox o", Outcome(Seat.FIRST, Ending.LINE)),  # and full
        ("xox/xxo/oxo o", Outcome(None, Ending.BOARD_FULL)),
        ("x.o/.x./..o x", None),
    ],
)
def test_a_line_wins_and_a_full_board_is_a_draw(text: str, outcome: Outcome | None) -> None:
    assert GAME.parse_state(text).outcome() == outcome


@pytest.mark.parametrize(
    ("state", "move", "why"),
    [(".../.x./... o", "b2", "^b2 is taken$"), ("xxx/oo./... o", "a1", "the game is over")],
)
def test_a_move_that_cannot_be_played_says_why(state: str, move: str, why: str) -> None:
    with pytest.raises(IllegalMoveError, match=why) as caught:
        GAME.parse_state(state).play(GAME.parse_move(move))
    assert (str(caught.value.move), str(caught.value.state)) == (move, state)


@pytest.mark.parametrize("text", ["z9", "b2 b2", "", "b", "B2", "b2\n", "x" * 10_000, "🙂", "d1"])
def test_a_text_that_is_no_cell_cannot_be_read(text: str) -> None:
    with pytest.raises(InvalidMoveError, match="is no cell: they run from a1 to c3") as caught:
        GAME.parse_move(text)
    assert caught.value.text == text
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "does not look like"),
        ("xo./... x", "does not look like"),
        (".../.../... z", "does not look like"),
        (".../.../...", "does not look like"),
        (".../.?./... x", "'\\?' is no mark"),
        ("xx./.../... o", "2 x and 0 o cannot be with o to move"),
        (".../.../... o", "0 x and 0 o cannot be with o to move"),
        ("xxx/oo./o.. x", "x cannot be to move after making row 3"),
        ("🙂" * 3000, "does not look like"),
    ],
)
def test_a_board_that_play_cannot_reach_cannot_be_read(text: str, why: str) -> None:
    with pytest.raises(InvalidStateError, match=why):
        GAME.parse_state(text)
