"""Pure decisions about an assignment: what an answer is worth, and how far a student has got."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from agents.formats import counted
from agents.puzzles.answers import judge
from agents.puzzles.collection import shipped_puzzle
from agents.puzzles.models import Puzzle
from engine import Seat
from webapp.assignments.models import (
    AssignmentRecord,
    ClosedAssignmentError,
    NotYourAssignmentError,
    SeatRecord,
    TryRecord,
    UnknownAssignmentError,
)
from webapp.learn.models import LessonItem, lesson_items
from webapp.questions.assignments import Task, TaskKind
from webapp.replays.models import StaleError
from webapp.web.errors import InvalidFormError

MAX_TRIES = 50  # of an item
MAX_ALL_TRIES = 1000  # of a student
MAX_TRY_S = 1800  # that count as the time of one try: longer, the page was left open
ANSWER_CHARS = 100


@dataclass(frozen=True, slots=True)
class MatchEnd:
    """How the match of a try ended."""

    winner: int | None  # a seat; None: drawn
    began: int
    ended: int


def item_names(task: Task) -> tuple[str, ...]:
    """What has to be solved one by one."""
    if task.kind is TaskKind.PUZZLES:
        return task.puzzles
    if task.kind is TaskKind.LESSON:
        return tuple(item.name for item in lesson_items(task.lesson))
    return ("",)


def find_puzzle(name: str) -> Puzzle:
    """A puzzle of a task; raises UnknownAssignmentError if it does not ship any more."""
    puzzle = shipped_puzzle(name)
    if puzzle is None:
        raise UnknownAssignmentError("this puzzle is not there any more: tell your teacher")
    return puzzle


def find_question(task: Task, name: str) -> LessonItem:
    """A question of a task's lesson; raises UnknownAssignmentError."""
    for item in lesson_items(task.lesson):
        if item.name == name:
            return item
    raise UnknownAssignmentError("this question is not there any more: tell your teacher")


def judged(task: Task, name: str, text: str) -> tuple[str, bool]:
    """An answer as it is stored, and whether it is right.

    Raises InvalidFormError, InvalidMoveError or IllegalMoveError for what is no answer.
    """
    if task.kind is TaskKind.PUZZLES:
        judgement = judge(find_puzzle(name), text)
        return judgement.move, judgement.right
    if task.kind is TaskKind.LESSON:
        item = find_question(task, name)
        if text not in item.question.answers:
            raise InvalidFormError(text[:40], "that is none of the answers")
        return text[:ANSWER_CHARS], text == item.right
    raise InvalidFormError("", "this task is not done by an answer")


@dataclass(frozen=True)  # no slots: cached properties
class ItemProgress:
    """How far a student has got with a puzzle, a question or a match."""

    name: str
    tries: tuple[TryRecord, ...] = ()
    due: int | None = None
    has_one_try: bool = False

    @cached_property
    def solving(self) -> TryRecord | None:
        """The try that solved it."""
        return next((each for each in self.tries if each.solved), None)

    @property
    def solved(self) -> bool:
        return self.solving is not None

    @property
    def at_first(self) -> bool:
        """Whether the first try solved it."""
        return bool(self.tries) and bool(self.tries[0].solved)

    @property
    def seconds(self) -> int:
        """Of all tries, up to the one that solved it."""
        last = self.solving.number if self.solving else len(self.tries)
        return sum(each.seconds for each in self.tries[:last])

    @property
    def late(self) -> bool:
        """Whether it was solved, or else first tried, after the last day."""
        done = self.solving or (self.tries[0] if self.tries else None)
        return done is not None and self.due is not None and done.given > self.due

    @property
    def is_done(self) -> bool:
        """Whether no more tries are accepted."""
        spent = self.has_one_try and bool(self.tries)
        return self.solved or spent or len(self.tries) >= MAX_TRIES

    @property
    def matches(self) -> tuple[TryRecord, ...]:
        return tuple(each for each in self.tries if each.match_id)


@dataclass(frozen=True)  # no slots: cached properties
class TaskProgress:
    """How far a student has got with a task: made quickly for those who tried little of it, since
    a table has one for each student and each task."""

    task: Task
    number: int
    by_item: Mapping[str, Sequence[TryRecord]] = field(default_factory=dict)
    due: int | None = None

    @cached_property
    def names(self) -> tuple[str, ...]:
        return item_names(self.task)

    @cached_property
    def items(self) -> tuple[ItemProgress, ...]:
        return tuple(map(self._item, self.names))

    @cached_property
    def begun(self) -> tuple[ItemProgress, ...]:
        """The items that were tried."""
        if not self.by_item:
            return ()
        return tuple(self._item(name) for name in self.names if name in self.by_item)

    def _item(self, name: str) -> ItemProgress:
        tries = sorted(self.by_item.get(name, ()), key=lambda one: one.number)
        return ItemProgress(name, tuple(tries), self.due, _has_one_try(self.task, name))

    @property
    def tried(self) -> int:
        return len(self.begun)

    @property
    def solved(self) -> int:
        return sum(item.solved for item in self.begun)

    @property
    def at_first(self) -> int:
        return sum(item.at_first for item in self.begun)

    @property
    def tries(self) -> int:
        return sum(len(item.tries) for item in self.begun)

    @property
    def seconds(self) -> int:
        return sum(item.seconds for item in self.begun)

    @property
    def late(self) -> bool:
        return any(item.late for item in self.begun)

    @property
    def is_solved(self) -> bool:
        return self.solved == len(self.names)

    @property
    def matches(self) -> tuple[TryRecord, ...]:
        return tuple(each for item in self.begun for each in item.matches)

    @property
    def time(self) -> str:
        return time_text(self.seconds) if self.tried else ""

    def item(self, name: str) -> ItemProgress:
        """The item of this name; raises UnknownAssignmentError."""
        if name not in self.names:
            raise UnknownAssignmentError("this task has no such part")
        return self._item(name)


def time_text(seconds: int) -> str:
    """`40 s`, `3 min`."""
    return f"{seconds} s" if seconds < 60 else f"{round(seconds / 60)} min"


def progress_of(record: AssignmentRecord, tries: Iterable[TryRecord]) -> tuple[TaskProgress, ...]:
    """A student's progress with every task."""
    by_task: dict[int, dict[str, list[TryRecord]]] = {}
    for each in tries:
        by_task.setdefault(each.task, {}).setdefault(each.item, []).append(each)
    return tuple(
        TaskProgress(task, number, by_task.get(number, {}), record.due)
        for number, task in enumerate(record.tasks, start=1)
    )


def _has_one_try(task: Task, name: str) -> bool:
    """Whether the truth is shown after any answer: a prediction of a lesson."""
    if task.kind is not TaskKind.LESSON:
        return False
    return any(item.name == name and item.hint is None for item in lesson_items(task.lesson))


def accepted(
    record: AssignmentRecord,
    seat: SeatRecord | None,
    tries: Sequence[TryRecord],
    answer: TryRecord,
) -> TryRecord | None:
    """Whether a try is stored: None if it was already, since its form was sent twice.

    `tries` are the student's earlier ones; `answer` says which number its form takes it for.
    Raises NotYourAssignmentError, ClosedAssignmentError or StaleError.
    """
    if seat is None or answer.seat != seat.number:
        raise NotYourAssignmentError("open the assignment under your name first")
    if record.closed:
        raise ClosedAssignmentError("your teacher has closed this assignment")
    item = progress_of(record, tries)[answer.task - 1].item(answer.item)
    before = {each.number: each for each in item.tries}
    if (same := before.get(answer.number)) is not None and same.answer == answer.answer:
        return None
    if item.is_done and not answer.match_id:
        raise StaleError("this is done already: here is how it stands")
    if len(item.tries) >= MAX_TRIES:
        raise ClosedAssignmentError(f"that were {MAX_TRIES} tries: ask your teacher")
    if len(tries) >= MAX_ALL_TRIES:
        raise ClosedAssignmentError(f"that were {MAX_ALL_TRIES:,} tries in all: ask your teacher")
    if answer.number != len(item.tries) + 1:
        raise StaleError("you have tried something else since: here is how it stands")
    return answer


def settled(task: Task, found: TryRecord, end: MatchEnd) -> TryRecord:
    """A try by match with its result."""
    result = _result(end, task.seat)
    return replace(
        found,
        answer=result,
        solved=result == "won" or (result == "drawn" and task.kind is TaskKind.HOLD),
        seconds=min(max(0, end.ended - end.began), MAX_TRY_S),
        given=end.ended,
    )


def _result(end: MatchEnd, seat: Seat) -> str:
    if end.winner is None:
        return "drawn"
    return "won" if end.winner == int(seat) else "lost"


def summary_of(progress: Sequence[TaskProgress]) -> str:
    """`3 of 5 tasks done`."""
    done = sum(each.is_solved for each in progress)
    return f"{done} of {counted(len(progress), 'task', 'tasks')} done"
