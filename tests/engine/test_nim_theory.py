"""Bouton's theorem against plain recursion: every position of small Nims, whatever the rules."""

from functools import cache

import pytest

from engine import load_game
from engine.core import Verdict
from engine.nim import NimState
from engine.nim_theory import is_lost, nim_sum, remainders, verdict, verdicts, winning_moves
from tests.engine.counting import reachable

SMALL = [
    f"nim:heaps={heaps},last={last},max_take={limit}"
    for heaps in ("2-3-4", "1-1-2", "9")
    for last in ("loses", "wins")
    for limit in ("none", "1", "2", "3")
]


@cache
def loses(state: NimState) -> bool:
    """By looking at every move: whoever finds the game over has its outcome."""
    outcome = state.outcome()
    if outcome is not None:
        return outcome.score(state.to_move) < 0
    return not any(loses(state.play(move)) for move in state.legal_moves())


@pytest.mark.parametrize("spec", SMALL)
def test_what_the_theory_says_of_a_position_is_what_every_move_comes_to(spec: str) -> None:
    states = reachable(load_game(spec))
    going_on = [state for state in states if state.outcome() is None]
    assert [str(state) for state in going_on if is_lost(state) != loses(state)] == []
    left = {s: tuple(m for m in s.legal_moves() if loses(s.play(m))) for s in going_on}
    assert [str(s) for s, moves in left.items() if winning_moves(s) != moves] == []
    assert [str(s) for s in states if (verdict(s).value < 0) != loses(s)] == []
    assert [str(s) for s in states if (verdict(s).plies == 0) != (s.outcome() is not None)] == []
    each = [{m: verdict(s.play(m)).seen_by_mover() for m in s.legal_moves()} for s in states]
    assert [verdicts(state) for state in states] == each


def test_where_at_most_two_may_be_taken_heaps_count_by_threes() -> None:
    state = load_game("nim:heaps=3-4-5,max_take=2").start
    assert remainders(state) == (0, 1, 2)
    assert nim_sum(state) == 3


def test_of_one_heap_whoever_faces_one_more_than_a_multiple_of_four_loses() -> None:
    game = load_game("nim:preset=twenty-one")
    found = {heap: verdict(game.parse_state(f"{heap} x")) for heap in range(1, 22)}
    assert [heap for heap in found if found[heap] == Verdict(-1, None)] == [1, 5, 9, 13, 17, 21]


def test_a_verdict_seen_by_whoever_moved_is_turned_round() -> None:
    assert Verdict(-1, 4).seen_by_mover() == Verdict(1, 5)
    assert Verdict(1, None).seen_by_mover() == Verdict(-1, None)
