"""What a move was worth beside the best there was: best, good, a slip or a blunder; and at which
of them a match turned."""

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
from webapp.replays.links import moves_about, pages_of
from webapp.replays.panel import AGAIN
from webapp.replays.ply_view import Viewing
from webapp.replays.query import with_query
from webapp.replays.rows import meaning_of
from webapp.replays.seats import name_of, says
from webapp.replays.views import StoryMove, StoryPoint, StoryPress, StoryView
from webapp.services import service
from webapp.workers.client import WorkerClient
from webapp.workers.queue import BusyError, Rank
from webapp.workers.requests import Question

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


AT_ONCE = 6  # plies in the queue, so that one story never fills it
ALL_SECONDS = 20.0  # shared between the plies
MOST_SECONDS = 1.0
MOST_PRESSES = 32  # on the curve, so that each can be met
MOST_CHANGES = 10  # of the result that are told beside the page: the last ones
WOULD = {
    "win": "would have won",
    "draw": "would have held the draw",
    "loss": "would have held out longer",
    "open": "was better",
}


def story_for(viewing: Viewing) -> StoryView:
    """The story as far as it is worked out; pending until every ply is."""
    agent = strongest_agent(viewing.record.game)
    look = replace(viewing.look, story=False, hint=False, pick=None)
    story = StoryView(
        title="How it went",
        pending=True,
        retry=with_query(viewing.child("story"), look),
        trigger=AGAIN,
        source=f"By the values of {agent_title(agent, viewing.match.game.spec)}.",
    )
    analyses = _analyses(viewing, agent)
    if len(analyses) < viewing.match.ply:
        return replace(story, sentence=f"{len(analyses)} of {viewing.match.ply} moves looked at.")
    steps = judged(viewing.match, analyses)
    turns = turning_points(steps)
    decided = turns[-1] if turns else None
    points = _points(viewing, analyses, decided)
    told = {*moves_about(viewing), *(turn.ply + 1 for turn in turns[-MOST_CHANGES:])}
    return replace(
        story,
        pending=False,
        points=points,
        presses=_presses(points),
        moves=tuple(
            _move(viewing, step, step is decided, points) for step in steps if step.ply + 1 in told
        ),
        pages=pages_of(viewing),
        begun=decimal(points[0].value) if points else "",
        sentence=_sentence(viewing, decided),
        before=_before(viewing, turns[:-1]),
        tally=_tally(viewing, steps),
        ends=(says(viewing.players[0], "win"), says(viewing.players[1], "win")),
        try_again=None if decided is None else decided.ply,
        play_on=viewing.child("play-on"),
    )


def _analyses(viewing: Viewing, agent: str) -> list[Analysis[Any] | None]:
    """What the agent said of each ply, up to the first it has not looked at; None: it failed."""
    seconds = min(MOST_SECONDS, ALL_SECONDS / max(1, viewing.match.ply))
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
        if waiting == AT_ONCE:
            break
    return answers


def _points(
    viewing: Viewing, analyses: Sequence[Analysis[Any] | None], turning: Judged | None
) -> tuple[StoryPoint, ...]:
    """The worth of every position for the first seat; where one is not known, as before it."""
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


def _presses(points: tuple[StoryPoint, ...]) -> tuple[StoryPress, ...]:
    """Every point; of many, in each strip of the curve the one that tells most."""
    wide = max(1.0, len(points) / MOST_PRESSES)
    strips: dict[int, list[StoryPoint]] = {}
    for point in points:
        strips.setdefault(int(point.ply / wide), []).append(point)

    def tells(point: StoryPoint) -> tuple[bool, bool, float]:
        before = points[max(0, point.ply - 1)].value
        return point.turning, point.shown, abs(point.value - before)

    return tuple(
        StoryPress(
            at=round(strip * wide - 0.5, 2),
            width=round(wide, 2),
            label=point.label,
            url=point.url,
            dot=f"M{point.ply} {point.value}h0",
            turning=point.turning,
        )
        for strip, held in strips.items()
        for point in [max(held, key=tells)]
    )


def _move(viewing: Viewing, step: Judged, decided: bool, points: Sequence[StoryPoint]) -> StoryMove:
    """A move with its grade, and the better one where there was one."""
    grade = step.grade
    better = "" if grade is Grade.BEST else f"{step.best.move} {WOULD[meaning_of(step.best)]}"
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


def _sentence(viewing: Viewing, turning: Judged | None) -> str:
    if turning is None:
        return "There was no one move at which it turned."
    player = viewing.players[turning.seat]
    return (
        f"It turned at move {turning.ply + 1}: {name_of(player)} played {turning.played.move}, "
        f"where {turning.best.move} {WOULD[meaning_of(turning.best)]}."
    )


def _before(viewing: Viewing, turns: Sequence[Judged]) -> str:
    """The results that were given away before, and then given back."""
    if not turns:
        return ""
    told = [
        f"{name_of(viewing.players[turn.seat])} at move {turn.ply + 1} "
        f"({turn.played.move}, where {turn.best.move} {WOULD[meaning_of(turn.best)]})"
        for turn in turns[-MOST_CHANGES:]
    ]
    times = "once" if len(turns) == 1 else f"{len(turns)} times"
    last = f", the last {MOST_CHANGES} of them" if len(turns) > MOST_CHANGES else ""
    return f"Before that the result changed {times}{last}: {'; '.join(told)}."


def _tally(viewing: Viewing, steps: Sequence[Judged]) -> str:
    """How many moves of each player gave nothing away."""
    parts = []
    for player in viewing.players:
        own = [step for step in steps if step.seat is player.seat]
        best = sum(step.grade is Grade.BEST for step in own)
        parts.append(f"{name_of(player)} {best} of {len(own)}")
    return f"Best moves: {', '.join(parts)}."
