"""A whole game solved, in a few figures: who wins, how soon, and how many states are what."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from agents.errors import TooLargeError
from agents.perfect.oracles import TableOracle, Verdict, why_unsolved
from agents.perfect.retrograde import solve
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
    if why_unsolved(game):
        raise TooLargeError(game.spec, BUDGET)
    solution = solve(game)
    oracle = TableOracle(solution)
    return Summary(
        game=game.spec,
        start=oracle.probe(game.start),
        states=len(solution.value),
        wins=int((solution.value > 0).sum()),
        draws=int((solution.value == 0).sum()),
        losses=int((solution.value < 0).sum()),
        moves=tuple(
            (move, oracle.probe(game.start.play(move)).seen_by_mover())
            for move in game.start.legal_moves()
        ),
    )
