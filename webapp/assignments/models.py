"""Records of an assignment: its students and what they have tried, as they are stored."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from webapp.errors import RequestError
from webapp.questions.assignments import Task
from webapp.replays.query import match_path

DAY_S = 24 * 3600
KEPT_DAYS = 180  # after its last day, or after it was made


@dataclass(frozen=True, slots=True)
class AssignmentRecord:
    """An assignment; times in seconds since 1970."""

    id: str
    owner: str  # a player
    key: str  # of the link that gives control
    code: str
    title: str
    tasks: tuple[Task, ...]
    about: str = ""
    listed: bool = False  # students have the names of a list
    due: int | None = None
    second: str | None = None  # the teacher on another device
    closed: bool = False  # nothing more is accepted
    created: int = 0
    ends: int = 0  # when it is deleted

    @property
    def path(self) -> str:
        return f"/assignments/{self.id}"

    @property
    def student_path(self) -> str:
        return f"/a/{self.code}"

    def personal_path(self, seat: SeatRecord) -> str:
        """Of the link by which a student goes on in another browser."""
        return f"{self.student_path}/as/{seat.key}"

    def is_taught_by(self, player: str | None) -> bool:
        return player is not None and player in (self.owner, self.second)

    def is_late(self, at: float) -> bool:
        return self.due is not None and at > self.due

    @property
    def due_text(self) -> str:
        """`due by 30 November 2026, 24:00 UTC`; empty without a date."""
        if self.due is None:
            return ""
        at = datetime.fromtimestamp(self.due - 1, UTC)
        is_whole_day = self.due % DAY_S == 0
        hour = "24:00" if is_whole_day else f"{datetime.fromtimestamp(self.due, UTC):%H:%M}"
        return f"due by {at:%-d %B %Y}, {hour} UTC"

    @property
    def ends_text(self) -> str:
        return f"{datetime.fromtimestamp(self.ends, UTC):%-d %B %Y}"

    def task(self, number: int) -> Task:
        """The task of this number, from 1; raises UnknownAssignmentError."""
        if not 1 <= number <= len(self.tasks):
            raise UnknownAssignmentError("this assignment has no such task")
        return self.tasks[number - 1]


@dataclass(frozen=True, slots=True)
class SeatRecord:
    """A student of an assignment."""

    number: int
    name: str
    key: str  # of the personal link
    joined: int | None = None  # None: nobody has taken the name yet


@dataclass(frozen=True, slots=True)
class TryRecord:
    """What a student has tried."""

    seat: int
    task: int  # from 1
    item: str  # a puzzle's id, a question's name; empty where a task is one thing
    number: int  # from 1
    answer: str
    solved: bool | None  # None: the match is still played
    seconds: int  # it took
    given: int
    match_id: str | None = None

    @property
    def match_path(self) -> str:
        return "" if self.match_id is None else match_path(self.match_id)


class UnknownAssignmentError(RequestError):
    """No assignment has this id or code, or it has no such task."""

    status = 404


class NotYourAssignmentError(RequestError):
    """Only the teacher, or only a student of the assignment, may do this."""

    status = 403


class TakenNameError(RequestError):
    """A name that another student works under."""

    status = 409


class ClosedAssignmentError(RequestError):
    """Nothing more is accepted here."""

    status = 409


class ManyAssignmentsError(RequestError):
    """One more than there may be."""

    status = 409
