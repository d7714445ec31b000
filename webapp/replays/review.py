"""The story of a match: every move graded against the best one, and where the result turned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from agents import Analysis, Candidate
from agents.contest.strength import strongest_agent
from agents.formats import counted, decimal
from agents.roster import agent_title
from engine import Match, Seat
from webapp.replays.links import move_pages, moves_on_page
from webapp.replays.panel import RETRY_TRIGGER
from webapp.replays.ply_view import Viewing
from webapp.replays.query import with_query
from webapp.replays.rows import proven_result
from webapp.replays.seats import inner_name, with_verb
from webapp.replays.views import CurveLink, StoryMove, StoryPoint, StoryView
from webapp.services import service
from webapp.workers.client import WorkerClient
from webapp.workers.queue import BusyError, Rank
from webapp.workers.requests import Question

GOOD_FROM = 0.02  # of value given away; less is as good as the best move
SLIP_FROM = 0.1
BLUNDER_FROM = 0.25
MAX_GOOD_DELAY = 2  # plies by which a good move may delay a win or hasten a loss
MAX_QUEUED = 6  # plies of one story in the queue at a time
STORY_SECONDS = 20.0  # shared by the plies
MAX_PLY_SECONDS = 1.0
MAX_CURVE_LINKS = 32  # so that each is strip_width enough to press
MAX_LISTED_TURNS = 10  # the last ones
BETTER_TEXTS = {
    "win": "would have won",
    "draw": "would have held the draw",
    "loss": "would have held out longer",
    "open": "was better",
}


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


def story_for(viewing: Viewing) -> StoryView:
    """The story of the match; pending until every ply is analysed."""
    agent = strongest_agent(viewing.record.game)
    query = replace(viewing.query, story=False, hint=False, pick=None)
    story = StoryView(
        title="How it went",
        pending=True,
        retry=with_query(viewing.child("story"), query),
        trigger=RETRY_TRIGGER,
        source=f"By the values of {agent_title(agent, viewing.match.game.spec)}.",
    )
    analyses = _analyses(viewing, agent)
    if len(analyses) < viewing.match.ply:
        return replace(story, sentence=f"{len(analyses)} of {viewing.match.ply} moves looked at.")
    steps = judge_moves(viewing.match, analyses)
    turns = turning_points(steps)
    decided = turns[-1] if turns else None
    points = _points(viewing, analyses, decided)
    listed = {*moves_on_page(viewing), *(turn.ply + 1 for turn in turns[-MAX_LISTED_TURNS:])}
    return replace(
        story,
        pending=False,
        points=points,
        presses=_curve_links(points),
        moves=tuple(
            _move(viewing, step, step is decided, points)
            for step in steps
            if step.ply + 1 in listed
        ),
        pages=move_pages(viewing),
        begun=decimal(points[0].value) if points else "",
        sentence=_sentence(viewing, decided),
        before=_before(viewing, turns[:-1]),
        tally=_tally(viewing, steps),
        ends=(with_verb(viewing.players[0], "win"), with_verb(viewing.players[1], "win")),
        try_again=None if decided is None else decided.ply,
        play_on=viewing.child("play-on"),
    )


def _candidate(analysis: Analysis[Any], move: object) -> Candidate[Any] | None:
    try:
        return analysis.candidate(move)
    except KeyError:  # some techniques list their best moves only
        return None


def _analyses(viewing: Viewing, agent: str) -> list[Analysis[Any] | None]:
    """The analyses of the plies up to the first pending one; None: it failed."""
    seconds = min(MAX_PLY_SECONDS, STORY_SECONDS / max(1, viewing.match.ply))
    texts = tuple(str(move) for move in viewing.match.moves)
    waiting = 0
    answers: list[Analysis[Any] | None] = []
    for ply in range(viewing.match.ply):
        record = viewing.record
        question = Question(record.game, record.start, texts[:ply], agent, seed="story")
        try:
            answer = service(WorkerClient).ask(question, Rank.STORY, seconds).wait(0)
        except BusyError:
            break
        if answer is None:
            waiting += 1
        elif not waiting:
            answers.append(answer.analysis)
        if waiting == MAX_QUEUED:
            break
    return answers


def _points(
    viewing: Viewing, analyses: Sequence[Analysis[Any] | None], turning: JudgedMove | None
) -> tuple[StoryPoint, ...]:
    """The value of every position for the first seat; the previous one where it is unknown."""
    values: list[float] = []
    for ply, analysis in enumerate(analyses):
        if analysis is None:
            values.append(values[-1] if values else 0.0)
        else:
            first = viewing.match.states[ply].to_move is Seat.FIRST
            values.append((analysis.candidates[0].value or 0.0) * (1 if first else -1))
    outcome = viewing.match.outcome()
    if outcome is not None:
        values.append(float(outcome.score(Seat.FIRST)))
    after = None if turning is None else turning.ply + 1
    return tuple(
        StoryPoint(
            ply,
            round(value, 3),
            f"{f'{ply}. {viewing.match.moves[ply - 1]}' if ply else 'start'}: {decimal(value)}",
            viewing.url(ply),
            turning=ply == after,
            shown=ply == viewing.ply,
        )
        for ply, value in enumerate(values)
    )


def _curve_links(points: tuple[StoryPoint, ...]) -> tuple[CurveLink, ...]:
    """A link for every point; of many, the most telling one in each strip of the curve."""
    strip_width = max(1.0, len(points) / MAX_CURVE_LINKS)
    strips: dict[int, list[StoryPoint]] = {}
    for point in points:
        strips.setdefault(int(point.ply / strip_width), []).append(point)

    def importance(point: StoryPoint) -> tuple[bool, bool, float]:
        before = points[max(0, point.ply - 1)].value
        return point.turning, point.shown, abs(point.value - before)

    return tuple(
        CurveLink(
            at=round(strip * strip_width - 0.5, 2),
            width=round(strip_width, 2),
            label=point.label,
            url=point.url,
            dot=f"M{point.ply} {point.value}h0",
            turning=point.turning,
        )
        for strip, members in strips.items()
        for point in [max(members, key=importance)]
    )


def _move(
    viewing: Viewing, step: JudgedMove, decided: bool, points: Sequence[StoryPoint]
) -> StoryMove:
    """The view of a move with its grade and the better move, if there was one."""
    grade = step.grade
    better = (
        "" if grade is Grade.BEST else f"{step.best.move} {BETTER_TEXTS[proven_result(step.best)]}"
    )
    if step.is_exact and not step.changes_the_result and step.plies_given_away:
        sooner = "sooner" if (step.best.value or 0) > 0 else "later"
        plies = counted(step.plies_given_away, "move", "moves")
        better = f"{step.best.move} ends it {plies} {sooner}"
    return StoryMove(
        number=step.ply + 1,
        text=str(step.played.move),
        mark=step.seat.mark,
        grade=grade,
        better=better,
        url=viewing.url(step.ply + 1),
        decided=decided,
        shown=step.ply + 1 == viewing.ply,
        value=decimal(points[step.ply + 1].value) if step.ply + 1 < len(points) else "",
    )


def _sentence(viewing: Viewing, turning: JudgedMove | None) -> str:
    if turning is None:
        return "There was no one move at which it turned."
    player = viewing.players[turning.seat]
    return (
        f"It turned at move {turning.ply + 1}: {inner_name(player)} played {turning.played.move}, "
        f"where {turning.best.move} {BETTER_TEXTS[proven_result(turning.best)]}."
    )


def _before(viewing: Viewing, turns: Sequence[JudgedMove]) -> str:
    """The earlier changes of the result."""
    if not turns:
        return ""
    changes = [
        f"{inner_name(viewing.players[turn.seat])} at move {turn.ply + 1} "
        f"({turn.played.move}, where {turn.best.move} {BETTER_TEXTS[proven_result(turn.best)]})"
        for turn in turns[-MAX_LISTED_TURNS:]
    ]
    times = "once" if len(turns) == 1 else f"{len(turns)} times"
    last = f", the last {MAX_LISTED_TURNS} of them" if len(turns) > MAX_LISTED_TURNS else ""
    return f"Before that the result changed {times}{last}: {'; '.join(changes)}."


def _tally(viewing: Viewing, steps: Sequence[JudgedMove]) -> str:
    """How many moves of each player were best."""
    parts = []
    for player in viewing.players:
        own = [step for step in steps if step.seat is player.seat]
        best = sum(step.grade is Grade.BEST for step in own)
        parts.append(f"{inner_name(player)} {best} of {len(own)}")
    return f"Best moves: {', '.join(parts)}."
