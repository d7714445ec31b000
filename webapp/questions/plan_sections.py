"""One section of a prepared lesson, made into a step: field by field, every problem told."""

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
from webapp.questions.parser import LONGEST_PROMPT, picks_in, played_on, position_in, short
from webapp.questions.plans import PreparedStep, StepKind
from webapp.questions.truths import about, checked

T = TypeVar("T")

EVERYWHERE = ("say", "notes", "link")
# By kind, beside the field that makes it one.
FIELDS: Mapping[StepKind, tuple[str, ...]] = {
    StepKind.ASK: ("position", "moves", "choices", "truth", "machine", "seconds"),
    StepKind.SHOW: (),
    StepKind.TRAIN: ("position", "games"),
    StepKind.PLAY: ("position", "moves", "seat", "seconds"),
    StepKind.CUP: ("games",),
}
NAMES = (*StepKind, *dict.fromkeys(name for names in FIELDS.values() for name in names))
ALL_NAMES = tuple(map(str, (*NAMES, *EVERYWHERE)))

LONGEST_LINK = 500
LONGEST_VOTE = 600  # seconds
MOST_TRAINED = 20_000_000
MOST_IN_A_PAIR = 20
OF_A_GAME = {"position", "moves", "machine"}
EXAMPLE = "position: tictactoe  x.o/.x./..o x"


@dataclass(frozen=True, slots=True)
class Entered:
    """What a field says, and in which line it begins."""

    line: int
    text: str


@dataclass(slots=True)
class Section:
    """A heading and what stands below it, as it is read; problems gather as they are found."""

    title: str
    minutes: int
    line: int
    entered: dict[str, Entered] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    def text(self, name: str) -> str:
        return self.entered[name].text if name in self.entered else ""

    def line_of(self, *names: str) -> int:
        """Of the first of these fields that is there, else of the heading."""
        return next((self.entered[name].line for name in names if name in self.entered), self.line)

    def wrong(self, line: int, why: str) -> None:
        self.problems.append(Problem(line, why))

    def read(self, name: str, made: Callable[[str], T]) -> T | None:
        """What becomes of a field; None where it is not there, or wrong and told."""
        if name not in self.entered:
            return None
        return self.tried(self.line_of(name), lambda: made(self.text(name)))

    def tried(self, line: int, made: Callable[[], T]) -> T | None:
        try:
            return made()
        except ZermeloError as error:
            self.wrong(line, str(error))
            return None

    def whole(self, name: str, low: int, high: int) -> int | None:
        """A whole number within its bounds."""
        if name not in self.entered:
            return None
        text = self.text(name).replace(",", "")
        if text.isascii() and text.isdecimal() and len(text) < 10 and low <= int(text) <= high:
            return int(text)
        self.wrong(self.line_of(name), f"{name} is a whole number from {low} to {high:,}")
        return None


def step_in(section: Section) -> PreparedStep | None:
    """The step, or None: then the section's problems say why."""
    if not any(kind in section.entered for kind in StepKind) and _asks_by_its_title(section):
        section.entered[StepKind.ASK] = Entered(section.line, section.title)
    found = [kind for kind in StepKind if kind in section.entered]
    if len(found) != 1:
        kinds = ", ".join(f"{kind}:" for kind in found or StepKind)
        what = "only one of" if found else "one of"
        section.wrong(section.line, f"{quoted(section.title)} needs {what} {kinds}")
        return None
    kind = found[0]
    for name, entry in section.entered.items():
        if name not in (kind, *FIELDS[kind], *EVERYWHERE):
            section.wrong(entry.line, f"{name}: means nothing beside {kind}:")
    step = _MAKERS[kind](section, _plain(section, kind))
    return None if section.problems else step


def _asks_by_its_title(section: Section) -> bool:
    """`## Who wins?  3 min` with choices below it needs no other words."""
    return bool({"choices", "truth"} & section.entered.keys())


def _plain(section: Section, kind: StepKind) -> PreparedStep:
    return PreparedStep(
        title=section.title,
        minutes=section.minutes,
        kind=kind,
        line=section.line,
        say=section.text("say"),
        notes=section.text("notes"),
        link=section.read("link", link_in) or "",
        seconds=section.whole("seconds", 5, LONGEST_VOTE),
    )


def _asked(section: Section, step: PreparedStep) -> PreparedStep:
    prompt = section.read(StepKind.ASK, lambda text: short(text, "what is asked", LONGEST_PROMPT))
    picks = section.read("choices", picks_in) or ()
    truth = section.text("truth") or "best"
    subject = section.tried(section.line_of("truth"), lambda: about(truth))
    if "choices" in section.entered and "truth" not in section.entered:
        why = "choices need a truth that says which is right, such as `truth: value`"
        section.wrong(section.line_of("choices"), why)
    bare = PosedQuestion("", prompt or "", truth, picks=picks)
    is_placed = subject is not About.NO_GAME or bool(OF_A_GAME & section.entered.keys())
    posed = _placed(section, bare) if is_placed else bare
    if posed is None or section.problems:
        return step
    line = section.line_of("choices", "truth", StepKind.ASK)
    whole = section.tried(line, lambda: checked(posed))
    return replace(step, posed=whole, game=posed.game, truth_line=line)


def _placed(section: Section, posed: PosedQuestion) -> PosedQuestion | None:
    """With the position it is about; None where it cannot be read, which is told."""
    if (match := _position(section)) is None:
        return None
    machine = section.read("machine", lambda text: agent_spec(text, match.game)) or ""
    start = None if match.start is None else str(match.start)
    moves = tuple(map(str, match.moves))
    return replace(posed, game=match.game.spec, start=start, moves=moves, machine=machine)


def _shown(section: Section, step: PreparedStep) -> PreparedStep:
    return replace(step, link=section.read(StepKind.SHOW, link_in) or "")


def _trained(section: Section, step: PreparedStep) -> PreparedStep:
    match = _position(section)
    if match is None:
        return step
    game, spec = match.game, section.text(StepKind.TRAIN)
    line = section.line_of(StepKind.TRAIN)
    section.tried(line, lambda: read_learner(spec, game))
    games = section.whole("games", 1, MOST_TRAINED)
    machine = section.tried(line, lambda: agent_spec(spec, game)) or ""
    return replace(step, game=game.spec, machine=machine, games=games)


def _played(section: Section, step: PreparedStep) -> PreparedStep:
    match = _position(section)
    if match is None:
        return step
    seat = section.read("seat", _seat) or Seat.FIRST
    machine = section.read(StepKind.PLAY, lambda text: player_spec(text, match.game)) or ""
    start = None if match.start is None else str(match.start)
    moves = tuple(map(str, match.moves))
    return replace(step, game=match.game.spec, start=start, moves=moves, machine=machine, seat=seat)


def _entered(section: Section, step: PreparedStep) -> PreparedStep:
    game = section.read(StepKind.CUP, load_game)
    games = section.whole("games", 1, MOST_IN_A_PAIR)
    return replace(step, game="" if game is None else game.spec, games=games)


_MAKERS: Mapping[StepKind, Callable[[Section, PreparedStep], PreparedStep]] = {
    StepKind.ASK: _asked,
    StepKind.SHOW: _shown,
    StepKind.TRAIN: _trained,
    StepKind.PLAY: _played,
    StepKind.CUP: _entered,
}


def _position(section: Section) -> Match[Any, Any] | None:
    """The match up to the position; None where it cannot be read, which is told."""
    if "position" not in section.entered:
        why = f"{quoted(section.title)} needs a position, as in `{EXAMPLE}`"
        section.wrong(section.line, why)
        return None
    begun = section.read("position", position_in)
    if begun is None or "moves" not in section.entered:
        return begun
    return section.read("moves", lambda text: played_on(begun, text))


def link_in(text: str) -> str:
    """An address of ours, from its first slash on."""
    ours = text.startswith("/") and not text.startswith("//") and "\\" not in text
    if not ours or " " in text or len(text) > LONGEST_LINK:
        why = f"a link is an address of this site, such as /machines/menace, not {quoted(text)}"
        raise InvalidQuestionError(text, why)
    return text


def _seat(text: str) -> Seat:
    for seat in Seat:
        if text.casefold() in (str(seat), seat.mark):
            return seat
    raise InvalidQuestionError(text, f"the class sits first or second, not {quoted(text)}")
