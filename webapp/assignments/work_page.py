"""What a student sees: the list of tasks, and a task."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from webapp.assignments import rules
from webapp.assignments.exercise import EXERCISES, Exercise
from webapp.assignments.forms import TaskQuery
from webapp.assignments.models import AssignmentRecord, SeatRecord
from webapp.assignments.rules import ItemProgress, TaskProgress
from webapp.boards.grid import BoardContext
from webapp.questions.assignments import Task
from webapp.web.messages import Message
from webapp.web.qr import QrCode, qr_code


@dataclass(frozen=True)
class WorkPage:
    """An assignment as a student sees it (`assignments/work.html`)."""

    record: AssignmentRecord
    seat: SeatRecord
    progress: tuple[TaskProgress, ...]
    site: str
    now: float

    @property
    def url(self) -> str:
        return self.record.student_path

    @property
    def summary(self) -> str:
        return rules.summary_of(self.progress)

    @property
    def is_late(self) -> bool:
        return self.record.is_late(self.now)

    @property
    def link(self) -> str:
        return f"{self.site}{self.record.personal_path(self.seat)}"

    @property
    def qr(self) -> QrCode:
        return qr_code(self.link)


@dataclass(frozen=True)  # no slots: cached properties
class TaskPage:
    """A task as a student does it (`assignments/task.html`)."""

    record: AssignmentRecord
    seat: SeatRecord
    progress: TaskProgress
    query: TaskQuery
    opened: str  # signed time of this page
    run_line: str = ""  # of a bot
    message: Message | None = None

    @property
    def task(self) -> Task:
        return self.progress.task

    @property
    def url(self) -> str:
        return f"{self.record.student_path}/{self.progress.number}"

    @cached_property
    def part(self) -> int:
        """The item that is shown, from 1: the one asked for, else the first that is not done."""
        items = self.progress.items
        if self.query.part:
            return min(self.query.part, len(items))
        undone = (at for at, item in enumerate(items, start=1) if not item.is_done)
        return next(undone, 1)

    @cached_property
    def item(self) -> ItemProgress:
        return self.progress.items[self.part - 1]

    @property
    def parts(self) -> tuple[tuple[int, str, str], ...]:
        """Number, address and state of each item, where there are several."""
        items = self.progress.items
        if len(items) < 2:
            return ()
        return tuple(
            (at, TaskQuery(part=at).url(self.url), item_state(item))
            for at, item in enumerate(items, start=1)
        )

    @property
    def next_url(self) -> str:
        """The next item that is not done, else the list of tasks."""
        items = list(enumerate(self.progress.items, start=1))
        ahead = [at for at, item in (*items[self.part :], *items[: self.part]) if not item.is_done]
        return TaskQuery(part=ahead[0]).url(self.url) if ahead else self.record.student_path

    @property
    def has_next(self) -> bool:
        return self.next_url != self.record.student_path

    @property
    def kept(self) -> tuple[tuple[str, str], ...]:
        """Hidden fields of the forms of an answer."""
        number = str(len(self.item.tries) + 1)
        return ("part", str(self.part)), ("number", number), ("opened", self.opened)

    @property
    def may_answer(self) -> bool:
        return not (self.item.is_done or self.record.closed)

    @cached_property
    def exercise(self) -> Exercise:
        made = EXERCISES[self.task.kind]
        return made(self.task, self.item, self.may_answer, self.query.pick)

    @property
    def context(self) -> BoardContext:
        """What the board's template reads as `match`."""
        looking = TaskQuery(part=self.part, opened=self.opened).url(self.url)
        return BoardContext(self.exercise.game, looking, f"{self.url}/answer")

    @property
    def status(self) -> str:
        """What the last try came to, or what to do."""
        exercise, solving = self.exercise, self.item.solving
        pressed = exercise.board.prompt if exercise.board is not None and self.query.pick else None
        if found := exercise.refusal or pressed:
            return found
        if solving is not None:
            late = " It came after the last day." if self.item.late else ""
            return f"{exercise.solved_text}: {solving.answer}.{late}"
        if self.item.tries:
            return exercise.wrong_text
        return (
            "Your teacher has closed this assignment." if self.record.closed else exercise.open_text
        )


def item_state(item: ItemProgress) -> str:
    """For the list of items."""
    if item.solved:
        return "solved"
    if item.is_done:
        return "wrong"
    return "tried" if item.tries else "open"
