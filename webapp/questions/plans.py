"""The plan of a class: its steps with their minutes, read from a text, and its overview."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from importlib.resources import files

from agents.roster import agent_spec, player_spec
from agents.runs import read_learner
from engine import Seat, load_game
from engine.errors import ZermeloError, quoted, sentence, unknown_text
from webapp.questions.grammar import (
    MAX_TITLE_CHARS,
    QUESTION_FIELDS,
    FieldText,
    Section,
    SectionReader,
    read_match,
    read_question,
    truth_line,
)
from webapp.questions.models import (
    InvalidLessonError,
    InvalidQuestionError,
    Problem,
    Question,
    Truth,
    UnknowableError,
)
from webapp.questions.parser import match_fields
from webapp.questions.puzzles import parse_puzzle
from webapp.questions.truths import truth_of


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
    question: Question | None = None
    truth_line: int = 0  # where to report errors of its truth; 0: none is written
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
        return tuple(step for step in self.steps if step.question is not None)


COMMON_FIELDS = ("say", "notes", "link")
# By kind, beside the field of its name.
FIELDS: Mapping[StepKind, tuple[str, ...]] = {
    StepKind.ASK: (*QUESTION_FIELDS, "right", "seconds", "puzzle"),
    StepKind.SHOW: (),
    StepKind.TRAIN: ("position", "games"),
    StepKind.PLAY: ("position", "moves", "seat", "seconds"),
    StepKind.CUP: ("games",),
}
KIND_FIELDS = dict.fromkeys(name for names in FIELDS.values() for name in names)
ALL_NAMES = tuple(map(str, (*StepKind, *KIND_FIELDS, *COMMON_FIELDS)))
# By file name; the first is the default.
SHIPPED_PLANS = ("how-machines-play", "how-machines-learn", "what-a-network-cannot-see")

MAX_PLAN_BYTES = 64 * 1024
MAX_STEPS = 60
MAX_STEP_MINUTES = 240
MAX_LINK_CHARS = 500
MAX_VOTE_S = 600
MAX_TRAINING_GAMES = 20_000_000
MAX_GAMES_PER_PAIR = 20
MINUTES = re.compile(r" (\d{1,3}) ?min(?:utes?)?\.?$", re.ASCII)
STEP_EXAMPLE = "## Nim by hand   5 min"


def plan_from_bytes(data: bytes) -> ClassPlan:
    """Read a plan from the bytes of a file; raises InvalidLessonError."""
    if len(data) > MAX_PLAN_BYTES:
        why = f"a lesson has at most {MAX_PLAN_BYTES // 1024} kB, this file has {len(data) // 1024}"
        raise InvalidLessonError("", [Problem(1, why)])
    try:
        return read_plan(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise InvalidLessonError("", [Problem(line, "this is no text in UTF-8")]) from error


@lru_cache(maxsize=32)
def read_plan(text: str) -> ClassPlan:
    """Read a plan from its text; raises InvalidLessonError with all errors."""
    if len(text) > MAX_PLAN_BYTES:
        why = f"a lesson has at most {MAX_PLAN_BYTES:,} characters, this one has {len(text):,}"
        raise InvalidLessonError(text[:MAX_PLAN_BYTES], [Problem(1, why)])
    reader = SectionReader(ALL_NAMES)
    reader.take(text)
    sections = [section for section in reader.sections if section.heading is not None]
    steps = [_read_step(section, _read_minutes(reader, section)) for section in sections]
    if reader.title and not sections and not reader.problems:
        reader.wrong(1, f"a lesson has a step at least, as in `{STEP_EXAMPLE}`")
    if len(sections) > MAX_STEPS:
        reader.wrong(sections[MAX_STEPS].line, f"a lesson has at most {MAX_STEPS} steps")
    reader.check(text)
    about = " ".join(line for section in reader.sections for line in section.words)
    return ClassPlan(reader.title, about, tuple(step for step in steps if step is not None))


def _read_minutes(reader: SectionReader, section: Section) -> int:
    """Take the minutes from the end of a heading."""
    heading = section.heading or ""
    found = MINUTES.search(heading)
    title, minutes = (heading[: found.start()], int(found[1])) if found else (heading, 1)
    if found is None:
        why = f"say how long {quoted(title)} takes, as in `{STEP_EXAMPLE}`"
        reader.wrong(section.line, why)
    elif not 1 <= minutes <= MAX_STEP_MINUTES:
        why = f"a step takes 1 to {MAX_STEP_MINUTES} minutes, not {found[1]}"
        reader.wrong(section.line, why)
    if not 1 <= len(title) <= MAX_TITLE_CHARS:
        reader.wrong(section.line, f"a step's title has 1 to {MAX_TITLE_CHARS} letters")
    section.heading = title
    return minutes


def _read_step(section: Section, minutes: int) -> PlanStep | None:
    """The step, or None: then the section has problems."""
    title = section.heading or ""
    found = [kind for kind in StepKind if kind in section.fields]
    if not found and {"choices", "truth", "right"} & section.fields.keys():  # it asks its own title
        section.fields[StepKind.ASK] = FieldText(section.line, title)
        found = [StepKind.ASK]
    if not found and "puzzle" in section.fields:
        found = [StepKind.ASK]
    if len(found) != 1:
        kinds = ", ".join(f"{kind}:" for kind in found or StepKind)
        what = "only one of" if found else "one of"
        section.wrong(section.line, f"{quoted(title)} needs {what} {kinds}")
        return None
    kind = found[0]
    section.check_fields(kind, (*FIELDS[kind], *COMMON_FIELDS))
    step = PlanStep(
        title=title,
        minutes=minutes,
        kind=kind,
        line=section.line,
        say=section.text("say"),
        notes=section.text("notes"),
        link=section.read("link", parse_link) or "",
        seconds=section.whole("seconds", 5, MAX_VOTE_S),
    )
    step = _READERS[kind](section, step)
    return None if section.problems else step


def _read_ask(section: Section, step: PlanStep) -> PlanStep:
    question = _read_puzzle(section) if "puzzle" in section.fields else read_question(section)
    game = question.game if question else ""
    is_told = question is None or not question.wants_move or "truth" in section.fields
    return replace(
        step, question=question, game=game, truth_line=truth_line(section) if is_told else 0
    )


def _read_puzzle(section: Section) -> Question | None:
    """A puzzle as a round, with a prompt of its own where there is one."""
    for name in {*QUESTION_FIELDS, "right"} & section.fields.keys():
        section.wrong(section.line_of(name), f"{name}: means nothing beside puzzle:")
    question = section.read("puzzle", parse_puzzle)
    prompt = section.text(StepKind.ASK)
    return question if question is None or not prompt else replace(question, prompt=prompt)


def _read_show(section: Section, step: PlanStep) -> PlanStep:
    return replace(step, link=section.read(StepKind.SHOW, parse_link) or "")


def _read_train(section: Section, step: PlanStep) -> PlanStep:
    match = read_match(section)
    if match is None:
        return step
    game, spec = match.game, section.text(StepKind.TRAIN)
    line = section.line_of(StepKind.TRAIN)
    section.attempt(line, lambda: read_learner(spec, game))
    games = section.whole("games", 1, MAX_TRAINING_GAMES)
    machine = section.attempt(line, lambda: agent_spec(spec, game)) or ""
    return replace(step, game=game.spec, machine=machine, games=games)


def _read_play(section: Section, step: PlanStep) -> PlanStep:
    match = read_match(section)
    if match is None:
        return step
    seat = section.read("seat", _parse_seat) or Seat.FIRST
    machine = section.read(StepKind.PLAY, lambda text: player_spec(text, match.game)) or ""
    return replace(step, machine=machine, seat=seat, **match_fields(match))


def _read_cup(section: Section, step: PlanStep) -> PlanStep:
    game = section.read(StepKind.CUP, load_game)
    games = section.whole("games", 1, MAX_GAMES_PER_PAIR)
    return replace(step, game="" if game is None else game.spec, games=games)


_READERS: Mapping[StepKind, Callable[[Section, PlanStep], PlanStep]] = {
    StepKind.ASK: _read_ask,
    StepKind.SHOW: _read_show,
    StepKind.TRAIN: _read_train,
    StepKind.PLAY: _read_play,
    StepKind.CUP: _read_cup,
}


def parse_link(text: str) -> str:
    """A path on this site; raises InvalidQuestionError."""
    ours = text.startswith("/") and not text.startswith("//") and "\\" not in text
    if not ours or " " in text or len(text) > MAX_LINK_CHARS:
        why = f"a link is an address of this site, such as /machines/menace, not {quoted(text)}"
        raise InvalidQuestionError(text, why)
    return text


def _parse_seat(text: str) -> Seat:
    for seat in Seat:
        if text.casefold() in (str(seat), seat.mark):
            return seat
    raise InvalidQuestionError(text, f"the class sits first or second, not {quoted(text)}")


def plan_text(name: str) -> str:
    """The text of a shipped plan; raises InvalidQuestionError."""
    if name not in SHIPPED_PLANS:
        raise InvalidQuestionError(name, unknown_text("lesson", name, SHIPPED_PLANS))
    file = files("webapp.questions") / "shipped" / f"{name}.txt"
    return file.read_text(encoding="utf-8")


def shipped_plan(name: str) -> ClassPlan:
    """A shipped plan."""
    return read_plan(plan_text(name))


def truths_in(plan: ClassPlan) -> dict[PlanStep, Truth]:
    """Compute the truth of every round, which takes seconds; raises InvalidLessonError.

    Asked for a move, with no truth written, a class may vote where nobody knows the best one.
    """
    truths: dict[PlanStep, Truth] = {}
    problems: list[Problem] = []
    for step in plan.rounds:
        assert step.question is not None
        try:
            truths[step] = truth_of(step.question)
        except ZermeloError as error:
            if isinstance(error, UnknowableError) and not step.truth_line:
                truths[step] = Truth(shown="Not known here", sentence=sentence(str(error)))
                continue
            problems.append(Problem(step.truth_line or step.line, str(error)))
    if problems:
        raise InvalidLessonError(plan.title, problems)
    return truths


def overview(plan: ClassPlan, truths: dict[PlanStep, Truth]) -> Iterator[str]:
    """The plan in lines: when each step begins, what it does, and its truth."""
    begun = 0
    for step in plan.steps:
        what = step.question.prompt if step.question else " ".join(_step_words(step))
        yield f"{begun:>3}′  {step.title} ({step.minutes} min): {what}"
        if (truth := truths.get(step)) is not None:
            yield f"      {_right_text(step, truth)}. {truth.sentence}".rstrip()
        begun += step.minutes


def _right_text(step: PlanStep, truth: Truth) -> str:
    """The right answer in the words of the question: `Less often (yes)`."""
    chosen = "" if step.question is None or step.question.wants_move else "".join(truth.right)
    return f"{chosen} ({truth.shown})" if chosen not in ("", truth.shown) else truth.shown


def _step_words(step: PlanStep) -> Iterator[str]:
    """What a step does, if it is no vote."""
    yield str(step.kind)
    yield from filter(None, (step.machine, step.game, step.link))
    if step.games is not None:
        yield f"{step.games:,} games"
