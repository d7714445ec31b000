"""Where did it turn? A match seen ply by ply through the eyes of the strongest agent there is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from agents import Analysis, Candidate
from agents.roster import agent_title, strongest_agent
from agents.wording import decimal
from engine import Seat
from webapp.play.panel import AGAIN
from webapp.play.rows import meaning_of
from webapp.play.seats import name_of
from webapp.play.viewing import Viewing
from webapp.play.views import StoryPoint, StoryView
from webapp.services import services
from webapp.thinking.questions import Question
from webapp.thinking.queueing import Rank
from webapp.web.errors import BusyError

AT_ONCE = 6  # plies in the queue, so that one story never fills it
ALL_SECONDS = 20.0  # shared between the plies
MOST_SECONDS = 1.0
MISTAKE = 0.25  # of value given away, from which one speaks of a turn
AS_GOOD = 0.005


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


def story_for(viewing: Viewing) -> StoryView:
    """The story as far as it is worked out; pending until every ply is."""
    agent = strongest_agent(viewing.record.game)
    title, retry = "How it went", viewing.child("story")
    source = f"By the values of {agent_title(agent, viewing.match.game.spec)}."
    analyses = _analyses(viewing, agent)
    if len(analyses) < viewing.match.ply:
        done = f"{len(analyses)} of {viewing.match.ply} moves looked at."
        return StoryView(title, pending=True, retry=retry, trigger=AGAIN, sentence=done)
    steps = [step for ply, seen in enumerate(analyses) if (step := _step(viewing, ply, seen))]
    turning = max(steps, key=lambda step: step.given_away, default=None)
    if turning is not None and turning.given_away < MISTAKE:
        turning = None
    return StoryView(
        title,
        pending=False,
        retry=retry,
        trigger=AGAIN,
        points=_points(viewing, analyses, turning),
        sentence=_sentence(viewing, turning),
        tally=_tally(viewing, steps),
        source=source,
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
            answer = services().ask(question, Rank.STORY, seconds).wait(0)
        except BusyError:
            break
        if answer is None:
            waiting += 1
        elif not waiting:
            answers.append(answer.analysis)
        if waiting == AT_ONCE:
            break
    return answers


def _step(viewing: Viewing, ply: int, analysis: Analysis[Any] | None) -> Judged | None:
    if analysis is None:
        return None
    try:
        played = analysis.candidate(viewing.match.moves[ply])
    except KeyError:  # a technique that speaks of its best moves only
        return None
    return Judged(ply, viewing.match.states[ply].to_move, played, analysis.candidates[0])


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
            f"{f'after {viewing.match.moves[ply - 1]}' if ply else 'start'}: {decimal(value)}",
            viewing.url(ply),
            turning=ply == after,
        )
        for ply, value in enumerate(values)
    )


def _sentence(viewing: Viewing, turning: Judged | None) -> str:
    if turning is None:
        return "There was no one move at which it turned."
    player = viewing.players[turning.seat]
    better = {
        "win": "would have won",
        "draw": "would have held the draw",
        "loss": "would have held out longer",
        "open": "was better",
    }[meaning_of(turning.best)]
    number = turning.ply + 1
    return (
        f"It turned at ply {number}: {name_of(player)} played {turning.played.move}, "
        f"where {turning.best.move} {better}."
    )


def _tally(viewing: Viewing, steps: Sequence[Judged]) -> str:
    """How many moves of each player gave nothing away."""
    parts = []
    for player in viewing.players:
        own = [step for step in steps if step.seat is player.seat]
        good = sum(step.given_away < AS_GOOD for step in own)
        parts.append(f"{name_of(player)} {good} of {len(own)}")
    return f"Best moves: {', '.join(parts)}."
