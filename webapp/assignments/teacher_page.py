"""What a teacher sees: the form of an assignment, its table, a student."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from urllib.parse import urlsplit

from agents.contest.ladder import difficulties
from agents.puzzles.collection import SHIPPED, shipped_puzzle
from agents.puzzles.models import LEVELS, Theme
from agents.roster import agents_for
from engine.catalog import all_variants, find_entry
from webapp.assignments import rules
from webapp.assignments.models import AssignmentRecord, SeatRecord, TryRecord
from webapp.assignments.rules import ItemProgress, TaskProgress, progress_of, time_text
from webapp.config import is_loopback
from webapp.questions.assignments import Task, TaskKind, game_title
from webapp.questions.models import Problem
from webapp.web.forms import Choice
from webapp.web.messages import Message
from webapp.web.qr import QrCode, qr_code

CSV_HEADER = (
    *("student", "task", "part", "tries", "solved", "at first try", "seconds", "last try", "late"),
    *("answers", "games"),
)


@dataclass(frozen=True)  # no slots: cached properties
class FrontPage:
    """A teacher's assignments and the form of a new one (`assignments/front.html`)."""

    records: Sequence[AssignmentRecord]
    fields: Mapping[str, str]
    lessons: Mapping[str, str]  # titles by name
    message: Message | None = None
    problems: Sequence[Problem] = ()

    def value(self, name: str) -> str:
        return self.fields.get(name, "")

    @property
    def games(self) -> tuple[Choice, ...]:
        return self._choices("game", "any game", _game_labels())

    @property
    def themes(self) -> tuple[Choice, ...]:
        return self._choices("theme", "any theme", {str(theme): str(theme) for theme in Theme})

    @property
    def levels(self) -> tuple[Choice, ...]:
        labels = {str(level): f"level {level}" for level in LEVELS}
        return self._choices("level", "any level", labels)

    def _choices(self, name: str, every: str, labels: Mapping[str, str]) -> tuple[Choice, ...]:
        chosen = self.value(name)
        named = (Choice(value, label, value == chosen) for value, label in labels.items())
        return (Choice("", every, not chosen), *named)

    @property
    def opponents(self) -> tuple[Choice, ...]:
        """Whom students can be told to beat, by game."""
        return tuple(Choice(value, label, False) for value, label in _opponents())

    @property
    def lesson_choices(self) -> tuple[Choice, ...]:
        return tuple(Choice(slug, title, False) for slug, title in self.lessons.items())


def _game_labels() -> dict[str, str]:
    """Of every game with puzzles: all of them, then those of each variant."""
    labels: dict[str, str] = {}
    for key in dict.fromkeys(spec.partition(":")[0] for spec in SHIPPED):
        specs = [spec for spec in SHIPPED if spec.partition(":")[0] == key]
        title = find_entry(key).title
        labels[key] = title if len(specs) == 1 else f"{title}, all of them"
        if len(specs) > 1:
            labels |= {_full_spec(spec): game_title(spec) for spec in specs}
    return labels


def _full_spec(spec: str) -> str:
    """A spec that names an option even where all are the usual ones: of this variant alone."""
    if ":" in spec:
        return spec
    option = find_entry(spec).options[0]
    return f"{spec}:{option.name}={option.write(option.default)}"


def _opponents() -> list[tuple[str, str]]:
    found = []
    for game in all_variants():
        title = game_title(game.spec)
        levels = next((each.levels for each in agents_for(game) if each.levels), ())
        for number, level in enumerate(levels, start=1):
            found.append((f"{game.spec} level {number}", f"{title}: level {number}, {level.title}"))
        if not levels:
            found += [
                (f"{game.spec} {each.name.casefold()}", f"{title}: {each.name.casefold()}")
                for each in difficulties(game.spec)
            ]
    return found


@dataclass(frozen=True)
class Cell:
    """What a student did of a task, in the teacher's table."""

    progress: TaskProgress

    @property
    def mark(self) -> str:
        """`✓` all solved, `…` begun, nothing."""
        if self.progress.is_solved:
            return "✓"
        return "…" if self.progress.tried else ""

    @property
    def words(self) -> str:
        """`4 of 5 solved, 3 at the first try, 2 min`; `not tried`."""
        progress = self.progress
        if not progress.tried:
            return "not tried"
        of = len(progress.names)
        if of == 1:
            if progress.solved:
                tries = progress.begun[0].solving
                assert tries is not None
                how = "at the first try" if progress.at_first else f"at try {tries.number}"
                return f"solved {how}, {progress.time}"
            count = progress.tries
            if progress.begun[0].tries[-1].solved is None:
                return f"game {count} is not over"
            return f"not solved, {count} {'try' if count == 1 else 'tries'}, {progress.time}"
        return (
            f"{progress.solved} of {of} solved, {progress.at_first} at the first try, "
            f"{progress.tried} tried, {progress.time}"
        )


@dataclass(frozen=True)
class StudentRow:
    """A student in the teacher's table."""

    seat: SeatRecord
    progress: tuple[TaskProgress, ...]
    url: str

    @property
    def cells(self) -> tuple[Cell, ...]:
        return tuple(map(Cell, self.progress))

    @property
    def done(self) -> int:
        return sum(each.is_solved for each in self.progress)


@dataclass(frozen=True)
class TablePage:
    """An assignment as its teacher sees it (`assignments/table.html`)."""

    record: AssignmentRecord
    seats: Sequence[SeatRecord]
    tries: Sequence[TryRecord]
    site: str  # scheme and host that students can reach
    message: Message | None = None
    now: float = 0.0

    @property
    def is_late(self) -> bool:
        return self.record.is_late(self.now)

    @cached_property
    def rows(self) -> tuple[StudentRow, ...]:
        by_seat: dict[int, list[TryRecord]] = {}
        for each in self.tries:
            by_seat.setdefault(each.seat, []).append(each)
        return tuple(
            StudentRow(
                seat,
                progress_of(self.record, by_seat.get(seat.number, ())),
                f"{self.record.path}/students/{seat.number}",
            )
            for seat in sorted(self.seats, key=lambda seat: seat.name.casefold())
        )

    @property
    def link(self) -> str:
        return f"{self.site}{self.record.student_path}"

    @property
    def only_here(self) -> bool:
        """Whether no other device can open the link."""
        return is_loopback(urlsplit(self.site).hostname or "")

    @property
    def address(self) -> str:
        """As it is read out: without the scheme."""
        return self.link.partition("://")[2]

    @property
    def qr(self) -> QrCode:
        return qr_code(self.link)

    @property
    def key_link(self) -> str:
        return f"{self.site}{self.record.path}/key/{self.record.key}"

    @property
    def begun(self) -> int:
        return sum(seat.joined is not None for seat in self.seats)

    @property
    def csv_rows(self) -> list[tuple[object, ...]]:
        """One for each student and each puzzle, question or match; one alone for a task of which
        the student tried nothing, since there may be 400 students and 200 puzzles."""
        return [
            _csv_row(row.seat, progress, item)
            for row in self.rows
            for progress in row.progress
            for item in (progress.items if progress.tried else [ItemProgress("")])
        ]


def _csv_row(seat: SeatRecord, progress: TaskProgress, item: ItemProgress) -> tuple[object, ...]:
    if not item.tries:
        return seat.name, progress.task.title, item.name, 0, "no", "no", 0, "", "no", "", ""
    last = item.solving or item.tries[-1]
    yes = {True: "yes", False: "no"}
    at = datetime.fromtimestamp(last.given, UTC).isoformat()
    return (
        seat.name,
        progress.task.title,
        item.name,
        len(item.tries),
        yes[item.solved],
        yes[item.at_first],
        item.seconds,
        at,
        yes[item.late],
        " | ".join(filter(None, (each.answer for each in item.tries))),
        " ".join(each.match_path for each in item.matches),
    )


@dataclass(frozen=True)
class StudentPage:
    """One student as the teacher sees it (`assignments/student.html`)."""

    record: AssignmentRecord
    seat: SeatRecord
    progress: tuple[TaskProgress, ...]
    site: str

    @property
    def link(self) -> str:
        return f"{self.site}{self.record.personal_path(self.seat)}"

    def part(self, task: Task, item: ItemProgress) -> str:
        return part_title(task, item.name)

    def time(self, seconds: int) -> str:
        return time_text(seconds)


def part_title(task: Task, name: str) -> str:
    """What an item is called: its puzzle's task, its question."""
    if task.kind is TaskKind.PUZZLES:
        puzzle = shipped_puzzle(name)
        return name if puzzle is None else f"{game_title(puzzle.game)}: {puzzle.task}"
    if task.kind is TaskKind.LESSON:
        return rules.find_question(task, name).question.prompt
    return task.summary
