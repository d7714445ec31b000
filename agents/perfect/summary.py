"""A whole game solved, in a few figures: who wins, how soon, and how many states are what."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from agents.errors import TooLargeError
from agents.formats import end_in_sight
from agents.perfect import quixo4
from agents.perfect.oracles import Quixo4Oracle, TableOracle, oracle_for
from agents.perfect.quixo4 import Progress
from agents.tabular.tables import BUDGET
from engine.core import Game, Verdict


@dataclass(frozen=True, slots=True)
class Summary:
    """What perfect play makes of a game. Values are for the side to move."""

    game: str
    start: Verdict
    states: int  # that play can reach from the start; of 4×4 Quixo, all boards
    wins: int
    draws: int
    losses: int
    moves: tuple[tuple[Any, Verdict], ...]  # from the start, in the order of the game

    def __str__(self) -> str:
        counts = f"{self.wins:,} won, {self.draws:,} drawn, {self.losses:,} lost"
        start = end_in_sight(self.start.value, self.start.plies)
        return f"{self.game}: {start} for whoever moves first; of {self.states:,} states {counts}"


def solve(game: Game[Any, Any], progress: Progress = lambda share: None) -> Summary:
    """The game solved from its start, telling how far it is if that takes long.

    Raises TooLargeError.
    """
    oracle = oracle_for(game)
    if isinstance(oracle, Quixo4Oracle):
        if not quixo4.is_built():
            quixo4.build(progress)
        return _every_board(game, oracle)
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


def _every_board(game: Game[Any, Any], oracle: Quixo4Oracle) -> Summary:
    """4×4 Quixo: its states are all its boards, whoever is to move on them being `the mover`."""
    wins, draws, losses = quixo4.solved().counts()
    return Summary(
        game=game.spec,
        start=oracle.probe(game.start),
        states=wins + draws + losses,
        wins=wins,
        draws=draws,
        losses=losses,
        moves=tuple(oracle.verdicts(game.start).items()),
    )
