"""Nim by theory, against what a search to the end finds."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import load_game
from engine.core import Verdict
from engine.nim_theory import verdict, winning_moves
from tests.positions import matches

GAMES = tuple(
    map(
        load_game,
        (
            "nim:heaps=1-3-4",
            "nim:heaps=2-3-3,last=wins",
            "nim:heaps=4-5,max_take=2",
            "nim:preset=twenty-one",
        ),
    )
)


@cache
def value(state: Any) -> int:
    """Negamax to the end."""
    outcome = state.outcome()
    if outcome is not None:
        return int(outcome.score(state.to_move))
    return max(-value(state.play(move)) for move in state.legal_moves())


@settings(max_examples=60)
@given(match=matches(GAMES))
def test_a_verdict_is_what_a_search_to_the_end_finds(match: Any) -> None:
    assert verdict(match.state).value == value(match.state)


@settings(max_examples=60)
@given(match=matches(GAMES))
def test_the_winning_moves_are_those_that_leave_a_lost_position(match: Any) -> None:
    moves = match.state.legal_moves()
    lost = {move for move in moves if value(match.state.play(move)) < 0}
    assert set(winning_moves(match.state)) == lost


@pytest.mark.parametrize("heap", [1, 5, 9, 13, 17, 21])
def test_of_one_heap_whoever_faces_one_more_than_a_multiple_of_four_loses(heap: int) -> None:
    game = load_game("nim:preset=twenty-one")
    assert verdict(game.parse_state(f"{heap} x")) == Verdict(-1, None)


@given(plies=st.integers(0, 50))
def test_a_verdict_seen_by_whoever_moved_is_turned_round(plies: int) -> None:
    assert Verdict(-1, plies).seen_by_mover() == Verdict(1, plies + 1)
    assert Verdict(1, None).seen_by_mover() == Verdict(-1, None)
