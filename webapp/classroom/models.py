"""Records of a class: its rounds, seats and answers, as they are stored."""

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

DAY_S = 24 * 3600
KEPT_CLASS_DAYS = 60  # lifetime of a class marked to keep
MAX_VOTES = 2  # before and after talking
PRESENT_S = 15  # a student whose phone polled within this time is present
BEST = "best"  # key of the truth behind "which move is best?"
VALUE = "value"  # key of the truth behind "who wins?"


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


def game_title(spec: str) -> str:
    """Title of a game with its variant."""
    return f"{find_entry(spec.partition(':')[0]).title} · {variant_title(spec)}"


@dataclass(frozen=True, slots=True)
class Judgement:
    """The value of one answer, as far as it is known."""

    answer: str
    best: bool
    value: float | None = None  # from the mover's side
    proven: bool = False
    plies: int | None = None


@dataclass(frozen=True, slots=True)
class Ruling:
    """The verdict on a question: a judgement per answer, with reason and source."""

    judgements: tuple[Judgement, ...]  # empty for opinions and unknown truths
    why: str = ""
    source: str = ""


@dataclass(frozen=True)  # without slots: cached properties need a __dict__
class RoundQuestion:
    """The question of a round: a position, a prompt and the possible answers."""

    game: str  # spec; empty for a question about no game
    prompt: str
    start: str | None = None
    moves: tuple[str, ...] = ()
    choices: tuple[str, ...] | None = None  # None: the answer is a move
    claims: tuple[str, ...] | None = None  # machine-readable form of each choice
    truth: str | None = BEST  # key; None: an opinion, nothing is right or wrong
    machine: str | None = None  # agent spec whose analysis the reveal shows
    seconds: int | None = None  # countdown of the vote

    @cached_property
    def match(self) -> Match[Any, Any]:
        """The match replayed up to the position; raises on illegal moves."""
        return replayed(self.game, self.start, self.moves)

    @cached_property
    def has_board(self) -> bool:
        """Whether a position is shown: it is asked about, or a machine will comment on it."""
        has_comment = self.machine is not None and bool(self.game)
        return has_comment or self.truth is None or about(self.truth) is About.POSITION

    @property
    def title(self) -> str:
        """Game and variant (`Nim · Marienbad, last loses`), empty without a game."""
        return game_title(self.game) if self.game else ""

    @property
    def mover(self) -> str:
        """Sentence that says who is to move; empty without a board or after the end."""
        if not self.has_board or self.match.outcome():
            return ""
        return f"{self.match.state.to_move.mark} is to move."

    @cached_property
    def answers(self) -> tuple[str, ...]:
        """Every valid answer."""
        if self.choices is not None:
            return self.choices
        return tuple(str(move) for move in self.match.state.legal_moves())


@dataclass(frozen=True)
class RoundRecord:
    """One question with its phase, vote and ruling."""

    number: int
    question: RoundQuestion
    phase: Phase = Phase.OPEN
    vote: int = 1
    deadline: float | None = None
    ruling: Ruling | None = None  # None: not computed yet
    match_ply: int | None = None  # ply in the class's match that this round votes on
    created: int = 0

    @property
    def is_open(self) -> bool:
        return self.phase is Phase.OPEN

    @property
    def judgements(self) -> tuple[Judgement, ...]:
        return () if self.ruling is None else self.ruling.judgements

    @cached_property
    def best(self) -> tuple[str, ...]:
        """The answers judged best."""
        return tuple(one.answer for one in self.judgements if one.best)

    def judgement_on(self, answer: str) -> Judgement | None:
        return next((found for found in self.judgements if found.answer == answer), None)


@dataclass(frozen=True, slots=True)
class ClassRecord:
    """One class; every change visible on a phone raises `version`."""

    id: str
    owner: str
    key: str
    code: str | None  # None: it is over
    second: str | None = None
    version: int = 1
    round: int = 0
    scene: Scene = Scene.ROUND
    names: bool = False
    address: str | None = None
    match_id: str | None = None
    pace: int | None = None  # seconds per vote in the match, if counted down
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
        """The class's player text in the seats of a match."""
        return f"class:{self.id}"


@dataclass(frozen=True, slots=True)
class ClassSession:
    """A class with its current round, read in one transaction."""

    record: ClassRecord
    round: RoundRecord | None = None


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

    def is_here(self, now: float) -> bool:
        return not self.removed and now - self.seen <= PRESENT_S


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


class UnknownClassError(RequestError):
    """No class has this id or code, or it has expired."""

    status = 404


class NotYourClassError(RequestError):
    """Only the teacher, or only a student of the class, may do this."""

    status = 403


class ClosedVoteError(RequestError):
    """An answer or a step in a phase that does not allow it."""

    status = 409


class ClassAttendance(Attendance[tuple[str, int]]):
    """Who has looked lately at a class, by class id and seat number."""
