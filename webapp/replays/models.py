"""A match as it is stored: the move list, who plays, and how often it was changed."""

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
from engine.errors import ZermeloError, tell_once
from engine.transcript import replayed
from webapp.replays.errors import UnreadableMatchError
from webapp.replays.query import path_of
from webapp.web.cookies import Actor

PERSON = "person"  # stands where an agent's spec would
INVITED = "friend"  # asks for a person's seat that someone takes by invitation
CLASS = "class:"  # and so does this, with the class's id: its students vote
NOBODY = (None, None)
LONGEST_NOTE = 300
UNSTORED = ""  # the id of a match that has yet to be given one


@dataclass(frozen=True, slots=True)
class PlyRecord:
    """One move, and the revision of the match it was played in.

    The analysis that made it goes to the store with it, and is read from there when asked for.
    """

    text: str
    revision: int
    note: str | None = None
    analysis: bytes | None = field(default=None, compare=False, repr=False)


class Wish(StrEnum):
    """What one player of two may only do where the other agrees."""

    UNDO = "undo"
    REMATCH = "rematch"
    SWAP = "swap"


@dataclass(frozen=True, slots=True)
class Proposal:
    """A wish of the player on that seat, which the other accepts or declines."""

    wish: Wish
    seat: Seat

    def __str__(self) -> str:
        return f"{self.wish} {int(self.seat)}"

    @classmethod
    def read(cls, text: str) -> Proposal:
        """What was written; raises ValueError."""
        wish, _, seat = text.partition(" ")
        return cls(Wish(wish), Seat(int(seat)))


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A match that is there, and of which no more can be said."""

    id: str


@dataclass(frozen=True, slots=True)
class ReplayPlace:
    """Where a game is shown that is kept elsewhere than among the matches: nobody changes it."""

    path: str
    above: tuple[tuple[str, str], ...]  # the pages it belongs to, outermost first: name, address
    note: str = ""  # what is to be known of it: game 3 of 40
    ending: str = ""  # what is to be known of its end: who broke, and how


@dataclass(frozen=True)  # without slots: what follows from the fields is worked out once
class Record:
    """One match. The truth is `plies`; every change raises `revision`."""

    id: str
    owner: str
    game: str  # spec
    seats: tuple[str, str]  # specs, PERSON, or CLASS and its id
    holders: tuple[str | None, str | None] = NOBODY  # which player sits on a person's seat
    start: str | None = None  # the state it began in, unless the game's own
    plies: tuple[PlyRecord, ...] = ()
    revision: int = 0
    resigned: Seat | None = None
    updated: int = 0
    invitation: str | None = None  # whoever knows it may take the seat that is free
    offer: Proposal | None = None
    followed_by: str | None = None  # the match that both agreed on after it
    seen: tuple[int | None, int | None] = field(default=NOBODY, compare=False)
    created: int = field(default=0, compare=False)
    follows: str | None = field(default=None, compare=False)  # of a match that has yet to begin
    place: ReplayPlace | None = None  # None: it is a match, under its id

    @property
    def path(self) -> str:
        return path_of(self.id) if self.place is None else self.place.path

    @cached_property
    def is_shared(self) -> bool:
        """Whether two people play at screens of their own, or one waits for the other."""
        return self.seats == (PERSON, PERSON) and self.holders[0] != self.holders[1]

    @cached_property
    def is_voted_on(self) -> bool:
        """Whether a class votes on the moves of a seat."""
        return any(seat.startswith(CLASS) for seat in self.seats)

    @cached_property
    def free_seat(self) -> Seat | None:
        """A person's seat that nobody has taken yet."""
        free = (seat for seat in Seat if self.seats[seat] == PERSON and not self.holders[seat])
        return next(free, None)

    @cached_property
    def match(self) -> Match[Any, Any]:
        """The match replayed by the rules; raises UnreadableMatchError."""
        try:
            match = replayed(self.game, self.start, tuple(ply.text for ply in self.plies))
        except Exception as error:  # rules that changed, a package that is gone or fails
            why = "this match cannot be read any more: its game has changed, or is gone"
            tell_once(__name__, f"match {self.id} cannot be replayed: {error!r}"[:500])
            raise UnreadableMatchError(why) from error
        return match if self.resigned is None else replace(match, resigned=self.resigned)

    @cached_property
    def outcome(self) -> Outcome | None:
        """How it ended."""
        return self.match.outcome()

    @cached_property
    def people(self) -> tuple[Seat, ...]:
        """The seats that people sit on."""
        return tuple(seat for seat in Seat if is_for_people(self.seats[seat]))

    @cached_property
    def agents(self) -> tuple[Seat, ...]:
        """The seats that agents sit on."""
        return tuple(seat for seat in Seat if not is_for_people(self.seats[seat]))

    def held_by(self, actor: Actor) -> tuple[Seat, ...]:
        """The seats this actor moves for."""
        return tuple(
            seat
            for seat in self.people
            if (actor.player is not None and self.holders[seat] == actor.player)
            or self.seats[seat] == actor.seat
        )


def is_the_same(one: Record, other: Record) -> bool:
    """Whether two records are of one game: the same players, and every move."""
    told = [
        (r.game, r.seats, r.start, r.resigned, [ply.text for ply in r.plies]) for r in (one, other)
    ]
    return told[0] == told[1]


def one_line(note: str | None) -> str | None:
    """A note as every database keeps it: an agent's words may hold anything, and be long."""
    if note is None:
        return None
    return "".join(c if c.isprintable() else " " for c in note)[:LONGEST_NOTE]


def is_for_people(seat: str) -> bool:
    """Whether a seat is no agent's."""
    return seat == PERSON or seat.startswith(CLASS)


def new_record(
    owner: str,
    match: Match[Any, Any],
    seats: tuple[str, str],
    holders: tuple[str | None, str | None] | None = None,
) -> Record:
    """A match that has yet to be stored. Its owner sits on every person's seat nobody else has.

    A seat for whoever is INVITED is free, and there is a secret that gives it away.
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
    """A finished match as the list of results needs it."""

    game: str
    seats: tuple[str, str]
    holders: tuple[str | None, str | None]
    result: int  # the winner's seat, or 2 for a draw


LARGEST = 100_000  # bytes of JSON; beyond that a technique says more than anyone will read


def pack(analysis: Analysis[Any] | None) -> bytes | None:
    """The bytes to keep; None for what an agent from elsewhere said that cannot be kept."""
    if analysis is None:
        return None
    try:
        text = json.dumps(to_document(analysis), separators=(",", ":"), allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        return None
    return zlib.compress(text.encode(), level=1) if len(text) <= LARGEST else None


def unpack(packed: bytes, game: Game[Any, Any]) -> Analysis[Any] | None:
    """The analysis in them; None where this version cannot read it any more."""
    try:
        return from_document(json.loads(zlib.decompress(packed)), game)
    except (zlib.error, ValueError, TypeError, KeyError, ZermeloError):
        return None
