"""The story of a match, as its page shows it: the curve, every move graded, where it turned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

from agents import Analysis
from agents.contest.strength import strongest_agent
from agents.formats import counted, decimal
from agents.roster import agent_title
from engine import Seat
from webapp.analysis.panel import RETRY_TRIGGER
from webapp.analysis.summary import proven_result, with_verb
from webapp.replays.judgement import (
    Analyses,
    Grade,
    JudgedMove,
    Judgement,
    judge_moves,
    turning_points,
)
from webapp.replays.models import Record
from webapp.replays.view import ListPage, MatchView, inner_name
from webapp.workers.analyses import AnalysisRequest
from webapp.workers.client import WorkerClient
from webapp.workers.queue import BusyError, Rank

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
