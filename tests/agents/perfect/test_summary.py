"""A solved game in figures."""

import pytest

from agents.errors import TooLargeError
from agents.perfect.summary import solve
from engine import load_game
from engine.core import Verdict


def test_tic_tac_toe_is_a_draw_whatever_comes_first():
    summary = solve(load_game("tictactoe"))
    assert summary.start == Verdict(0, 9)
    assert {verdict for _, verdict in summary.moves} == {Verdict(0, 9)}


def test_every_reachable_state_is_counted_once():
    summary = solve(load_game("tictactoe"))
    assert summary.states == 5_478
    assert (summary.wins, summary.draws, summary.losses) == (2_836, 1_068, 1_574)


def test_the_values_of_one_short_heap_are_those_by_hand():
    # Last loses, heap of 2: x takes one and o must take the last; taking both loses.
    # States: 2 x (won), 1 o (lost), 0 o (x took the last: won for o), 0 x (won for x).
    summary = solve(load_game("nim:heaps=2"))
    assert summary.start == Verdict(1, 2)
    assert (summary.wins, summary.draws, summary.losses) == (3, 0, 1)
    assert {str(move): verdict for move, verdict in summary.moves} == {
        "a1": Verdict(1, 2),
        "a2": Verdict(-1, 1),
    }


@pytest.mark.slow
def test_quixo_on_3_by_3_is_won_in_seven():
    assert solve(load_game("quixo:size=3")).start == Verdict(1, 7)


@pytest.mark.parametrize("spec", ["quixo", "nim:heaps=50-50-50-50"])
def test_a_game_too_large_says_so(spec):
    with pytest.raises(TooLargeError, match=f"{spec} is too large to tabulate"):
        solve(load_game(spec))
