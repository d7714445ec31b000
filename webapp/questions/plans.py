"""A prepared lesson: what a class does, step by step, and how long each step takes."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engine import Seat
from webapp.questions.models import PosedQuestion


class StepKind(StrEnum):
    """What a step does; in the text, the field that makes it one."""

    ASK = "ask"  # a round: the class votes
    SHOW = "show"  # a page of ours on the screen
    TRAIN = "train"  # a machine learns while everyone looks
    PLAY = "play"  # the class plays a machine, by vote
    CUP = "cup"  # every student enters a machine


@dataclass(frozen=True, slots=True)
class PreparedStep:
    """One step. What its kind does not need is empty."""

    title: str
    minutes: int
    kind: StepKind
    line: int  # of its heading
    say: str = ""  # to the class; like the notes, for the teacher's eyes alone
    notes: str = ""
    link: str = ""  # an address of ours: `/machines/menace`
    posed: PosedQuestion | None = None
    truth_line: int = 0  # where what is wrong with its truth can be put right
    seconds: int | None = None  # of a vote with a countdown
    game: str = ""  # spec; of all but what is only shown
    start: str | None = None  # of a match that the class plays
    moves: tuple[str, ...] = ()
    machine: str = ""  # who is trained, or played
    games: int | None = None  # of a training, or of each pair in a cup
    seat: Seat = Seat.FIRST  # the class's, where it plays


@dataclass(frozen=True, slots=True)
class PreparedLesson:
    """A lesson as its text says."""

    title: str
    about: str
    steps: tuple[PreparedStep, ...]

    @property
    def minutes(self) -> int:
        return sum(step.minutes for step in self.steps)

    @property
    def rounds(self) -> tuple[PreparedStep, ...]:
        """The steps in which the class votes on a question."""
        return tuple(step for step in self.steps if step.posed is not None)
