"""What a move was worth beside the best there was: best, good, a slip or a blunder; and at which
of them a match turned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from agents import Analysis, Candidate
from engine import Match, Seat

AS_GOOD = 0.02  # of value given away, below which a move is as good as the best
SLIP = 0.1
BLUNDER = 0.25
LATER = 2  # plies by which a win may come later, or a loss sooner, without being a slip


class Grade(StrEnum):
    """How good a move was."""

    BEST = "best"
    GOOD = "good"
    SLIP = "slip"
    BLUNDER = "blunder"


@dataclass(frozen=True, slots=True)
class Judged:
    """One move that was played, beside the best that could have been."""

    ply: int  # before the move
    seat: Seat
    played: Candidate[Any]
    best: Candidate[Any]

    @property
    def given_away(self) -> float:
        return (self.best.value or 0.0) - (self.played.value or 0.0)

    @property
    def is_exact(self) -> bool:
        """Whether both are known for certain."""
        return self.played.proven and self.best.proven

    @property
    def changes_the_result(self) -> bool:
        return self.is_exact and self.given_away > 0

    @property
    def plies_given_away(self) -> int:
        """By how much a win comes later, or a loss sooner."""
        if self.played.plies is None or self.best.plies is None or not self.best.value:
            return 0
        return abs(self.played.plies - self.best.plies)

    @property
    def grade(self) -> Grade:
        """Where both ends are known by the result and how soon it comes, else by the value."""
        if not self.is_exact:
            steps = ((AS_GOOD, Grade.BEST), (SLIP, Grade.GOOD), (BLUNDER, Grade.SLIP))
            return next((g for below, g in steps if self.given_away < below), Grade.BLUNDER)
        if self.changes_the_result:
            return Grade.BLUNDER
        if not self.plies_given_away:
            return Grade.BEST
        return Grade.GOOD if self.plies_given_away <= LATER else Grade.SLIP


def judged(match: Match[Any, Any], analyses: Sequence[Analysis[Any] | None]) -> list[Judged]:
    """Every move of the match that the analyses of the plies before them speak of."""
    steps = []
    for ply, analysis in enumerate(analyses[: match.ply]):
        played = None if analysis is None else _candidate(analysis, match.moves[ply])
        if analysis is not None and played is not None:
            seat: Seat = match.states[ply].to_move
            steps.append(Judged(ply, seat, played, analysis.candidates[0]))
    return steps


def _candidate(analysis: Analysis[Any], move: object) -> Candidate[Any] | None:
    try:
        return analysis.candidate(move)
    except KeyError:  # a technique that speaks of its best moves only
        return None


def turning_points(steps: Sequence[Judged]) -> list[Judged]:
    """The moves at which it turned, in their order; the last of them decided.

    Where everything is known, each that changed the result; elsewhere the one that gave away
    most, the last of equals.
    """
    if all(step.is_exact for step in steps):
        return [step for step in steps if step.changes_the_result]
    worst = max(steps, key=lambda step: (step.given_away, step.ply), default=None)
    return [worst] if worst is not None and worst.given_away >= BLUNDER else []
