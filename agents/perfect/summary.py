"""The summary of a solved game: the value of its start and of its moves, and counts of states."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from agents.errors import TooLargeError
from agents.formats import proven_text
from agents.perfect import quixo4
from agents.perfect.oracles import Oracle, Quixo4Oracle, TableOracle, oracle_for
from agents.perfect.quixo4 import Progress
from agents.tabular.tables import BUDGET
from engine.core import Game, Verdict


@dataclass(frozen=True, slots=True)
class Summary:
    """The figures of a solved game; values are for the side to move."""

    game: str
    start: Verdict
    states: int  # reachable from the start; of 4×4 Quixo, all boards
    wins: int
    draws: int
    losses: int
    moves: tuple[tuple[Any, Verdict], ...]  # from the start, in the order of `Game.all_moves`

    def __str__(self) -> str:
        counts = f"{self.wins:,} won, {self.draws:,} drawn, {self.losses:,} lost"
        start = proven_text(self.start.value, self.start.plies)
        whose = "for the player who moves first"
        return f"{self.game}: {start} {whose}; of {self.states:,} states {counts}"


def solve(game: Game[Any, Any], progress: Progress = lambda share: None) -> Summary:
    """Solve the game from its start, reporting progress; raises TooLargeError."""
    oracle = oracle_for(game)
    if isinstance(oracle, Quixo4Oracle):
        if not quixo4.is_built():
            quixo4.build(progress)
        return _summary(game, oracle, quixo4.solved().counts())
    if not isinstance(oracle, TableOracle):  # theory has no counts of states
        raise TooLargeError(game.spec, BUDGET)
    value = oracle.solution.value
    wins, draws, losses = (int((value == each).sum()) for each in (1, 0, -1))
    return _summary(game, oracle, (wins, draws, losses))


def _summary(game: Game[Any, Any], oracle: Oracle, counts: tuple[int, int, int]) -> Summary:
    wins, draws, losses = counts
    return Summary(
        game=game.spec,
        start=oracle.probe(game.start),
        states=wins + draws + losses,
        wins=wins,
        draws=draws,
        losses=losses,
        moves=tuple(oracle.verdicts(game.start).items()),
    )
