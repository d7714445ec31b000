"""A class as it is stored: who teaches, what is asked, and in which phase that is."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Any

from engine import Match
from engine.catalog import find_entry, variant_title
from engine.transcript import replayed
from webapp.errors import RequestError
from webapp.questions.facts import About
from webapp.questions.truths import about
from webapp.web.presence import Attendance

A_DAY = 24 * 3600
KEPT_DAYS = 60  # of a class that its teacher keeps
VOTES = 2  # before and after talking
HERE = 15  # seconds since a phone last asked, within which its student is here
BEST = "best"  # the truth of a round whose answer is a move
VALUE = "value"  # and of one that asks who wins


class Phase(StrEnum):
    """Where a round is. Results are shown in the last phase alone."""

    OPEN = "open"
    CLOSED = "closed"
    TALK = "talk"
    REVEALED = "revealed"


class SceneOf(StrEnum):
    """What the screen is about."""

    ROUND = "round"
    MATCH = "match"  # that the class plays, while its machine thinks
    STORY = "story"  # of the match that the class has played
    CUP = "cup"


def game_title(spec: str) -> str:
    """A game with its variant."""
    return f"{find_entry(spec.partition(':')[0]).title} · {variant_title(spec)}"


@dataclass(frozen=True, slots=True)
class Judgement:
    """What an answer is worth: as far as that is known, and whether there is no better one."""

    answer: str
    best: bool
    value: float | None = None  # for whoever is to move
    proven: bool = False
    plies: int | None = None


@dataclass(frozen=True, slots=True)
class Ruling:
    """What is true of a question, what that makes of each answer, and why."""

    judgements: tuple[Judgement, ...]  # none where nothing is right or wrong, or nobody knows
    why: str = ""
    source: str = ""


@dataclass(frozen=True)  # without slots: the match is replayed once
class Posed:
    """What is asked, as plain data: a position, a prompt, and what may be answered."""

    game: str  # spec; empty where it is about no game
    prompt: str
    start: str | None = None
    moves: tuple[str, ...] = ()
    choices: tuple[str, ...] | None = None  # None: the answer is a move
    claims: tuple[str, ...] | None = None  # what each choice claims, where that is not its text
    truth: str | None = BEST  # by name; None: nothing is right or wrong
    machine: str | None = None  # whose thoughts the reveal shows
    seconds: int | None = None  # of a vote with a countdown

    @cached_property
    def match(self) -> Match[Any, Any]:
        """The position with the moves that led to it; raises what is wrong with them."""
        return replayed(self.game, self.start, self.moves)

    @cached_property
    def has_board(self) -> bool:
        """Whether a position is drawn: one that is asked about, or that a machine will speak of.

        Of a game alone, or of none, nothing is.
        """
        speaks = self.machine is not None and bool(self.game)
        return speaks or self.truth is None or about(self.truth) is About.POSITION

    @property
    def title(self) -> str:
        """`Nim · Marienbad, last loses`; nothing where it is about no game."""
        return game_title(self.game) if self.game else ""

    @property
    def mover(self) -> str:
        """Whose turn it is, where that is asked about and the game goes on."""
        if not self.has_board or self.match.outcome():
            return ""
        return f"{self.match.state.to_move.mark} is to move."

    @cached_property
    def answers(self) -> tuple[str, ...]:
        """Everything that may be answered."""
        if self.choices is not None:
            return self.choices
        return tuple(str(move) for move in self.match.state.legal_moves())


@dataclass(frozen=True)
class RoundRecord:
    """One question in one of its phases."""

    number: int
    asked: Posed
    phase: Phase = Phase.OPEN
    vote: int = 1
    deadline: float | None = None
    ruling: Ruling | None = None  # None: not worked out yet
    match_ply: int | None = None  # of the class's match, where this is a move in it
    created: int = 0

    @property
    def is_open(self) -> bool:
        return self.phase is Phase.OPEN

    @property
    def judgements(self) -> tuple[Judgement, ...]:
        return () if self.ruling is None else self.ruling.judgements

    @cached_property
    def best(self) -> tuple[str, ...]:
        """The answers that nothing is better than."""
        return tuple(one.answer for one in self.judgements if one.best)

    def judgement_on(self, answer: str) -> Judgement | None:
        return next((found for found in self.judgements if found.answer == answer), None)


@dataclass(frozen=True, slots=True)
class ClassRecord:
    """One class. Every change that a phone would show raises `version`."""

    id: str
    owner: str
    key: str
    code: str | None  # None: it is over
    second: str | None = None
    version: int = 1
    round: int = 0
    scene: SceneOf = SceneOf.ROUND
    names: bool = False
    address: str | None = None
    match_id: str | None = None
    pace: int | None = None  # seconds of each vote of the match, if they are counted
    cup: str | None = None
    lesson: str | None = None
    step: int = 0
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
        """What stands on its seat of a match."""
        return f"class:{self.id}"


@dataclass(frozen=True, slots=True)
class Room:
    """A class and the round that is on, as one transaction sees them."""

    record: ClassRecord
    round: RoundRecord | None = None


@dataclass(frozen=True, slots=True)
class SeatRecord:
    """One student."""

    number: int
    player: str
    name: str
    joined: int
    seen: int
    removed: bool = False
    machine: str | None = None

    def is_here(self, now: float) -> bool:
        return not self.removed and now - self.seen <= HERE


@dataclass(frozen=True, slots=True)
class AnswerRecord:
    """What a student said in a vote."""

    round: int
    vote: int
    seat: int
    answer: str
    hidden: bool = False
    given: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Turnout:
    """How many could answer, and have."""

    answered: int
    here: int  # including whoever answered and has gone since


class UnknownClassError(RequestError):
    """An address or a code of no class, or of one that is over."""

    status = 404


class NotYourClassError(RequestError):
    """Something that only the teacher may do, or only a student of this class."""

    status = 403


class ClosedVoteError(RequestError):
    """An answer, or a step, that comes when it is not the time for it."""

    status = 409


class ClassAttendance(Attendance[tuple[str, int]]):
    """Who has looked lately at a class, by class id and seat number."""
