"""The judgement of a match: how good every move was, and which of them changed the result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from agents import Analysis, Candidate
from engine import Match, Seat

GOOD_FROM = 0.02  # of value given away; less is as good as the best move
SLIP_FROM = 0.1
DECIDED_FROM = 0.8  # of an estimated value; below it the expected result is a draw
MAX_GOOD_DELAY = 2  # plies by which a good move may delay a win or hasten a loss

Analyses = Sequence[Analysis[Any] | None]  # by ply; None: it failed


class Grade(StrEnum):
    """How good a move was."""

    BEST = "best"
    GOOD = "good"
    SLIP = "slip"
    BLUNDER = "blunder"


def expected_result(candidate: Candidate[Any]) -> int:
    """1, 0 or -1 for the player of the move: proven, or by its estimated value."""
    value = candidate.value or 0.0
    least = 0.0 if candidate.proven else DECIDED_FROM
    return (value > 0 and value >= least) - (value < 0 and -value >= least)


@dataclass(frozen=True, slots=True)
class JudgedMove:
    """A move that was played and the best move in its place.

    The value of the played move is that of the position after it, which the rest of the match
    shows; so no move is a blunder that the best reply undoes.
    """

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
        """Whether the expected result is worse than with the best move."""
        return expected_result(self.played) < expected_result(self.best)

    @property
    def plies_given_away(self) -> int:
        """By how many plies a win comes later or a loss sooner."""
        if self.played.plies is None or self.best.plies is None or not self.best.value:
            return 0
        return abs(self.played.plies - self.best.plies)

    @property
    def grade(self) -> Grade:
        """Graded by result and length where both are proven, else by value."""
        if self.changes_the_result:
            return Grade.BLUNDER
        if not self.is_exact:
            steps = ((GOOD_FROM, Grade.BEST), (SLIP_FROM, Grade.GOOD))
            return next((g for below, g in steps if self.given_away < below), Grade.SLIP)
        if not self.plies_given_away:
            return Grade.BEST
        return Grade.GOOD if self.plies_given_away <= MAX_GOOD_DELAY else Grade.SLIP


@dataclass(frozen=True, slots=True)
class Judgement:
    """The judged moves of a match, and the value of every position for the first seat."""

    steps: tuple[JudgedMove, ...]
    values: tuple[float | None, ...]  # by ply; None where nothing is known


def judge_moves(match: Match[Any, Any], analyses: Analyses) -> Judgement:
    """Judge every move that the analysis of its position has among its candidates.

    Backwards from the end: a position is worth what was played in it, or the best other move that
    its analysis saw, whichever is more. Two searches of different depth cannot contradict each
    other then, and the value only ever changes by a move that gives something away. A move that
    looked as good as any in its place is the best, whatever the rest of the match shows.
    """
    analyses = _agreed(match, analyses)
    after = _final_worth(match)
    values = [_for_first(match, match.ply, after)]
    steps = []
    for ply in reversed(range(match.ply)):
        analysis = analyses[ply] if ply < len(analyses) else None
        seat: Seat = match.states[ply].to_move
        known = None if after is None else _turned(after, seat is match.states[ply + 1].to_move)
        seen = None if analysis is None else _candidate(analysis, match.moves[ply])
        if analysis is None or seen is None:
            after = known
        else:
            top = analysis.candidates[0]
            if _is_image(match, ply, top.move):
                seen = replace(top, move=seen.move)
            exact = seen.proven and top.proven
            played = seen if exact or known is None else replace(known, move=seen.move)
            is_better = (top.value or 0.0) > max(seen.value or 0.0, played.value or 0.0)
            best = top if exact or is_better else played
            steps.append(JudgedMove(ply, seat, played, best))
            after = best
        values.append(_for_first(match, ply, after))
    return Judgement(tuple(reversed(steps)), tuple(reversed(values)))


def _agreed(match: Match[Any, Any], analyses: Analyses) -> Analyses:
    """The analyses, where a position that came back is seen alike each time.

    A result that was proven only later holds before as well: the more has stood before, the more
    a winner has to avoid. A draw may be one only later, for what had stood before.
    """
    found = list(analyses[: match.ply])
    proofs: dict[Any, Analysis[Any]] = {}
    for ply, analysis in reversed(list(enumerate(found))):
        if analysis is None:
            continue
        top, later = analysis.candidates[0], proofs.get(match.states[ply])
        if top.proven and top.value:
            proofs[match.states[ply]] = analysis
        elif later is not None:
            best = later.candidates[0]
            others = tuple(each for each in analysis.candidates if each.move != best.move)
            lost = (best.value or 0.0) < 0  # and so is every other move
            found[ply] = later if lost else replace(analysis, candidates=(best, *others))
    firsts: dict[Any, Analysis[Any]] = {}
    for ply, analysis in enumerate(found):
        if analysis is None:
            continue
        first = firsts.setdefault(match.states[ply], analysis)
        if not any(each.proven and not each.value for each in analysis.candidates):
            found[ply] = first
    return found


def _is_image(match: Match[Any, Any], ply: int, move: Any) -> bool:
    """Whether the move leaves the board that was played, or its mirror image."""
    left, played = match.states[ply].play(move), match.states[ply + 1]
    return bool(left == played) or bool(match.game.canonical(left) == match.game.canonical(played))


def _final_worth(match: Match[Any, Any]) -> Candidate[Any] | None:
    """The result for whoever would be to move; None if it goes on, or someone gave up."""
    outcome = match.outcome()
    if outcome is None or match.resigned is not None:
        return None
    return Candidate(None, float(outcome.score(match.state.to_move)), proven=True)


def _turned(worth: Candidate[Any], same: bool) -> Candidate[Any]:
    """The worth of a position for the player before, unless that is the same one."""
    value = (worth.value or 0.0) * (1 if same else -1)
    return Candidate(None, value, proven=worth.proven)


def _for_first(match: Match[Any, Any], ply: int, worth: Candidate[Any] | None) -> float | None:
    first = match.states[ply].to_move is Seat.FIRST
    return None if worth is None else (worth.value or 0.0) * (1 if first else -1)


def turning_points(steps: Sequence[JudgedMove]) -> list[JudgedMove]:
    """The moves that changed the expected result, in order; after the last it did not change."""
    return [step for step in steps if step.changes_the_result]


def _candidate(analysis: Analysis[Any], move: object) -> Candidate[Any] | None:
    try:
        return analysis.candidate(move)
    except KeyError:  # some techniques list their best moves only
        return None
