"""Match records: frozen values as the store reads and writes them, and their packed analyses."""

from __future__ import annotations

import json
import secrets
import zlib
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from typing import Any

from agents import Analysis
from agents.serialisation import from_document, to_document
from engine import Game, Match, Outcome, Seat
from engine.errors import ZermeloError, warn_once
from engine.transcript import replayed
from webapp.replays.errors import UnreadableMatchError
from webapp.replays.query import match_path
from webapp.web.cookies import Actor

PERSON = "person"  # in place of an agent's spec
INVITED = "friend"  # in a form: a person's seat to be taken by invitation
CLASS_PREFIX = "class:"  # in place of an agent's spec, before the id of the class that votes
FORMAT = "zermelo match 2"  # in JSON
NOBODY = (None, None)
MAX_NOTE_CHARS = 300
MAX_ANALYSIS_CHARS = 100_000  # of JSON; larger analyses are not stored
UNSTORED = ""  # the id of a match that is not stored yet


@dataclass(frozen=True, slots=True)
class PlyRecord:
    """One move and the revision of the match it was played in."""

    text: str
    revision: int
    note: str | None = None
    # Written with the move; reading it back is a separate query.
    analysis: bytes | None = field(default=None, compare=False, repr=False)


class Wish(StrEnum):
    """A change that needs the other player's consent."""

    UNDO = "undo"
    REMATCH = "rematch"
    SWAP = "swap"


@dataclass(frozen=True, slots=True)
class Proposal:
    """A wish that the player on `seat` has proposed to the other."""

    wish: Wish
    seat: Seat

    def __str__(self) -> str:
        return f"{self.wish} {int(self.seat)}"

    @classmethod
    def read(cls, text: str) -> Proposal:
        """Parse the text form; raises ValueError."""
        wish, _, seat = text.partition(" ")
        return cls(Wish(wish), Seat(int(seat)))


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A stored match that cannot be read or replayed any more."""

    id: str


@dataclass(frozen=True, slots=True)
class ReplayPlace:
    """The address of a game that is not stored as a match: one of an arena, or a position."""

    path: str
    above: tuple[tuple[str, str], ...] = ()  # breadcrumbs, outermost first: name, address
    note: str = ""  # game 3 of 40
    ending: str = ""  # why it ended, where an agent failed
    name: str = "match"  # in links back to it


@dataclass(frozen=True)  # no slots: cached properties
class Record:
    """One match: `plies` is the truth, every change increments `revision`."""

    id: str
    owner: str
    game: str  # spec
    seats: tuple[str, str]  # agent specs, PERSON, or CLASS_PREFIX and an id
    holders: tuple[str | None, str | None] = NOBODY  # player ids on the seats of people
    start: str | None = None  # the initial state, unless the game's own
    plies: tuple[PlyRecord, ...] = ()
    revision: int = 0
    resigned: Seat | None = None
    updated: int = 0
    invitation: str | None = None  # the secret that grants the free seat
    offer: Proposal | None = None
    followed_by: str | None = None  # id of the rematch
    seen: tuple[int | None, int | None] = field(default=NOBODY, compare=False)
    created: int = field(default=0, compare=False)
    follows: str | None = field(default=None, compare=False)  # id of the match this is a rematch of
    place: ReplayPlace | None = None  # None: a match under its id

    @property
    def path(self) -> str:
        return match_path(self.id) if self.place is None else self.place.path

    @cached_property
    def is_shared(self) -> bool:
        """Whether two people play on separate devices, or one waits for the other to join."""
        return self.seats == (PERSON, PERSON) and self.holders[0] != self.holders[1]

    @cached_property
    def is_voted_on(self) -> bool:
        """Whether a class votes on the moves of a seat."""
        return any(seat.startswith(CLASS_PREFIX) for seat in self.seats)

    @cached_property
    def free_seat(self) -> Seat | None:
        """The first seat for a person that nobody holds yet."""
        free = (seat for seat in Seat if self.seats[seat] == PERSON and not self.holders[seat])
        return next(free, None)

    @cached_property
    def match(self) -> Match[Any, Any]:
        """Replay the moves by the rules; raises UnreadableMatchError."""
        try:
            match = replayed(self.game, self.start, tuple(ply.text for ply in self.plies))
        except Exception as error:  # changed rules, or a game package that is missing or fails
            why = "this match cannot be read any more: its game has changed, or is gone"
            warn_once(__name__, f"match {self.id} cannot be replayed: {error!r}"[:500])
            raise UnreadableMatchError(why) from error
        return match if self.resigned is None else replace(match, resigned=self.resigned)

    @cached_property
    def outcome(self) -> Outcome | None:
        return self.match.outcome()

    @cached_property
    def people(self) -> tuple[Seat, ...]:
        """The seats held by people."""
        return tuple(seat for seat in Seat if is_for_people(self.seats[seat]))

    @cached_property
    def agents(self) -> tuple[Seat, ...]:
        """The seats held by agents."""
        return tuple(seat for seat in Seat if not is_for_people(self.seats[seat]))

    def held_by(self, actor: Actor) -> tuple[Seat, ...]:
        """The seats this actor moves for."""
        return tuple(
            seat
            for seat in self.people
            if (actor.player is not None and self.holders[seat] == actor.player)
            or self.seats[seat] == actor.seat
        )


def is_same_game(one: Record, other: Record) -> bool:
    """Whether two records have the same players and moves."""
    first, second = (
        (r.game, r.seats, r.start, r.resigned, [ply.text for ply in r.plies]) for r in (one, other)
    )
    return first == second


def one_line(note: str | None) -> str | None:
    """Clean and truncate an agent's note so that every database can store it."""
    if note is None:
        return None
    return "".join(c if c.isprintable() else " " for c in note)[:MAX_NOTE_CHARS]


def is_for_people(seat: str) -> bool:
    """Whether a person or a class, not an agent, plays this seat."""
    return seat == PERSON or seat.startswith(CLASS_PREFIX)


def new_record(
    owner: str,
    match: Match[Any, Any],
    seats: tuple[str, str],
    holders: tuple[str | None, str | None] | None = None,
) -> Record:
    """Build the record of a match that is not stored yet.

    Unless `holders` are given, the owner holds every PERSON seat; an INVITED seat stays free and
    the record gets an invitation secret.
    """
    plies = tuple(PlyRecord(str(move), at) for at, move in enumerate(match.moves))
    first, second = holders or (owner if seat == PERSON else None for seat in seats)
    one, other = (PERSON if seat == INVITED else seat for seat in seats)
    return Record(
        UNSTORED,
        owner,
        match.game.spec,
        (one, other),
        (first, second),
        None if match.start is None else str(match.start),
        plies,
        len(plies),
        match.resigned,
        invitation=secrets.token_urlsafe(16) if INVITED in seats else None,
    )


@dataclass(frozen=True, slots=True)
class Finished:
    """The result of a finished match, without its moves."""

    game: str
    seats: tuple[str, str]
    holders: tuple[str | None, str | None]
    result: int  # the winner's seat, or 2 for a draw


def match_document(record: Record) -> dict[str, object]:
    """A match in its JSON format."""
    return {
        "format": FORMAT,
        "game": record.game,
        "players": list(record.seats),
        "start": record.start,
        "moves": [str(move) for move in record.match.moves],
        "result": record.match.result(),
    }


def pack_analysis(analysis: Analysis[Any] | None) -> bytes | None:
    """Serialise and compress an analysis; None for one that cannot be stored."""
    if analysis is None:
        return None
    try:
        text = json.dumps(to_document(analysis), separators=(",", ":"), allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        return None
    return zlib.compress(text.encode(), level=1) if len(text) <= MAX_ANALYSIS_CHARS else None


def unpack_analysis(packed: bytes, game: Game[Any, Any]) -> Analysis[Any] | None:
    """Read a packed analysis; None where this version cannot read it any more."""
    try:
        return from_document(json.loads(zlib.decompress(packed)), game)
    except (zlib.error, ValueError, TypeError, KeyError, ZermeloError):
        return None
