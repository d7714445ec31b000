"""A whole game solved, in a few figures: who wins, how soon, and how many states are what."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from agents.errors import TooLargeError
from agents.perfect.oracles import TableOracle, Verdict, oracle_for
from agents.tables import BUDGET
from engine.core import Game


@dataclass(frozen=True, slots=True)
class Summary:
    """What perfect play makes of a game. Values are for the side to move."""

    game: str
    start: Verdict
    states: int  # that play can reach from the start
    wins: int
    draws: int
    losses: int
    moves: tuple[tuple[Any, Verdict], ...]  # from the start, in the order of the game


def summarise(game: Game[Any, Any]) -> Summary:
    """The game solved from its start; raises TooLargeError."""
    oracle = oracle_for(game)
    if not isinstance(oracle, TableOracle):  # known, but not state by state
        raise TooLargeError(game.spec, BUDGET)
    solution = oracle.solution
    return Summary(
        game=game.spec,
        start=oracle.probe(game.start),
        states=len(solution.value),
        wins=int((solution.value > 0).sum()),
        draws=int((solution.value == 0).sum()),
        losses=int((solution.value < 0).sum()),
        moves=tuple(oracle.verdicts(game.start).items()),
    )
