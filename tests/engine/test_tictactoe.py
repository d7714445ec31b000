"""Tic-tac-toe's published counts and its endings."""

from collections import Counter
from collections.abc import Callable

import pytest

from engine import Ending, Outcome, Seat, load_game
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
