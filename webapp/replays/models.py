"""Match records, frozen values as the store reads and writes them, and who may do what with one."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from typing import Any
from urllib.parse import quote, unquote

from agents.contest.ladder import Rung, easier_rung, next_rung
from agents.players.spec import is_player
from engine import Match, Outcome, Seat
from engine.errors import warn_once, without_controls
from engine.transcript import replayed
from webapp.errors import RequestError
from webapp.replays.presence import Pulse
from webapp.replays.query import match_path
from webapp.web.cookies import Actor

PERSON = "person"  # in place of an agent's spec
INVITED = "friend"  # in a form: a person's seat to be taken by invitation
CLASS_PREFIX = "class:"  # in place of an agent's spec, before the id of the class that votes
BOT_PREFIX = "bot:"  # in place of an agent's spec, before the bot's id, a colon and its name
NOBODY = (None, None)
MAX_NOTE_CHARS = 300
UNSTORED = ""  # the id of a match that is not stored yet
NO_ADVICE_AGAINST_FRIEND = (
    "while you play a friend no machine advises either of you: they speak once it is over"
)
NO_ADVICE_DURING_VOTE = (
    "while a class votes on its moves no machine advises: they speak once it is over"
)
NO_ADVICE_WHILE_RATED = "this game counts: machines say what they think of it once it is over"


class UnknownMatchError(RequestError):
    """An address of no match, or of a ply that was never played."""

    status = 404


class UnreadableMatchError(RequestError):
    """A match that was kept, but cannot be read any more."""

    status = 410


class NotYourMatchError(RequestError):
    """A change asked for by someone who may only read."""

    status = 403


class StaleError(RequestError):
    """A form made before the match last changed."""

    status = 409
    code = "stale"


class FinishedError(RequestError):
    """A change to a match that is over."""

    status = 409
    code = "over"


class NotYourTurnError(RequestError):
    """A move, a reply or a take-back when it is not due."""

    status = 409
    code = "turn"


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
    traceback: str = ""  # of that agent, for its author
    name: str = "match"  # in links back to it


@dataclass(frozen=True)  # no slots: cached properties
class Record:
    """One match: `plies` is the truth, every change increments `revision`."""

    id: str
    owner: str
    game: str  # spec
    seats: tuple[str, str]  # agent specs, PERSON, CLASS_PREFIX and an id, or a bot (`bot_seat`)
    holders: tuple[str | None, str | None] = NOBODY  # player ids on the seats of people
    start: str | None = None  # the initial state, unless the game's own
    plies: tuple[PlyRecord, ...] = ()
    revision: int = 0
    resigned: Seat | None = None
    fault: str | None = None  # why `resigned` lost, where it did not give up: `timed out after …`
    rated: bool = False  # no machine advises while it is played
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
        return tuple(seat for seat in Seat if is_for_agent(self.seats[seat]))

    @cached_property
    def bots(self) -> tuple[Seat, ...]:
        """The seats held by bots, which move by themselves over the API."""
        return tuple(seat for seat in Seat if self.seats[seat].startswith(BOT_PREFIX))

    @cached_property
    def guests(self) -> tuple[Seat, ...]:
        """The seats of bots and players from outside, which are never asked twice."""
        files = (seat for seat in self.agents if is_player(self.seats[seat]))
        return (*self.bots, *files)

    @cached_property
    def next_opponent(self) -> Rung | None:
        """For a person who played an agent of ours to the end: harder, or easier if they lost."""
        if self.outcome is None or self.is_voted_on or len(self.agents) != 1 or not self.people:
            return None
        find = easier_rung if self.is_lost_to_agent else next_rung
        return find(self.game, self.seats[self.agents[0]])

    @property
    def is_lost_to_agent(self) -> bool:
        """Whether the one agent of a finished match won it."""
        return self.outcome is not None and self.outcome.winner in self.agents

    @property
    def failure(self) -> tuple[str, str] | None:
        """(what the loser did, why) where it did not give up: (`forfeited`, `it failed with …`)."""
        if self.fault is None:
            return None
        what, _, why = self.fault.partition(": ")
        return what, why

    @property
    def pulse(self) -> Pulse:
        offer = None if self.offer is None else str(self.offer)
        return Pulse(self.revision, offer, self.followed_by, self.holders, self.seen)

    def held_by(self, actor: Actor) -> tuple[Seat, ...]:
        """The seats this actor moves for."""
        return tuple(
            seat
            for seat in (*self.people, *self.bots)
            if (actor.player is not None and self.holders[seat] == actor.player)
            or self.seats[seat] == actor.seat
        )

    @cached_property
    def agent_is_to_move(self) -> bool:
        """Whether the next move is an agent's."""
        return self.outcome is None and self.match.state.to_move in self.agents

    def may_move(self, actor: Actor) -> bool:
        """Whether it is this actor's turn."""
        return self.outcome is None and self.match.state.to_move in self.held_by(actor)

    def may_change(self, actor: Actor) -> bool:
        """Whether the actor owns the match or holds a seat in it."""
        owns = actor.player is not None and self.owner == actor.player
        return owns or bool(self.held_by(actor))

    def check_actor(self, actor: Actor) -> None:
        """Raises NotYourMatchError for a spectator."""
        if not self.may_change(actor):
            why = "this is someone else's match: you can watch, or play on from here"
            raise NotYourMatchError(why)

    def advice_refusal(self, actor: Actor) -> str | None:
        """Why no agent advises the actor; None where advice is allowed.

        There is no advice for a player of an unfinished match against a friend on another device,
        who could not see it, and none for anyone while a class votes or a rated game is played.
        """
        if self.outcome is not None:
            return None
        if self.is_voted_on:
            return NO_ADVICE_DURING_VOTE
        if self.rated:
            return NO_ADVICE_WHILE_RATED
        return NO_ADVICE_AGAINST_FRIEND if self.is_shared and self.held_by(actor) else None

    def check_advice(self, actor: Actor) -> None:
        """Raises NotYourTurnError."""
        if why := self.advice_refusal(actor):
            raise NotYourTurnError(why)

    def check_ply(self, ply: int | None) -> int:
        """The number of the ply (None: the last); raises UnknownMatchError if it has none such."""
        if ply is not None and not 0 <= ply <= len(self.plies):
            raise UnknownMatchError(f"this match has no such ply: {len(self.plies)} were played")
        return len(self.plies) if ply is None else ply

    def last_turn_of(self, own: tuple[Seat, ...]) -> int | None:
        """The last ply at which one of these seats was to move, to which undo goes back.

        After a resignation it is the last ply.
        """
        if not own:
            return None
        match = self.match
        if self.resigned is not None:
            return match.ply
        turns = [ply for ply in range(match.ply) if match.states[ply].to_move in own]
        return turns[-1] if turns else None

    def resigning_seat(self, actor: Actor) -> Seat | None:
        """The seat that loses when the actor resigns; None for a spectator."""
        match self.held_by(actor):
            case ():
                return None
            case (seat,):
                return seat
            case _:
                return Seat(self.match.state.to_move)


def one_line(note: str | None) -> str | None:
    """Clean and truncate an agent's note so that every database can store it."""
    if note is None:
        return None
    return without_controls(note)[:MAX_NOTE_CHARS]


def is_for_people(seat: str) -> bool:
    """Whether a person or a class, not an agent, plays this seat."""
    return seat == PERSON or seat.startswith(CLASS_PREFIX)


def is_for_agent(seat: str) -> bool:
    """Whether an agent that a worker runs plays this seat."""
    return not is_for_people(seat) and not seat.startswith(BOT_PREFIX)


def bot_seat(bot_id: str, name: str) -> str:
    """The seat of a bot; it carries the name, so that a match can be shown without its bots."""
    return f"{BOT_PREFIX}{bot_id}:{quote(name, safe='')}"


def bot_id_of(seat: str) -> str | None:
    """The id of the bot on this seat; None for anyone else."""
    return seat.split(":", 2)[1] if seat.startswith(BOT_PREFIX) else None


def bot_name_of(seat: str) -> str:
    """The name of the bot on this seat."""
    return unquote(seat.removeprefix(BOT_PREFIX).partition(":")[2])


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
