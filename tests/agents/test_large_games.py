"""What is offered on a game follows from how many states it says it has, whichever game it is."""

from dataclasses import replace
from typing import Any

import pytest

from agents import load_agent
from agents.errors import TooLargeError, UnsolvedError, UnsuitableAgentError
from agents.perfect.oracles import TheoryOracle, oracle_for
from agents.perfect.summary import solve
from agents.roster import find_agent
from agents.tabular.tables import BUDGET
from benchmarks.results import figures
from engine import Game, load_game
from engine.core import Verdict
from engine.entry import Theory

TICTACTOE = load_game("tictactoe")
CHOMP = 369_512  # states of Chomp 10 × 10
HUGE = load_game("nim:heaps=50-50-50-50")
NO_TABLE = ("random", "opportunist", "minimax", "alphabeta", "mcts")


def larger(states: int | None) -> Game[Any, Any]:
    """Tic-tac-toe that says it has so many states, in a variant for which no brain ships."""
    return replace(TICTACTOE, spec="tictactoe:larger", states=states)


@pytest.mark.parametrize(
    ("key", "game", "why"),
    [
        *(
            (key, larger(CHOMP), "369,512 positions are too many")
            for key in ("perfect", "qlearning")
        ),
        *((key, larger(None), "nobody has said how many") for key in ("perfect", "qlearning")),
        *((key, HUGE, "too many") for key in ("es-rules", "es-mix", "ea-table")),
        *((key, larger(None), None) for key in NO_TABLE),
        ("qlearning", load_game("nim:heaps=50-50-50"), "265,302 positions are too many"),
        ("qlearning", larger(50_000), None),
        ("qlearning", larger(50_001), "too many"),
        ("perfect", larger(BUDGET), None),
        ("perfect", larger(BUDGET + 1), "too many"),
    ],
)
def test_who_needs_a_table_refuses_a_game_that_is_too_large_or_that_nobody_has_counted(
    key: str, game: Game[Any, Any], why: str | None
) -> None:
    refusal = find_agent(key).refuses(game)
    assert (refusal is None) if why is None else (why in str(refusal))


@pytest.mark.parametrize("game", [larger(CHOMP), HUGE, load_game("quixo")], ids=str)
def test_what_is_too_large_is_not_solved(game: Game[Any, Any]) -> None:
    with pytest.raises(TooLargeError, match=f"{game.spec} is too large to tabulate"):
        solve(game)


def test_what_is_too_large_has_neither_an_oracle_nor_a_perfect_player() -> None:
    with pytest.raises(TooLargeError, match="tictactoe:larger is too large to tabulate"):
        oracle_for(larger(CHOMP))
    with pytest.raises(UnsuitableAgentError, match="positions are too many to solve"):
        load_agent("perfect", larger(CHOMP))


def test_a_theory_speaks_for_every_move_and_where_it_is_silent_its_oracle_says_so() -> None:
    oracle = TheoryOracle(Theory("Fairness", lambda state: Verdict(0, None)))
    assert set(oracle.verdicts(TICTACTOE.start).values()) == {Verdict(0, None)}
    assert oracle.source == "Fairness"
    with pytest.raises(UnsolvedError, match="Silence says nothing of"):
        TheoryOracle(Theory("Silence", lambda state: None)).probe(TICTACTOE.start)


def test_a_game_is_small_when_it_can_be_solved_whole() -> None:
    specs = ("nim", "tictactoe", "quixo", HUGE.spec)
    assert [figures._small(spec) for spec in specs] == [True, True, False, False]
