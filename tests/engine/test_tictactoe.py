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


@pytest.fixture(scope="module")
def states() -> set[object]:
    return reachable(GAME)


# Nothing remembered, it takes fifty times as long.
every_walk = pytest.mark.parametrize(
    "every_game", [walk_by_levels, pytest.param(walk, marks=pytest.mark.soak)]
)


@every_walk
def test_perft_counts_the_moves_at_every_depth(every_game: Callable[[object], Walk]) -> None:
    moves = every_game(GAME.start).moves
    counts = [moves[depth] for depth in range(1, 11)]
    assert counts == [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872, 0]


@every_walk
def test_there_are_255168_games_by_length(every_game: Callable[[object], Walk]) -> None:
    lengths = every_game(GAME.start).games
    assert lengths == Counter({5: 1440, 6: 5328, 7: 47952, 8: 72576, 9: 127872})
    assert lengths.total() == 255168


def test_there_are_5478_states_765_up_to_symmetry(states: set[object]) -> None:
    assert len(states) == 5478
    assert len({GAME.canonical(state) for state in states}) == 765


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("xxx/oo./... o", Outcome(Seat.FIRST, Ending.LINE)),
        ("ox./.ox/x.o x", Outcome(Seat.SECOND, Ending.LINE)),
        ("xox/xxo/oxo o", Outcome(None, Ending.BOARD_FULL)),
        ("x.o/.x./..o x", None),
    ],
)
def test_a_line_wins_and_a_full_board_is_a_draw(text: str, outcome: Outcome | None) -> None:
    assert GAME.parse_state(text).outcome() == outcome


def test_a_full_board_with_a_line_is_a_win() -> None:
    assert GAME.parse_state("xox/oxo/xox o").outcome() == Outcome(Seat.FIRST, Ending.LINE)


def test_a_taken_cell_is_refused_by_name() -> None:
    with pytest.raises(IllegalMoveError, match=r"^b2 is taken$") as caught:
        GAME.parse_state(".../.x./... o").play(GAME.parse_move("b2"))
    assert str(caught.value.move) == "b2"
    assert str(caught.value.state) == ".../.x./... o"


def test_nothing_is_played_after_the_end() -> None:
    with pytest.raises(IllegalMoveError, match="the game is over"):
        GAME.parse_state("xxx/oo./... o").play(GAME.parse_move("a1"))


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
