"""The moves of a match graded against the best ones, and where the result turned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from agents import Analysis, Candidate
from engine import Match, Seat

GOOD_FROM = 0.02  # of value given away; less is as good as the best move
SLIP_FROM = 0.1
BLUNDER_FROM = 0.25
MAX_GOOD_DELAY = 2  # plies by which a good move may delay a win or hasten a loss


class Grade(StrEnum):
    """How good a move was."""

    BEST = "best"
    GOOD = "good"
    SLIP = "slip"
    BLUNDER = "blunder"


@dataclass(frozen=True, slots=True)
class JudgedMove:
    """A move that was played and the best move in its place."""

    ply: int  # before the move
    seat: Seat
    played: Candidate[Any]
    best: Candidate[Any]

    @property
    def given_away(self) -> float:
        return (self.best.value or 0.0) - (self.played.value or 0.0)

    @property
    def is_exact(self) -> bool:
        """Whether the values of both are proven."""
        return self.played.proven and self.best.proven

    @property
    def changes_the_result(self) -> bool:
        return self.is_exact and self.given_away > 0

    @property
    def plies_given_away(self) -> int:
        """By how many plies a win comes later or a loss sooner."""
        if self.played.plies is None or self.best.plies is None or not self.best.value:
            return 0
        return abs(self.played.plies - self.best.plies)

    @property
    def grade(self) -> Grade:
        """Graded by result and length where both are proven, else by value."""
        if not self.is_exact:
            steps = ((GOOD_FROM, Grade.BEST), (SLIP_FROM, Grade.GOOD), (BLUNDER_FROM, Grade.SLIP))
            return next((g for below, g in steps if self.given_away < below), Grade.BLUNDER)
        if self.changes_the_result:
            return Grade.BLUNDER
        if not self.plies_given_away:
            return Grade.BEST
        return Grade.GOOD if self.plies_given_away <= MAX_GOOD_DELAY else Grade.SLIP


def judge_moves(
    match: Match[Any, Any], analyses: Sequence[Analysis[Any] | None]
) -> list[JudgedMove]:
    """Every move of the match that the analysis of its position has among its candidates."""
    steps = []
    for ply, analysis in enumerate(analyses[: match.ply]):
        played = None if analysis is None else _candidate(analysis, match.moves[ply])
        if analysis is not None and played is not None:
            seat: Seat = match.states[ply].to_move
            steps.append(JudgedMove(ply, seat, played, analysis.candidates[0]))
    return steps


def turning_points(steps: Sequence[JudgedMove]) -> list[JudgedMove]:
    """The moves at which the match turned, in order; the last one decided it.

    If all values are proven, every move that changed the result; else the last of those that gave
    away most, if it was a blunder.
    """
    if all(step.is_exact for step in steps):
        return [step for step in steps if step.changes_the_result]
    worst = max(steps, key=lambda step: (step.given_away, step.ply), default=None)
    return [worst] if worst is not None and worst.given_away >= BLUNDER_FROM else []


def _candidate(analysis: Analysis[Any], move: object) -> Candidate[Any] | None:
    try:
        return analysis.candidate(move)
    except KeyError:  # some techniques list their best moves only
        return None
