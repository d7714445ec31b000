"""A match as it is stored: the move list, who plays, and how often it was changed."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from engine import Match, Outcome, Seat
from engine.faults import tell_once
from webapp.thinking.replay import replayed
from webapp.web.errors import UnreadableMatchError
from webapp.web.players import Actor

PERSON = "person"  # stands where an agent's spec would
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


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A match that is there, and of which no more can be said."""

    id: str


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
    """A match that has yet to be stored. Its owner sits on every person's seat nobody else has."""
    plies = tuple(PlyRecord(str(move), at) for at, move in enumerate(match.moves))
    first, second = holders or (owner if seat == PERSON else None for seat in seats)
    return Record(
        UNSTORED,
        owner,
        match.game.spec,
        seats,
        (first, second),
        None if match.start is None else str(match.start),
        plies,
        len(plies),
        match.resigned,
    )
