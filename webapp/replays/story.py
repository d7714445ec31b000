"""The story of a match, as its page shows it: the curve, every move graded, where it turned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import Any, ClassVar

from agents import Analysis, Candidate
from agents.contest.strength import strongest_agent
from agents.formats import counted, decimal
from agents.roster import agent_title
from engine import Match, Seat
from webapp.analysis.panel import RETRY_TRIGGER
from webapp.analysis.summary import proven_result, with_verb
from webapp.replays.models import Record
from webapp.replays.view import ListPage, MatchView, inner_name
from webapp.workers.analyses import AnalysisRequest
from webapp.workers.client import WorkerClient
from webapp.workers.queue import BusyError, Rank

GOOD_FROM = 0.02  # of value given away; less is as good as the best move
SLIP_FROM = 0.1
DECIDED_FROM = 0.8  # of an estimated value; below it the expected result is a draw
MAX_GOOD_DELAY = 2  # plies by which a good move may delay a win or hasten a loss
MAX_QUEUED = 6  # plies of one story in the queue at a time
STORY_SECONDS = 20.0  # shared by the plies
MAX_PLY_SECONDS = 1.0
MAX_CURVE_LINKS = 32  # so that each is wide enough to press
MAX_LISTED_TURNS = 10  # the last ones
BETTER_TEXTS = {
    "win": "would have won",
    "draw": "would have held the draw",
    "loss": "would have held out longer",
    "open": "was better",
}
A_LITTLE_BETTER = "was a little better"  # than a good move, by an estimate

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


@dataclass(frozen=True, slots=True)
class StoryPoint:
    """A point of the story's curve: the value of a position for the first seat."""

    ply: int
    value: float  # -1 to 1
    label: str  # 3. b2: 0.00
    url: str
    turning: bool
    shown: bool  # it is on the board


@dataclass(frozen=True, slots=True)
class StoryMove:
    """A graded move of the match."""

    number: int
    text: str
    grade: str  # best, good, slip, blunder
    better: str  # b2 would have won
    url: str
    decided: bool  # the last move that changed the result
    shown: bool
    value: str = ""  # of the position after it, for the first seat


@dataclass(frozen=True)  # no slots: cached properties
class Story:
    """The story of a match, ply by ply (`replays/_story.html`)."""

    view: MatchView
    analyses: Analyses  # of the plies up to the first pending one

    title: ClassVar[str] = "How it went"
    trigger: ClassVar[str] = RETRY_TRIGGER

    @property
    def pending(self) -> bool:
        return len(self.analyses) < self.view.last_ply

    @property
    def retry(self) -> str:
        query = replace(self.view.query, story=False, hint=False, pick=None)
        return query.url(self.view.child("story"))

    @property
    def source(self) -> str:
        """The agent that rated the moves."""
        agent = strongest_agent(self.view.record.game)
        return f"By the values of {agent_title(agent, self.view.match.game.spec)}."

    @cached_property
    def _judgement(self) -> Judgement:
        return judge_moves(self.view.match, self.analyses)

    @property
    def _judged(self) -> Sequence[JudgedMove]:
        return self._judgement.steps

    @cached_property
    def _turns(self) -> list[JudgedMove]:
        return turning_points(self._judged)

    @property
    def _decided(self) -> JudgedMove | None:
        return self._turns[-1] if self._turns else None

    @property
    def sentence(self) -> str:
        """It turned at move 4: you played b2, where c3 would have won."""
        if self.pending:
            return f"{len(self.analyses)} of {self.view.last_ply} moves looked at."
        turning = self._decided
        if turning is None:
            return "There was no one move at which it turned."
        player = inner_name(self.view.players[turning.seat])
        return (
            f"It turned at move {turning.ply + 1}: {player} played {turning.played.move}, "
            f"where {turning.best.move} {BETTER_TEXTS[proven_result(turning.best)]}."
        )

    @property
    def before(self) -> str:
        """The earlier changes of the result: Before that the result changed 2 times: …"""
        turns = self._turns[:-1]
        if self.pending or not turns:
            return ""
        changes = [
            f"{inner_name(self.view.players[turn.seat])} at move {turn.ply + 1} "
            f"({turn.played.move}, where {turn.best.move} {BETTER_TEXTS[proven_result(turn.best)]})"
            for turn in turns[-MAX_LISTED_TURNS:]
        ]
        times = "once" if len(turns) == 1 else f"{len(turns)} times"
        last = f", the last {MAX_LISTED_TURNS} of them" if len(turns) > MAX_LISTED_TURNS else ""
        return f"Before that the result changed {times}{last}: {'; '.join(changes)}."

    @property
    def tally(self) -> str:
        """How many moves of each player were best: Best moves: you 3 of 3, Opportunist 1 of 2."""
        if self.pending:
            return ""
        parts = []
        for player in self.view.players:
            own = [step for step in self._judged if step.seat is player.seat]
            best = sum(step.grade is Grade.BEST for step in own)
            parts.append(f"{inner_name(player)} {best} of {len(own)}")
        return f"Best moves: {', '.join(parts)}."

    @property
    def ends(self) -> tuple[str, str]:
        """Labels of the curve's upper and lower edge."""
        first, second = self.view.players
        return with_verb(first, "win"), with_verb(second, "win")

    @property
    def begun(self) -> str:
        """The value of the start, for the first seat."""
        return decimal(self.points[0].value) if self.points else ""

    @property
    def try_again(self) -> int | None:
        """The ply before the decisive move, if a person made it: POST it to `play_on`."""
        decided, record = self._decided, self.view.record
        if decided is None or (record.people and decided.seat not in record.people):
            return None
        return decided.ply

    @property
    def play_on(self) -> str:
        return self.view.child("play-on")

    @property
    def pages(self) -> tuple[ListPage, ...]:
        """Of a long match."""
        return self.view.pages

    @cached_property
    def points(self) -> tuple[StoryPoint, ...]:
        """The value of every position for the first seat; the previous one where it is unknown."""
        view, match = self.view, self.view.match
        known = self._judgement.values
        outcome = match.outcome()
        if outcome is None or match.resigned is not None:
            known = known[:-1]
        values: list[float] = []
        for value in known:
            values.append(value if value is not None else values[-1] if values else 0.0)
        if outcome is not None and match.resigned is not None:
            values.append(float(outcome.score(Seat.FIRST)))
        after = None if self._decided is None else self._decided.ply + 1
        return tuple(
            StoryPoint(
                ply,
                round(value, 3),
                f"{f'{ply}. {match.moves[ply - 1]}' if ply else 'start'}: {decimal(value)}",
                view.ply_url(ply),
                turning=ply == after,
                shown=ply == view.ply,
            )
            for ply, value in enumerate(values)
        )

    @property
    def presses(self) -> tuple[tuple[float, float, StoryPoint], ...]:
        """Strips of the curve that link to a point each: left edge, width, most telling point."""
        points = self.points
        width = max(1.0, len(points) / MAX_CURVE_LINKS)
        strips: dict[int, list[StoryPoint]] = {}
        for point in points:
            strips.setdefault(int(point.ply / width), []).append(point)

        def importance(point: StoryPoint) -> tuple[bool, bool, float]:
            before = points[max(0, point.ply - 1)].value
            return point.turning, point.shown, abs(point.value - before)

        return tuple(
            (round(strip * width - 0.5, 2), round(width, 2), max(members, key=importance))
            for strip, members in strips.items()
        )

    @cached_property
    def moves(self) -> tuple[StoryMove, ...]:
        """The moves of the shown page, and those that changed the result."""
        if self.pending:
            return ()
        turns = (turn.ply + 1 for turn in self._turns[-MAX_LISTED_TURNS:])
        listed = {*self.view.moves_on_page, *turns}
        return tuple(self._move(step) for step in self._judged if step.ply + 1 in listed)

    def _move(self, step: JudgedMove) -> StoryMove:
        """A move with its grade and the better move, if there was one."""
        number, grade = step.ply + 1, step.grade
        better = "" if grade is Grade.BEST else BETTER_TEXTS[proven_result(step.best)]
        if grade is Grade.GOOD and proven_result(step.best) == "open":
            better = A_LITTLE_BETTER
        if step.is_exact and not step.changes_the_result and step.plies_given_away:
            sooner = "sooner" if (step.best.value or 0) > 0 else "later"
            better = f"ends it {counted(step.plies_given_away, 'move', 'moves')} {sooner}"
        return StoryMove(
            number=number,
            text=str(step.played.move),
            grade=grade,
            better=f"{step.best.move} {better}" if better else "",
            url=self.view.ply_url(number),
            decided=step is self._decided,
            shown=number == self.view.ply,
            value=decimal(self.points[number].value) if number < len(self.points) else "",
        )


def story_analyses(record: Record, client: WorkerClient) -> Analyses:
    """Queue the plies of a story: the analyses up to the first pending one; None: it failed."""
    agent = strongest_agent(record.game)
    texts = tuple(ply.text for ply in record.plies)
    seconds = min(MAX_PLY_SECONDS, STORY_SECONDS / max(1, len(texts)))
    waiting = 0
    answers: list[Analysis[Any] | None] = []
    for ply in range(len(texts)):
        question = AnalysisRequest(record.game, record.start, texts[:ply], agent, seed="story")
        try:
            answer = client.ask(question, Rank.STORY, seconds).wait(0)
        except BusyError:
            break
        if answer is None:
            waiting += 1
        elif not waiting:
            answers.append(answer.analysis)
        if waiting == MAX_QUEUED:
            break
    return answers
