"""The analysis of the opening by a learner at any point, and retraining to such a point."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from agents.core import Measure
from agents.formats import NO_FIGURE, counted, decimal, portion
from agents.roster import find_agent
from agents.training.brains import Point
from engine import Game, Seat, load_game
from webapp.analysis.panel import Panel
from webapp.boards import Picture, picture_for, place_of
from webapp.jobs.kinds.training import TrainingPlan, training_job
from webapp.jobs.models import JobRecord, UnknownJobError
from webapp.jobs.status import unit_of
from webapp.workers.analyses import AnalysisRequest
from webapp.workers.knowledge import Weakness
from webapp.workers.requests import Answer, MoveAnswer

MAX_OPENING_ROWS = 9
MAX_SEARCHED_STATES = 8_000


@dataclass(frozen=True, slots=True)
class OpeningRow:
    """One move with its value to the learner."""

    move: str
    figure: str
    percent: float  # of the bar
    best: bool
    at: tuple[int, int] | None  # cell in the picture, if moves are cells


@dataclass(frozen=True)  # no slots: cached properties
class Opening(Panel):
    """The analysis panel of the start of the game (`lab/_opening.html`), with its own figures."""

    weakness: Weakness | None = None  # None: not computed
    survived: str = ""  # the opponent of the curve, if it never lost to it

    @classmethod
    def of(
        cls,
        game: str,
        agent: str,
        answer: MoveAnswer | None,
        weakness: Answer[Weakness] | None = None,
        survived: str = "",
    ) -> Opening:
        """The panel of an answer and, in a small game, of who can beat it; pending without."""
        rules = load_game(game)
        pending = answer is None or (weakness is None and can_be_searched(rules))
        return cls(
            agent,
            rules,
            state=rules.start,
            pending=pending,
            analysis=None if answer is None else answer.analysis,
            weakness=None if weakness is None else weakness.result,
            survived=survived,
        )

    @property
    def verdict(self) -> str:
        """Who can beat it; empty where that is not computed."""
        return "" if self.weakness is None else weakness_text(self.weakness, self.survived)

    @cached_property
    def picture(self) -> Picture:
        return picture_for(self.game, self.state)

    @property
    def reason(self) -> str:
        if self.analysis is not None:
            return self.analysis.reason
        return "It is being asked …" if self.pending else "It could not be asked this time."

    @property
    def _preferred(self) -> bool:
        """The figures are a network's policy."""
        return self.analysis is not None and self.analysis.measure is Measure.POLICY

    @property
    def _valued(self) -> bool:
        return any(candidate.value is not None for candidate in self.values.values())

    @property
    def heading(self) -> str:
        """What the figures are."""
        if self._preferred:
            return "its policy: how much it likes each move"
        return "what each move is worth to it" if self._valued else "how often it plays each move"

    @cached_property
    def figures(self) -> tuple[OpeningRow, ...]:
        """A row for each move: its value, or its chance if no move has a value."""
        best, valued = next(iter(self.values), None), self._valued
        rows = []
        for move, candidate in self.values.items():
            share = (candidate.share or 0.0) if self._preferred else candidate.chance
            figure = portion(share)
            if valued:
                value = candidate.value
                figure = NO_FIGURE if value is None else decimal(value)
                share = 0.0 if value is None else (value + 1) / 2
            at = place_of(self.game, move)
            rows.append(OpeningRow(move, figure, round(100 * share, 1), move == best, at))
        return tuple(rows)

    @property
    def on_board(self) -> bool:
        """The figures stand on the picture."""
        return all(row.at is not None for row in self.figures)

    @property
    def shown(self) -> tuple[OpeningRow, ...]:
        return self.figures if self.on_board else self.figures[:MAX_OPENING_ROWS]


def can_be_searched(game: Game[Any, Any]) -> bool:
    """Whether every reply to an agent is looked at within a request."""
    return game.states is not None and game.states <= MAX_SEARCHED_STATES and not game.repetition


SEAT_WORDS = {Seat.FIRST.mark: "first", Seat.SECOND.mark: "second"}  # Nim has no marks


def weakness_text(weakness: Weakness, survived: str = "") -> str:
    """`Unbeatable: …`, or in which seat it can be beaten, though not by the one it survived."""
    beaten, lost = weakness.beaten, weakness.lost
    if not beaten:
        return "Unbeatable: whatever anyone plays, nobody wins against it."
    if lost and beaten == (lost,):
        lost, won = sorted(SEAT_WORDS, key=lost.__ne__)
        return (
            f"Unbeatable when it moves {SEAT_WORDS[won]}, the side that can win; moving "
            f"{SEAT_WORDS[lost]}, even perfect play loses."
        )
    either = f"whether it moves {' or '.join(SEAT_WORDS.values())}"
    when = either if len(beaten) > 1 else f"when it moves {SEAT_WORDS[beaten[0]]}"
    yet = f" Its curve is measured against {survived}, which never plays them."
    return f"The right moves beat it, {when}.{yet if survived else ''}"


def opening_request(game: str, spec: str) -> AnalysisRequest:
    """What to ask a worker: the agent's analysis of the start of the game."""
    return AnalysisRequest(game, None, (), spec, "opening")


def find_point(points: Sequence[Point], step: int) -> Point:
    """The last point up to a step that has a brain; raises UnknownJobError."""
    found = [point for point in points if point.digest is not None and point.step <= step]
    if not found:
        raise UnknownJobError(f"there is no point of its curve up to {step:,}")
    return max(found, key=lambda point: point.step)


def kept_before(points: Sequence[Point], kept: Collection[str], step: int) -> Point | None:
    """The last point before a step whose brain is stored."""
    found = [point for point in points if point.digest in kept and point.step < step]
    return max(found, key=lambda point: point.step, default=None)


def retraining_job(record: JobRecord, point: Point, begun_at: int, owner: str) -> JobRecord:
    """The job that ends with the brain of this point; raises UnknownJobError."""
    plan = TrainingPlan.of(record)
    if plan.begun_at and not begun_at:
        raise UnknownJobError("the brain that this training went on from is not kept any more")
    learner = find_agent(plan.runs[0].agent.partition(":")[0]).title
    unit = unit_of(record)
    after = counted(point.step, unit.removesuffix("s"), unit)
    shorter = replace(plan, length=point.step, begun_at=begun_at)
    return training_job(owner, f"{learner} as it was after {after}", shorter)
