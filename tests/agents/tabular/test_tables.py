"""Compiled games against the engine they were compiled from."""

from random import Random
from typing import Any

import numpy as np
import pytest

from agents import load_agent
from agents.errors import TooLargeError
from agents.tabular.tables import tabulate
from engine import load_game
from tests.engine.counting import reachable
from tests.positions import reachable_states

SPECS = [
    "tictactoe",
    "nim:heaps=2-2-3",
    "nim:preset=twenty-one",
    pytest.param("quixo:size=3", marks=pytest.mark.slow),
]


@pytest.mark.parametrize("spec", SPECS)
def test_the_states_are_exactly_those_play_reaches(spec: str) -> None:
    tables = tabulate(load_game(spec))
    assert set(tables.states) == reachable(load_game(spec))
    assert [tables.number[state] for state in tables.states] == list(range(len(tables.states)))


@pytest.mark.parametrize("spec", SPECS)
def test_successors_outcomes_and_movers_are_the_engines(spec: str) -> None:
    tables = tabulate(load_game(spec))

    def engine_row(state: Any) -> list[int]:
        legal = state.legal_moves()
        moves = tables.game.all_moves
        return [tables.number[state.play(move)] if move in legal else -1 for move in moves]

    some = Random(0).sample(range(len(tables.states)), 40)
    states = [tables.states[at] for at in some]
    outcomes = [state.outcome() for state in states]
    scores = [o.score(s.to_move) if o else 0 for o, s in zip(outcomes, states, strict=True)]
    assert tables.successor[some].tolist() == [engine_row(state) for state in states]
    assert tables.over[some].tolist() == [outcome is not None for outcome in outcomes]
    assert tables.outcome[some].tolist() == scores
    assert tables.mover[some].tolist() == [int(state.to_move) for state in states]


@pytest.mark.parametrize("spec", SPECS)
def test_states_have_one_canonical_number_just_where_they_are_symmetric(spec: str) -> None:
    tables = tabulate(load_game(spec))
    first: dict[Any, int] = {}  # the number of the first of each kind
    kinds = map(tables.game.canonical, tables.states)
    numbers = [first.setdefault(kind, at) for at, kind in enumerate(kinds)]
    assert tables.canonical().tolist() == numbers


def test_a_policy_holds_the_chances_of_every_state() -> None:
    game = load_game("tictactoe")
    tables = tabulate(game)
    policy = tables.policy(load_agent("random", game))
    assert np.allclose(policy.sum(axis=1), ~tables.over)
    assert ((policy > 0) == tables.legal).all()


def test_a_game_past_the_budget_is_too_large() -> None:
    root = reachable_states(load_game("tictactoe"), 1, seed=3)[0]
    assert tabulate(load_game("tictactoe"), root).states[0] == root  # it may start anywhere
    with pytest.raises(TooLargeError, match="tictactoe is too large to tabulate: more than 1,000"):
        tabulate(load_game("tictactoe"), budget=1000)
