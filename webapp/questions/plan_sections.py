"""Reads one section of a plan into a step, field by field, collecting all errors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from agents.roster import agent_spec, player_spec
from agents.runs import read_learner
from engine import Match, Seat, load_game
from engine.errors import ZermeloError, quoted
from webapp.questions.facts import About
from webapp.questions.models import InvalidQuestionError, PosedQuestion, Problem
from webapp.questions.parser import (
    MAX_PROMPT_CHARS,
    check_length,
    parse_picks,
    parse_position,
    play_moves,
)
from webapp.questions.plans import PreparedStep, StepKind
from webapp.questions.truths import about, checked

T = TypeVar("T")

COMMON_FIELDS = ("say", "notes", "link")
# By kind, beside the field of its name.
FIELDS: Mapping[StepKind, tuple[str, ...]] = {
    StepKind.ASK: ("position", "moves", "choices", "truth", "machine", "seconds"),
    StepKind.SHOW: (),
    StepKind.TRAIN: ("position", "games"),
    StepKind.PLAY: ("position", "moves", "seat", "seconds"),
    StepKind.CUP: ("games",),
}
NAMES = (*StepKind, *dict.fromkeys(name for names in FIELDS.values() for name in names))
ALL_NAMES = tuple(map(str, (*NAMES, *COMMON_FIELDS)))

MAX_LINK_CHARS = 500
MAX_VOTE_S = 600  # seconds
MAX_TRAINING_GAMES = 20_000_000
MAX_GAMES_PER_PAIR = 20
GAME_FIELDS = {"position", "moves", "machine"}
EXAMPLE = "position: tictactoe  x.o/.x./..o x"


@dataclass(frozen=True, slots=True)
class FieldText:
    """The text of a field, and its first line."""

    line: int
    text: str


@dataclass(slots=True)
class Section:
    """A heading with its fields, and the problems found so far."""

    title: str
    minutes: int
    line: int
    fields: dict[str, FieldText] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    def text(self, name: str) -> str:
        return self.fields[name].text if name in self.fields else ""

    def line_of(self, *names: str) -> int:
        """The line of the first of these fields that is present, else of the heading."""
        return next((self.fields[name].line for name in names if name in self.fields), self.line)

    def wrong(self, line: int, why: str) -> None:
        self.problems.append(Problem(line, why))

    def read(self, name: str, parse: Callable[[str], T]) -> T | None:
        """Parse a field; None if it is missing, or invalid, which is noted as a problem."""
        if name not in self.fields:
            return None
        return self.attempt(self.line_of(name), lambda: parse(self.text(name)))

    def attempt(self, line: int, make: Callable[[], T]) -> T | None:
        try:
            return make()
        except ZermeloError as error:
            self.wrong(line, str(error))
            return None

    def whole(self, name: str, low: int, high: int) -> int | None:
        """A field with a whole number within bounds."""
        if name not in self.fields:
            return None
        text = self.text(name).replace(",", "")
        if text.isascii() and text.isdecimal() and len(text) < 10 and low <= int(text) <= high:
            return int(text)
        self.wrong(self.line_of(name), f"{name} is a whole number from {low} to {high:,}")
        return None


def read_step(section: Section) -> PreparedStep | None:
    """The step, or None: then the section has problems."""
    if not any(kind in section.fields for kind in StepKind) and _asks_by_its_title(section):
        section.fields[StepKind.ASK] = FieldText(section.line, section.title)
    found = [kind for kind in StepKind if kind in section.fields]
    if len(found) != 1:
        kinds = ", ".join(f"{kind}:" for kind in found or StepKind)
        what = "only one of" if found else "one of"
        section.wrong(section.line, f"{quoted(section.title)} needs {what} {kinds}")
        return None
    kind = found[0]
    for name, entry in section.fields.items():
        if name not in (kind, *FIELDS[kind], *COMMON_FIELDS):
            section.wrong(entry.line, f"{name}: means nothing beside {kind}:")
    step = _READERS[kind](section, _base_step(section, kind))
    return None if section.problems else step


def _asks_by_its_title(section: Section) -> bool:
    """Whether the title is the prompt: `## Who wins?  3 min` with choices below it."""
    return bool({"choices", "truth"} & section.fields.keys())


def _base_step(section: Section, kind: StepKind) -> PreparedStep:
    return PreparedStep(
        title=section.title,
        minutes=section.minutes,
        kind=kind,
        line=section.line,
        say=section.text("say"),
        notes=section.text("notes"),
        link=section.read("link", parse_link) or "",
        seconds=section.whole("seconds", 5, MAX_VOTE_S),
    )


def _read_ask(section: Section, step: PreparedStep) -> PreparedStep:
    prompt = section.read(
        StepKind.ASK, lambda text: check_length(text, "what is asked", MAX_PROMPT_CHARS)
    )
    picks = section.read("choices", parse_picks) or ()
    truth = section.text("truth") or "best"
    subject = section.attempt(section.line_of("truth"), lambda: about(truth))
    if "choices" in section.fields and "truth" not in section.fields:
        why = "choices need a truth that says which is right, such as `truth: value`"
        section.wrong(section.line_of("choices"), why)
    bare = PosedQuestion("", prompt or "", truth, picks=picks)
    is_placed = subject is not About.NO_GAME or bool(GAME_FIELDS & section.fields.keys())
    posed = _placed(section, bare) if is_placed else bare
    if posed is None or section.problems:
        return step
    line = section.line_of("choices", "truth", StepKind.ASK)
    whole = section.attempt(line, lambda: checked(posed))
    return replace(step, posed=whole, game=posed.game, truth_line=line)


def _placed(section: Section, posed: PosedQuestion) -> PosedQuestion | None:
    """The question with its position; None if that is invalid, which is noted as a problem."""
    if (match := _position(section)) is None:
        return None
    machine = section.read("machine", lambda text: agent_spec(text, match.game)) or ""
    start = None if match.start is None else str(match.start)
    moves = tuple(map(str, match.moves))
    return replace(posed, game=match.game.spec, start=start, moves=moves, machine=machine)


def _read_show(section: Section, step: PreparedStep) -> PreparedStep:
    return replace(step, link=section.read(StepKind.SHOW, parse_link) or "")


def _read_train(section: Section, step: PreparedStep) -> PreparedStep:
    match = _position(section)
    if match is None:
        return step
    game, spec = match.game, section.text(StepKind.TRAIN)
    line = section.line_of(StepKind.TRAIN)
    section.attempt(line, lambda: read_learner(spec, game))
    games = section.whole("games", 1, MAX_TRAINING_GAMES)
    machine = section.attempt(line, lambda: agent_spec(spec, game)) or ""
    return replace(step, game=game.spec, machine=machine, games=games)


def _read_play(section: Section, step: PreparedStep) -> PreparedStep:
    match = _position(section)
    if match is None:
        return step
    seat = section.read("seat", _parse_seat) or Seat.FIRST
    machine = section.read(StepKind.PLAY, lambda text: player_spec(text, match.game)) or ""
    start = None if match.start is None else str(match.start)
    moves = tuple(map(str, match.moves))
    return replace(step, game=match.game.spec, start=start, moves=moves, machine=machine, seat=seat)


def _read_cup(section: Section, step: PreparedStep) -> PreparedStep:
    game = section.read(StepKind.CUP, load_game)
    games = section.whole("games", 1, MAX_GAMES_PER_PAIR)
    return replace(step, game="" if game is None else game.spec, games=games)


_READERS: Mapping[StepKind, Callable[[Section, PreparedStep], PreparedStep]] = {
    StepKind.ASK: _read_ask,
    StepKind.SHOW: _read_show,
    StepKind.TRAIN: _read_train,
    StepKind.PLAY: _read_play,
    StepKind.CUP: _read_cup,
}


def _position(section: Section) -> Match[Any, Any] | None:
    """The match up to the position; None if invalid, which is noted as a problem."""
    if "position" not in section.fields:
        why = f"{quoted(section.title)} needs a position, as in `{EXAMPLE}`"
        section.wrong(section.line, why)
        return None
    begun = section.read("position", parse_position)
    if begun is None or "moves" not in section.fields:
        return begun
    return section.read("moves", lambda text: play_moves(begun, text))


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
