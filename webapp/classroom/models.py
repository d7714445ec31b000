"""Records of a class: its rounds, seats and answers, as they are stored."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from engine.catalog import find_entry, variant_title
from webapp.errors import RequestError
from webapp.questions.models import Judgement, Question, Truth
from webapp.web.presence import Attendance

DAY_S = 24 * 3600
MAX_VOTES = 2  # before and after talking
PRESENT_S = 15  # a student whose phone polled within this time is present


class Phase(StrEnum):
    """The phase of a round; results are public in the last one only."""

    OPEN = "open"
    CLOSED = "closed"
    TALK = "talk"
    REVEALED = "revealed"


class Scene(StrEnum):
    """What the projector shows."""

    ROUND = "round"
    MATCH = "match"  # the class's match while the machine is to move
    STORY = "story"  # the summary of the finished match
    CUP = "cup"
    SIMULTANEOUS = "at once"  # a game of each student


def game_title(spec: str) -> str:
    """Title of a game with its variant."""
    return f"{find_entry(spec.partition(':')[0]).title} · {variant_title(spec)}"


@dataclass(frozen=True, slots=True)
class RoundRecord:
    """One question with its phase, vote and truth."""

    number: int
    question: Question
    phase: Phase = Phase.OPEN
    vote: int = 1
    seconds: int | None = None  # countdown of each vote
    deadline: float | None = None
    truth: Truth | None = None  # None: not computed yet
    match_ply: int | None = None  # ply in the class's match that this round votes on
    match_id: str | None = None  # that match
    named: bool = False  # the teacher sees who said what: phones said so before it was answered
    created: int = 0

    @property
    def is_open(self) -> bool:
        return self.phase is Phase.OPEN

    @property
    def judgements(self) -> tuple[Judgement, ...]:
        return () if self.truth is None else self.truth.answers

    @property
    def best(self) -> tuple[str, ...]:
        """The answers judged best."""
        return () if self.truth is None else self.truth.right

    def judgement_on(self, answer: str) -> Judgement | None:
        return None if self.truth is None else self.truth.answer(answer)


@dataclass(frozen=True, slots=True)
class ClassRecord:
    """One class; every change visible on a phone raises `version`."""

    id: str
    owner: str
    key: str
    code: str | None  # None: it is over
    label: str = ""  # the code, also once it is over
    second: str | None = None
    version: int = 1
    round: int = 0
    scene: Scene = Scene.ROUND
    locked: bool = False  # nobody new may join
    names: bool = False  # rounds that begin now are answered by name
    address: str | None = None
    match_id: str | None = None
    pace: int | None = None  # seconds per vote in the match, if counted down
    cup: str | None = None
    plan: str | None = None  # its text
    step: int = 0  # of the plan
    plan_begun: int | None = None  # when its first step was begun
    shown: str | None = None  # JSON of `stage.Stage`: what the screen shows instead of the votes
    created: int = 0
    ends: int = 0

    @property
    def is_over(self) -> bool:
        return self.code is None

    def is_taught_by(self, player: str | None) -> bool:
        return player is not None and player in (self.owner, self.second)

    @property
    def path(self) -> str:
        return f"/class/{self.id}"

    @property
    def seat(self) -> str:
        """The class's player text in the seats of a match."""
        return f"class:{self.id}"


@dataclass(frozen=True, slots=True)
class ClassSession:
    """A class with its current round, read in one transaction."""

    record: ClassRecord
    round: RoundRecord | None = None

    @property
    def phase(self) -> str:
        """Phase of the class as pages name it."""
        if self.record.is_over:
            return "over"
        if self.record.scene is not Scene.ROUND:
            return str(self.record.scene)
        return "waiting" if self.round is None else str(self.round.phase)

    @property
    def plays_match(self) -> bool:
        """Whether the class's match is shown, or voted on."""
        shown = self.record.scene in (Scene.MATCH, Scene.STORY)
        voted = self.round is not None and self.round.match_ply is not None
        return self.record.match_id is not None and (shown or voted)

    def with_record(self, **values: Any) -> ClassSession:
        """The session with these fields of its class changed."""
        return replace(self, record=replace(self.record, **values))

    def with_round(self, **values: Any) -> ClassSession:
        """The session with these fields of its current round changed."""
        assert self.round is not None, "no question has been asked"
        return replace(self, round=replace(self.round, **values))


@dataclass(frozen=True, slots=True)
class SeatRecord:
    """One student in a class."""

    number: int
    player: str
    name: str
    joined: int
    seen: int
    removed: bool = False
    machine: str | None = None
    alias: str = ""  # the name made up for the student, whatever they are called now

    def is_here(self, now: float) -> bool:
        return not self.removed and now - self.seen <= PRESENT_S

    def shown_name(self, *, named: bool) -> str:
        """The student's name where names were promised, else the one that was made up."""
        return self.name if named else self.alias or self.name


@dataclass(frozen=True, slots=True)
class AnswerRecord:
    """A student's answer in one vote."""

    round: int
    vote: int
    seat: int
    answer: str
    hidden: bool = False
    given: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Turnout:
    """Number of students who answered, and who could."""

    answered: int
    here: int  # present students, and those who answered and left

    @property
    def text(self) -> str:
        return f"{self.answered} of {self.here}"

    @property
    def share(self) -> float:
        return self.answered / max(1, self.here)


class UnknownClassError(RequestError):
    """No class has this id or code, or it has expired."""

    status = 404


class NoFreeCodeError(RequestError):
    """All codes that were tried are taken."""

    status = 503
    retry_after = 60


class NotYourClassError(RequestError):
    """Only the teacher, or only a student of the class, may do this."""

    status = 403


class ClosedVoteError(RequestError):
    """An answer or a step in a phase that does not allow it."""

    status = 409


class ClassAttendance(Attendance[tuple[str, int]]):
    """Who has looked lately at a class, by class id and seat number."""
