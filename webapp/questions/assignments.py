"""An assignment: its tasks for students, read from a text, and its overview.

    # Nim and tic-tac-toe
    due: 2026-11-30
    names: Ada, Ben, Cleo

    ## Warm-up
    puzzles: 5
    game: tictactoe
    level: 2

    ## Win this
    position: nim:heaps=1-3-5-7  1-3-5-7 x
    win: perfect

The grammar is that of a plan of a class (`webapp.questions.grammar`).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from random import Random

from agents.contest.ladder import LEVEL_OPTION, difficulties
from agents.puzzles.collection import matching, shipped_puzzle, shipped_puzzles
from agents.puzzles.models import LEVELS, Theme
from agents.roster import agent_title, agents_for, player_spec
from engine import Seat, load_game
from engine.catalog import find_entry, variant_title
from engine.errors import ZermeloError, quoted, unknown_text
from webapp.questions.grammar import Section, SectionReader, read_match
from webapp.questions.models import InvalidLessonError, InvalidQuestionError, Problem, Question
from webapp.questions.parser import match_fields
from webapp.questions.truths import truth_of

MAX_TEXT_BYTES = 64 * 1024
MAX_TASKS = 30
MAX_PUZZLES = 60  # of a task
MAX_ALL_PUZZLES = 200  # a teacher's table has so many for each of 400 students
MAX_NAMES = 400
MAX_NAME_CHARS = 40
MAX_TITLE_CHARS = 80
MAX_SAY_CHARS = 500
DUE_YEARS = range(2000, 2200)
MIN_RATING, MAX_RATING = 1, 4000
CODE = re.compile(r"[A-Za-z]{4,12}")
TASK_EXAMPLE = "## Warm-up"


class TaskKind(StrEnum):
    """What a student has to do; in the text, the field of that name."""

    PUZZLES = "puzzles"
    WIN = "win"  # a position, against a machine
    HOLD = "hold"  # the same, without losing
    BEAT = "beat"  # a machine of the ladder, from the start of the game
    LESSON = "lesson"  # read it, and answer its questions
    BOT = "bot"  # that reaches a rating in a league


MATCHES = (TaskKind.WIN, TaskKind.HOLD, TaskKind.BEAT)


@dataclass(frozen=True, slots=True)
class Task:
    """A task; fields that its kind does not need are empty."""

    kind: TaskKind
    title: str
    line: int = 0  # of its heading
    say: str = ""  # to the students
    puzzles: tuple[str, ...] = ()  # ids
    game: str = ""  # spec
    start: str | None = None
    moves: tuple[str, ...] = ()
    machine: str = ""
    seat: Seat = Seat.FIRST  # of the student
    lesson: str = ""  # its name in the address
    league: str = ""  # its code
    league_id: str = ""  # known once it was looked up
    rating: int = 0  # that the bot has to reach

    @property
    def is_match(self) -> bool:
        return self.kind in MATCHES

    @property
    def position(self) -> Question:
        """Where a match of it begins."""
        return Question(self.game, "", start=self.start, moves=self.moves)

    @property
    def summary(self) -> str:
        """What is to be done, in a line."""
        match self.kind:
            case TaskKind.PUZZLES:
                number = len(self.puzzles)
                return "Solve 1 puzzle." if number == 1 else f"Solve {number} puzzles."
            case TaskKind.WIN:
                return f"Win this position against {self._machine}."
            case TaskKind.HOLD:
                return f"Do not lose this position against {self._machine}."
            case TaskKind.BEAT:
                return f"Beat {self._machine} at {game_title(self.game)}."
            case TaskKind.LESSON:
                return "Read a lesson and answer its questions."
            case TaskKind.BOT:
                return f"Write a bot that reaches a rating of {self.rating} in its league."

    @property
    def _machine(self) -> str:
        return agent_title(self.machine, self.game)


@dataclass(frozen=True, slots=True)
class AssignmentText:
    """An assignment as it is written."""

    title: str
    tasks: tuple[Task, ...]
    about: str = ""
    due: int | None = None  # seconds since 1970
    names: tuple[str, ...] = ()  # of the students; none: they get made-up ones


def game_title(spec: str) -> str:
    return f"{find_entry(spec.partition(':')[0]).title} · {variant_title(spec)}"


HEAD = ("due", "names", "about")
COMMON = ("say",)
# By kind, beside the field of its name.
FIELDS: Mapping[TaskKind, tuple[str, ...]] = {
    TaskKind.PUZZLES: ("game", "theme", "level"),
    TaskKind.WIN: ("position", "moves"),
    TaskKind.HOLD: ("position", "moves"),
    TaskKind.BEAT: ("seat",),
    TaskKind.LESSON: (),
    TaskKind.BOT: ("rating",),
}
ALL_NAMES = tuple(
    map(str, dict.fromkeys((*TaskKind, *(n for each in FIELDS.values() for n in each), *COMMON)))
)


def assignment_from_bytes(data: bytes, lessons: Collection[str]) -> AssignmentText:
    """Read an assignment from the bytes of a file; raises InvalidLessonError."""
    if len(data) > MAX_TEXT_BYTES:
        why = f"an assignment has at most {MAX_TEXT_BYTES // 1024} kB"
        raise InvalidLessonError("", [Problem(1, why)])
    try:
        return read_assignment(data.decode("utf-8-sig"), lessons)
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise InvalidLessonError("", [Problem(line, "this is no text in UTF-8")]) from error


def read_assignment(text: str, lessons: Collection[str]) -> AssignmentText:
    """Read an assignment from its text; raises InvalidLessonError with all errors."""
    if len(text) > MAX_TEXT_BYTES:
        why = f"an assignment has at most {MAX_TEXT_BYTES:,} characters, this one has {len(text):,}"
        raise InvalidLessonError(text[:MAX_TEXT_BYTES], [Problem(1, why)])
    reader = SectionReader(
        (*HEAD, *ALL_NAMES), head=HEAD, field_chars=MAX_TEXT_BYTES, what="an assignment"
    )
    reader.take(text)
    head = next((each for each in reader.sections if each.heading is None), None) or Section(1)
    sections = [section for section in reader.sections if section.heading is not None]
    head.check_fields("due", HEAD)
    tasks = [_read_task(section, reader.title, lessons) for section in sections[:MAX_TASKS]]
    if reader.title and not sections and not reader.problems:
        reader.wrong(1, f"an assignment has a task at least, as in `{TASK_EXAMPLE}`")
    if len(sections) > MAX_TASKS:
        reader.wrong(sections[MAX_TASKS].line, f"an assignment has at most {MAX_TASKS} tasks")
    if sum(len(task.puzzles) for task in tasks if task is not None) > MAX_ALL_PUZZLES:
        reader.wrong(1, f"an assignment has at most {MAX_ALL_PUZZLES} puzzles in all its tasks")
    due = head.read("due", parse_due)
    names = head.read("names", parse_names) or ()
    reader.check(text)
    about = head.text("about") or " ".join(head.words)
    found = tuple(task for task in tasks if task is not None)
    return AssignmentText(reader.title, found, about[:MAX_SAY_CHARS], due, names)


def parse_due(text: str) -> int:
    """`2026-11-30`, to the end of that day, or `2026-11-30 18:00`, in UTC."""
    day, _, hour = " ".join(text.replace("T", " ").split()).partition(" ")
    try:
        found = datetime.fromisoformat(f"{day} {hour}".strip()).replace(tzinfo=UTC)
        if found.year not in DUE_YEARS:
            raise ValueError(text)
        return int((found if hour else found + timedelta(days=1)).timestamp())
    except (ValueError, OverflowError) as error:
        why = f"a day is written as 2026-11-30, or 2026-11-30 18:00, not {quoted(text)}"
        raise InvalidQuestionError(text, why) from error


def parse_names(text: str) -> tuple[str, ...]:
    """Names of students, separated by commas or lines; raises InvalidQuestionError."""
    found = [" ".join(name.split()) for name in text.replace("\n", ",").split(",")]
    names = tuple(name for name in found if name)
    if len(names) > MAX_NAMES:
        raise InvalidQuestionError("", f"a list has at most {MAX_NAMES} names")
    seen: dict[str, str] = {}
    for name in names:
        if len(name) > MAX_NAME_CHARS or not name.isprintable():
            why = f"a name has at most {MAX_NAME_CHARS} letters, unlike {quoted(name, 60)}"
            raise InvalidQuestionError(name, why)
        if (other := seen.setdefault(name.casefold(), name)) is not name:
            why = f"two students are called {quoted(other)}: add a letter of the second name"
            raise InvalidQuestionError(name, why)
    return names


def _read_task(section: Section, title: str, lessons: Collection[str]) -> Task | None:
    """The task, or None: then the section has problems."""
    heading = section.heading or ""
    if not 1 <= len(heading) <= MAX_TITLE_CHARS:
        section.wrong(section.line, f"a task's title has 1 to {MAX_TITLE_CHARS} letters")
    found = [kind for kind in TaskKind if kind in section.fields]
    if len(found) != 1:
        kinds = ", ".join(f"{kind}:" for kind in found or TaskKind)
        what = "only one of" if found else "one of"
        section.wrong(section.line, f"{quoted(heading)} needs {what} {kinds}")
        return None
    kind = found[0]
    section.check_fields(kind, (*FIELDS[kind], *COMMON))
    say = section.text("say")
    if len(say) > MAX_SAY_CHARS:
        section.wrong(section.line_of("say"), f"say: has at most {MAX_SAY_CHARS} letters")
    task = Task(kind, heading, section.line, say)
    match kind:
        case TaskKind.PUZZLES:
            task = _read_puzzles(section, task, f"{title}/{heading}")
        case TaskKind.WIN | TaskKind.HOLD:
            task = _read_position(section, task)
        case TaskKind.BEAT:
            task = _read_beat(section, task)
        case TaskKind.LESSON:
            task = _read_lesson(section, task, lessons)
        case TaskKind.BOT:
            task = _read_bot(section, task)
    return None if section.problems else task


def _read_puzzles(section: Section, task: Task, seed: str) -> Task:
    """A set of ids, or so many of a game, a theme and a level, chosen by the titles."""
    wanted = section.text(TaskKind.PUZZLES).replace(",", " ").split()
    line = section.line_of(TaskKind.PUZZLES)
    game = section.read("game", lambda text: load_game(text).spec)
    theme = section.read("theme", _parse_theme)
    level = section.whole("level", LEVELS[0], LEVELS[-1])
    if len(wanted) == 1 and wanted[0].isdecimal() and len(wanted[0]) < 4:
        pool = list(matching(shipped_puzzles(), game, theme, level))
        if ":" in section.text("game"):  # this variant alone, also where it is the usual one
            pool = [puzzle for puzzle in pool if puzzle.game == game]
        number = int(wanted[0])
        if not 1 <= number <= min(len(pool), MAX_PUZZLES):
            most = min(len(pool), MAX_PUZZLES)
            many = f"1 to {most}" if most else "none"
            section.wrong(line, f"of this kind there are {many} to be had, not {number}")
            return task
        chosen = sorted(Random(seed).sample(pool, number), key=lambda each: each.level)
        return replace(task, puzzles=tuple(puzzle.id for puzzle in chosen))
    if {"game", "theme", "level"} & section.fields.keys():
        section.wrong(line, "say how many of that kind, as in `puzzles: 5`, or name them by id")
    if not 1 <= len(wanted) <= MAX_PUZZLES:
        section.wrong(line, f"a task has 1 to {MAX_PUZZLES} puzzles")
    for each in wanted:
        if shipped_puzzle(each) is None:
            section.wrong(line, f"there is no puzzle {quoted(each)}: `zermelo puzzles show --json`")
    return replace(task, puzzles=tuple(dict.fromkeys(wanted)))


def _parse_theme(text: str) -> Theme:
    try:
        return Theme(" ".join(text.casefold().split()))
    except ValueError as error:
        themes = [theme.value for theme in Theme]
        raise InvalidQuestionError(text, unknown_text("theme", text, themes)) from error


def _read_position(section: Section, task: Task) -> Task:
    match = read_match(section)
    if match is None:
        return task
    if match.outcome() is not None:
        section.wrong(section.line_of("moves", "position"), "the game is over there")
        return task
    machine = section.read(task.kind, lambda text: player_spec(text, match.game)) or ""
    return replace(task, machine=machine, seat=match.state.to_move, **match_fields(match))


def _read_beat(section: Section, task: Task) -> Task:
    found = section.read(TaskKind.BEAT, parse_opponent)
    seat = section.read("seat", _parse_seat) or Seat.FIRST
    if found is None:
        return task
    game, machine = found
    return replace(task, game=game, machine=machine, seat=seat)


def parse_opponent(text: str) -> tuple[str, str]:
    """`quixo level 5`, `tictactoe hard` or `nim mcts`: specs of a game and of a machine."""
    spec, _, name = " ".join(text.split()).partition(" ")
    game = load_game(spec)
    if (level := re.fullmatch(r"level (\d{1,2})", name)) is not None:
        entry = next((each for each in agents_for(game) if each.levels), None)
        if entry is None:
            offered = " or ".join(each.name.casefold() for each in difficulties(game.spec))
            why = f"{game.spec} has no levels: write {offered or 'the name of a machine'}"
            raise InvalidQuestionError(text, why)
        if not 1 <= int(level[1]) <= len(entry.levels):
            raise InvalidQuestionError(text, f"levels go from 1 to {len(entry.levels)}")
        chosen = f"{entry.key}:{LEVEL_OPTION}={entry.levels[int(level[1]) - 1].name}"
        return game.spec, player_spec(chosen, game)
    for each in difficulties(game.spec):
        if each.name.casefold() == name.casefold():
            return game.spec, player_spec(each.value, game)
    if not name:
        raise InvalidQuestionError(text, "say whom to beat, as in `beat: quixo level 5`")
    return game.spec, player_spec(name, game)


def _parse_seat(text: str) -> Seat:
    for seat in Seat:
        if text.casefold() in (str(seat), seat.mark):
            return seat
    raise InvalidQuestionError(text, f"a student moves first or second, not {quoted(text)}")


def _read_lesson(section: Section, task: Task, lessons: Collection[str]) -> Task:
    slug = section.text(TaskKind.LESSON).removeprefix("/learn/")
    if slug not in lessons:
        section.wrong(section.line_of(TaskKind.LESSON), unknown_text("lesson", slug, lessons))
    return replace(task, lesson=slug)


def _read_bot(section: Section, task: Task) -> Task:
    code, line = section.text(TaskKind.BOT), section.line_of(TaskKind.BOT)
    if not CODE.fullmatch(code):
        section.wrong(line, "say in which league, by its code, as in `bot: BCDFG`")
    if "rating" not in section.fields:
        section.wrong(line, "say which rating it has to reach, as in `rating: 1600`")
    rating = section.whole("rating", MIN_RATING, MAX_RATING) or 0
    return replace(task, league=code.upper(), rating=rating)


def overview(assignment: AssignmentText) -> Iterator[str]:
    """The assignment in lines: what each task asks, and what is true of it."""
    for number, task in enumerate(assignment.tasks, start=1):
        yield f"{number:>3}  {task.title}: {task.summary}"
        if details := task_details(task):
            yield f"     {details}"


def task_details(task: Task) -> str:
    """Which puzzles were chosen; what best play comes to in a position."""
    if task.kind is TaskKind.PUZZLES:
        return " ".join(task.puzzles)
    if task.kind in (TaskKind.WIN, TaskKind.HOLD):
        return f"With best play: {best_play(task)}."
    return task.lesson or task.league


def best_play(task: Task) -> str:
    """`x wins`, as it is computed; that it is not known."""
    asked = replace(task.position, prompt="Who wins?", truth="value")
    try:
        return truth_of(asked).shown
    except ZermeloError:
        return "not known"
