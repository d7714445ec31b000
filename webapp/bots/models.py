"""Records of bots and of their seats in matches, and the errors that the API answers with."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from engine import Game, Seat
from engine.catalog import find_entry
from engine.errors import ZermeloError
from webapp.errors import RequestError
from webapp.replays.models import Record, bot_seat
from webapp.web.cookies import Actor
from webapp.web.presence import Attendance

AWAY_S = 30  # without a sign of it, a bot is away
DAY_S = 24 * 3600
KEPT_DAYS = 365  # of a bot that its owner keeps
MAX_OPEN_GAMES = 2  # of a bot at a time


class UnknownBotError(RequestError):
    """An address of no bot."""

    status = 404


class NotYourBotError(RequestError):
    """Something that only the bot itself or its owner may do."""

    status = 403


class UnknownTurnError(RequestError):
    """A turn that was never this bot's."""

    status = 404


class LateError(RequestError):
    """A move for a turn that is over."""

    status = 409
    code = "late"


class OverError(RequestError):
    """A move in a game that is over."""

    status = 409
    code = "over"


class RefusedMoveError(RequestError):
    """A move that cannot be played; it has cost a life."""

    status = 422
    code = "illegal"

    def __init__(self, why: str, lives: int) -> None:
        super().__init__(why)
        self.details: Mapping[str, Any] = {"lives": lives}


class BusyBotError(RequestError):
    """A bot that is away, has enough games already, or does not play this game."""

    status = 409
    code = "busy"


class FullError(RequestError):
    """More bots than the server takes."""

    status = 503
    code = "full"
    retry_after = 60


class WrongCodeError(RequestError):
    """A code that admits no bot here."""

    status = 403
    code = "code"


@dataclass(frozen=True, slots=True)
class TimeControl:
    """Seconds for each move, and a bank for the whole game beyond those."""

    move_s: float = 2.0
    bank_s: float = 30.0


@dataclass(frozen=True, slots=True)
class Admission:
    """What a code gives: how long, and with which class or league."""

    until: int
    class_id: str | None = None
    league_id: str | None = None
    game: str | None = None  # that a bot of this league has to play


@dataclass(frozen=True, slots=True)
class CodeLookup:
    """Who gives codes besides the server: each says what a code admits to, or None."""

    lookups: tuple[Callable[[str], Admission | None], ...]

    def find(self, code: str) -> Admission | None:
        found = (lookup(code) for lookup in self.lookups)
        return next((admission for admission in found if admission is not None), None)


@dataclass(frozen=True, slots=True)
class BotRecord:
    """A bot, as its row."""

    id: str
    name: str
    created: int
    until: int  # when its tokens end
    owner: str | None = None  # the player whose browser claimed it
    class_id: str | None = None
    league_id: str | None = None
    plays: tuple[str, ...] = ()  # specs or keys of games; empty: all of them
    seen: int | None = None  # when it last asked for a turn

    @property
    def path(self) -> str:
        return f"/bots/{self.id}"

    @property
    def seat(self) -> str:
        """What stands in a match in place of an agent's spec."""
        return bot_seat(self.id, self.name)

    @property
    def actor(self) -> Actor:
        """The bot as it moves in its matches."""
        return Actor(seat=self.seat)

    def is_here(self, now: float) -> bool:
        """Whether it has asked for a turn lately, and may still play."""
        return self.until > now and self.seen is not None and now - self.seen < AWAY_S

    def can_play(self, game: Game[Any, Any]) -> bool:
        """Whether it says that it plays this variant: by its spec, or its game by the key."""
        return not self.plays or game.key in self.plays or game.spec in self.plays

    @property
    def games_text(self) -> str:
        """`Quixo, Nim`; `every game`."""
        titles = []
        for spec in self.plays:
            try:
                titles.append(find_entry(spec.partition(":")[0]).title)
            except ZermeloError:  # a package that is gone
                titles.append(spec)
        return ", ".join(dict.fromkeys(titles)) or "every game"


@dataclass(frozen=True, slots=True)
class BotGame:
    """A bot's seat in a match: its clock and its lives."""

    match_id: str
    seat: Seat
    bot_id: str
    open: bool = True  # until its end was noticed
    move_s: float | None = None  # seconds for each move; None: no clock
    bank_s: float = 0.0  # seconds for the whole game beyond those
    left: float = 0.0  # of the bank
    lives: int = 3
    revision: int | None = None  # of the match, of the turn that was handed out
    handed: float | None = None  # when that was
    took: float | None = None  # seconds of its last move
    error: str | None = None  # the last one
    log_chars: int = 0
    created: float = 0.0

    @property
    def deadline(self) -> float | None:
        """When the time of the turn that was handed out is over; None while no clock runs."""
        if self.handed is None or self.move_s is None:
            return None
        return self.handed + self.move_s + self.left


@dataclass(frozen=True, slots=True)
class TurnLog:
    """What a bot took and logged for a move."""

    match_id: str
    ply: int  # 1 for the first move
    bot_id: str
    at: float
    took: float | None = None
    log: str | None = None
    error: str | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """What a bot answers to a turn; only the move is needed."""

    move: str
    values: Mapping[str, float] = field(default_factory=dict)  # of moves, −1 to 1
    reason: str = ""
    log: str = ""


OpenGame = tuple[Record, BotGame]  # a match that is being played, and a bot's seat in it


@dataclass(frozen=True, slots=True)
class Change:
    """A decision about a turn: what is stored, and the error to answer with once it is."""

    record: Record
    game: BotGame
    log: TurnLog | None = None
    error: RequestError | None = None
    open_games: tuple[OpenGame, ...] = ()  # of the bot, once it is stored


def turn_id(match_id: str, revision: int) -> str:
    """The name of a turn: a seat has one for each revision of its match."""
    return f"t{match_id}.{revision}"


def read_turn_id(text: str) -> tuple[str, int]:
    """Match id and revision of a turn; raises UnknownTurnError."""
    match_id, _, revision = text.removeprefix("t").rpartition(".")
    digits = revision.isascii() and revision.isdecimal() and len(revision) <= 6
    if not (text.startswith("t") and match_id and digits):
        raise UnknownTurnError("there is no such turn: take its name from GET /api/1/turn")
    return match_id, int(revision)


class BotAttendance(Attendance[str]):
    """Which bots have asked for a turn lately, by id."""
