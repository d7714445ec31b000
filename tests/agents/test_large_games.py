"""What is offered on a game follows from how many states it says it has, whichever game it is."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from agents.entry import Entry
from agents.errors import TooLargeError, UnsolvedError
from agents.perfect.oracles import TheoryOracle, oracle_for
from agents.roster import find_agent
from agents.tabular.tables import BUDGET
from benchmarks.results import figures
from engine import Game, load_game
from engine.core import Verdict
from engine.entry import Theory

TICTACTOE = load_game("tictactoe")
CHOMP = 369_512  # states of Chomp 10 × 10


def larger(states: int | None) -> Game[Any, Any]:
    """Tic-tac-toe that says it has so many states, in a variant for which no brain ships."""
    return replace(TICTACTOE, spec="tictactoe:larger", states=states)


@pytest.mark.parametrize("key", ["perfect", "qlearning"])
def test_a_game_that_is_too_large_is_refused_with_its_number(key: str) -> None:
    assert "369,512 positions are too many" in str(find_agent(key).refuses(larger(CHOMP)))


@pytest.mark.parametrize("key", ["perfect", "qlearning"])
def test_a_game_that_nobody_has_counted_is_refused(key: str) -> None:
    assert "nobody has said how many positions" in str(find_agent(key).refuses(larger(None)))


@pytest.mark.parametrize("key", ["random", "opportunist", "minimax", "alphabeta", "mcts"])
def test_who_needs_no_table_plays_games_of_any_size(key: str) -> None:
    assert find_agent(key).refuses(larger(None)) is None


@pytest.mark.parametrize(("states", "offered"), [(50_000, True), (50_001, False)])
def test_the_q_learner_learns_tables_up_to_its_bound(states: int, offered: bool) -> None:
    entry: Entry = find_agent("qlearning")
    assert (entry.refuses(larger(states)) is None) == offered


@pytest.mark.parametrize(("states", "offered"), [(BUDGET, True), (BUDGET + 1, False)])
def test_perfect_solves_up_to_its_budget(states: int, offered: bool) -> None:
    assert (find_agent("perfect").refuses(larger(states)) is None) == offered


def test_what_is_too_large_has_no_oracle() -> None:
    with pytest.raises(TooLargeError):
        oracle_for(larger(CHOMP))


def test_where_a_theory_is_silent_its_oracle_says_so() -> None:
    oracle = TheoryOracle(Theory("Silence", lambda state: None))
    with pytest.raises(UnsolvedError, match="Silence says nothing of"):
        oracle.probe(TICTACTOE.start)


def test_a_theory_speaks_for_every_move() -> None:
    oracle = TheoryOracle(Theory("Fairness", lambda state: Verdict(0, None)))
    assert set(oracle.verdicts(TICTACTOE.start).values()) == {Verdict(0, None)}
    assert oracle.source == "Fairness"


@pytest.mark.parametrize(
    ("spec", "small"),
    [("nim", True), ("tictactoe", True), ("quixo", False), ("nim:heaps=50-50-50-50", False)],
)
def test_a_game_is_small_when_it_can_be_solved_whole(spec: str, small: bool) -> None:
    assert figures._small(spec) == small
