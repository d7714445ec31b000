"""Records of leagues and their games."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import NamedTuple

from agents.roster import agent_title
from engine import Seat
from engine.catalog import find_entry, variant_title
from webapp.bots.models import TimeControl
from webapp.errors import RequestError
from webapp.replays.models import bot_id_of, bot_name_of


class UnknownLeagueError(RequestError):
    """An address of no league."""

    status = 404


class NotYourLeagueError(RequestError):
    """Something that only the owner of a league may do or see."""

    status = 403


class TakenCodeError(RequestError):
    """A code that another league has."""

    status = 409


class ManyLeaguesError(RequestError):
    """One league more than there may be."""

    status = 409


@dataclass(frozen=True, slots=True)
class Teachers:
    """Who owns a class, and so may make a league."""

    is_teacher: Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class LeagueRecord:
    """A league, as its row; times in seconds since 1970."""

    id: str
    owner: str  # a player
    title: str
    game: str  # spec
    move_s: float
    bank_s: float
    code: str  # with which bots join
    begins: int
    ends: int
    created: int = 0

    @property
    def path(self) -> str:
        return f"/leagues/{self.id}"

    @property
    def time(self) -> TimeControl:
        return TimeControl(self.move_s, self.bank_s)

    @property
    def game_title(self) -> str:
        return f"{find_entry(self.game.partition(':')[0]).title} · {variant_title(self.game)}"

    def is_open(self, now: float) -> bool:
        """Whether games are begun now."""
        return self.begins <= now < self.ends

    def when(self, now: float) -> str:
        """`until 3 May 2026`; `from 1 May 2026`; `over since 3 May 2026`."""
        if now < self.begins:
            return f"from {_day(self.begins)} to {_day(self.ends - 1)}"
        return (
            f"until {_day(self.ends - 1)}" if now < self.ends else f"over since {_day(self.ends)}"
        )


@dataclass(frozen=True, slots=True)
class LeagueGame:
    """A game of a league; seats are those of its match."""

    league_id: str
    number: int  # from 1
    first: str
    second: str
    match_id: str
    begun: float
    ended: float | None = None
    winner: int | None = None  # a seat; None with `ended`: drawn
    plies: int = 0
    fault: str | None = None  # of the loser
    first_blunders: int | None = None  # by exact value; None: unknown
    second_blunders: int | None = None

    @property
    def seats(self) -> tuple[str, str]:
        return self.first, self.second

    @property
    def path(self) -> str:
        return f"/matches/{self.match_id}"

    def score(self, seat: Seat) -> int:
        """1 won, 0 drawn, -1 lost."""
        if self.winner is None:
            return 0
        return 1 if self.winner == int(seat) else -1

    def seat_of(self, player: str) -> Seat:
        return Seat(self.seats.index(player))

    def blunders(self, seat: Seat) -> int | None:
        return (self.first_blunders, self.second_blunders)[seat]

    def moves_of(self, seat: Seat) -> int:
        return (self.plies + (1 if seat is Seat.FIRST else 0)) // 2


class Result(NamedTuple):
    """Of a game that has ended."""

    first: str
    second: str
    winner: int | None  # a seat
    ended: float


@dataclass(frozen=True, slots=True)
class PairScore:
    """The ended games in which `first` moved first against `second`."""

    first: str
    second: str
    wins: int  # of `first`
    draws: int
    losses: int


@dataclass(frozen=True, slots=True)
class Activity:
    """The games a player has begun, and when the last one was."""

    games: int = 0
    last: float = 0.0
    open: int = 0


def player_name(player: str, game: str) -> str:
    """The name of a bot or a machine."""
    return bot_name_of(player) if bot_id_of(player) else agent_title(player, game)


def _day(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%-d %B %Y")
