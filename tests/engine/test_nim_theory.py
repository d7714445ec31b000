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
def test_a_position_is_lost_just_where_every_move_leads_to_a_win(spec: str) -> None:
    states = [state for state in reachable(load_game(spec)) if state.outcome() is None]
    assert [str(state) for state in states if is_lost(state) != loses(state)] == []


@pytest.mark.parametrize("spec", SMALL)
def test_the_winning_moves_are_some_of_those_that_leave_a_lost_position(spec: str) -> None:
    states = [state for state in reachable(load_game(spec)) if state.outcome() is None]
    wrong = [
        f"{move} at {state}"
        for state in states
        for move in winning_moves(state)
        if not loses(state.play(move))
    ]
    assert wrong == []
    assert [str(state) for state in states if bool(winning_moves(state)) == loses(state)] == []


def test_where_at_most_two_may_be_taken_heaps_count_by_threes() -> None:
    state = load_game("nim:heaps=3-4-5,max_take=2").start
    assert remainders(state) == (0, 1, 2)
    assert nim_sum(state) == 3


@pytest.mark.parametrize("spec", SMALL)
def test_a_verdict_says_who_wins_and_when_only_at_the_end(spec: str) -> None:
    states = list(reachable(load_game(spec)))
    assert [str(s) for s in states if (verdict(s).value < 0) != loses(s)] == []
    assert [str(s) for s in states if (verdict(s).plies == 0) != (s.outcome() is not None)] == []


@pytest.mark.parametrize("spec", SMALL)
def test_verdicts_on_all_moves_are_those_on_what_each_leaves(spec: str) -> None:
    states = list(reachable(load_game(spec)))
    each = [{m: verdict(s.play(m)).seen_by_mover() for m in s.legal_moves()} for s in states]
    assert [verdicts(state) for state in states] == each


@pytest.mark.parametrize("heap", [1, 5, 9, 13, 17, 21])
def test_of_one_heap_whoever_faces_one_more_than_a_multiple_of_four_loses(heap: int) -> None:
    game = load_game("nim:preset=twenty-one")
    assert verdict(game.parse_state(f"{heap} x")) == Verdict(-1, None)


def test_a_verdict_seen_by_whoever_moved_is_turned_round() -> None:
    assert Verdict(-1, 4).seen_by_mover() == Verdict(1, 5)
    assert Verdict(1, None).seen_by_mover() == Verdict(-1, None)
