"""The plan of a class: its steps, and how long each takes."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engine import Seat
from webapp.questions.models import PosedQuestion


class StepKind(StrEnum):
    """What a step does; in the text, the field of that name."""

    ASK = "ask"  # a round: the class votes
    SHOW = "show"  # a page on the screen
    TRAIN = "train"  # a machine learns while the class watches
    PLAY = "play"  # the class plays a machine, by vote
    CUP = "cup"  # every student enters a machine


@dataclass(frozen=True, slots=True)
class PlanStep:
    """A step; fields that its kind does not need are empty."""

    title: str
    minutes: int
    kind: StepKind
    line: int  # of its heading
    say: str = ""  # to the class; like the notes, only the teacher sees it
    notes: str = ""
    link: str = ""  # a path on this site: `/machines/menace`
    posed: PosedQuestion | None = None
    truth_line: int = 0  # where to report errors of its truth
    seconds: int | None = None  # of a countdown
    game: str = ""  # spec; empty for SHOW
    start: str | None = None  # of a match that the class plays
    moves: tuple[str, ...] = ()
    machine: str = ""  # trained or played
    games: int | None = None  # of a training, or of each pair in a cup
    seat: Seat = Seat.FIRST  # of the class


@dataclass(frozen=True, slots=True)
class ClassPlan:
    """A plan."""

    title: str
    about: str
    steps: tuple[PlanStep, ...]

    @property
    def minutes(self) -> int:
        return sum(step.minutes for step in self.steps)

    @property
    def rounds(self) -> tuple[PlanStep, ...]:
        """The steps in which the class votes on a question."""
        return tuple(step for step in self.steps if step.posed is not None)
