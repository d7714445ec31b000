"""A match at one ply as one visitor sees it: players, permissions, addresses, the move list."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Any

from agents.contest.ladder import level_text
from agents.roster import agent_name
from engine import Ending, Match, Outcome, Seat
from engine.catalog import find_entry
from engine.errors import ZermeloError
from webapp.analysis.summary import with_verb
from webapp.boards import has_marks
from webapp.replays.models import Record, bot_name_of
from webapp.replays.presence import presence_text
from webapp.replays.query import MatchQuery, child_url
from webapp.web.cookies import Actor

SEAT_COLOURS = {Seat.FIRST: "Blue", Seat.SECOND: "Orange"}
MOVES_PER_PAGE = 16  # the last page has 8 to 24


@dataclass(frozen=True, slots=True)
class Visit:
    """What a page needs of the request: who asks, for what, when, and by which address."""

    actor: Actor
    query: MatchQuery
    address: str = ""  # as requested, except for escapes in the path
    site: str = ""  # scheme and host, for absolute links
    games_met: frozenset[str] = frozenset()  # keys of the games this browser has played
    now: int = 0  # seconds since 1970
    known: str | None = None  # the key of what the page that asks has already


@dataclass(frozen=True, slots=True)
class Ply:
    """A move of the list, linked to the position after it."""

    number: int  # 1 for the first move
    text: str
    url: str
    shown: bool  # the position on the board is the one after this move


@dataclass(frozen=True, slots=True)
class Turn:
    """A row of the move list: the first seat's move, then the second's."""

    number: int  # of its first move
    plies: tuple[Ply | None, Ply | None]


@dataclass(frozen=True, slots=True)
class ListPage:
    """A page of a long move list."""

    label: str  # 41 to 80
    url: str
    current: bool


class PlayerKind(StrEnum):
    """Who holds a seat, from this visitor's point of view."""

    YOU = "you"
    PERSON = "person"
    AGENT = "agent"
    BOT = "bot"


@dataclass(frozen=True, slots=True)
class Player:
    """The player on one seat."""

    seat: Seat
    mark: str  # x or o
    glyph: str  # the same where pieces show it; empty where players are colours
    title: str  # You, Friend, Alpha-beta · depth 6
    name: str  # You, Friend, Alpha-beta
    setting: str  # an agent's level or options that are not the default: depth 6
    kind: PlayerKind
    spec: str | None  # agents only
    to_move: bool
    won: bool
    presence: str = ""  # a friend on another device: here, away for 20 s

    @property
    def is_you(self) -> bool:
        return self.kind is PlayerKind.YOU


@dataclass(frozen=True)  # no slots: cached properties
class MatchView:
    """A record at the requested ply, with what this visitor may do there."""

    record: Record
    visit: Visit

    @property
    def match(self) -> Match[Any, Any]:
        return self.record.match

    @property
    def game(self) -> str:
        """Its key."""
        return self.match.game.key

    @property
    def query(self) -> MatchQuery:
        return self.visit.query

    @cached_property
    def ply(self) -> int:
        return self.record.check_ply(self.query.ply)

    @property
    def last_ply(self) -> int:
        return self.match.ply

    @property
    def state(self) -> Any:
        """The shown position."""
        return self.match.states[self.ply]

    @cached_property
    def players(self) -> tuple[Player, Player]:
        return players_at(self.record, self.ply, self.visit.actor, self.visit.now)

    @cached_property
    def mover(self) -> Player | None:
        """Who is to move at the shown ply; None when it is over there."""
        return next((player for player in self.players if player.to_move), None)

    @cached_property
    def path(self) -> str:
        return self.record.path

    @cached_property
    def here(self) -> str:
        """The address of what is shown."""
        return self.query.url(self.path)

    @cached_property
    def live(self) -> bool:
        return self.ply == self.last_ply

    @property
    def outcome(self) -> Outcome | None:
        """The outcome of the match, if its last ply is shown."""
        return self.record.outcome if self.live else None

    @cached_property
    def may_change(self) -> bool:
        return self.record.may_change(self.visit.actor)

    @cached_property
    def may_move(self) -> bool:
        return self.live and self.record.may_move(self.visit.actor)

    @cached_property
    def advice_refusal(self) -> str | None:
        """Why agents give no advice here; None where they do."""
        return self.record.advice_refusal(self.visit.actor)

    @property
    def advice_allowed(self) -> bool:
        return self.advice_refusal is None

    @property
    def hint_allowed(self) -> bool:
        return self.may_move and self.advice_allowed

    @cached_property
    def awaits_reply(self) -> bool:
        """Whether an agent is to move and this visitor may request its reply."""
        return self.may_change and self.live and self.record.agent_is_to_move

    @cached_property
    def url(self) -> str:
        """The address of the last ply with the same query."""
        return self.query.at_ply(None).url(self.path)

    def ply_url(self, ply: int) -> str:
        """The address of a ply with the same query."""
        if ply == self.last_ply:
            return self.url
        rest = self.url[len(self.path) + 1 :]
        joint = "&" if "?" in self.path else "?"
        return f"{self.path}{joint}ply={ply}&{rest}" if rest else f"{self.path}{joint}ply={ply}"

    def child(self, name: str) -> str:
        """The address of an action."""
        return child_url(self.path, name)

    @cached_property
    def moves_on_page(self) -> range:
        """The numbers of the moves on the page of the move list with the shown ply."""
        return next(page for page in _pages(self.last_ply) if max(1, self.ply) in page)

    @property
    def pages(self) -> tuple[ListPage, ...]:
        """Links to the pages of the move list; none where all moves fit on one."""
        pages = _pages(self.last_ply)
        if len(pages) == 1:
            return ()
        return tuple(
            ListPage(f"{page[0]} to {page[-1]}", self.ply_url(page[0]), page == self.moves_on_page)
            for page in pages
        )

    @property
    def all_turns(self) -> tuple[Turn, ...]:
        """The move list: a row per turn, the first seat's move on the left."""
        plies: list[Ply | None] = [
            Ply(number, str(move), self.ply_url(number), shown=number == self.ply)
            for number, move in enumerate(self.match.moves, start=1)
        ]
        if plies and self.match.states[0].to_move is Seat.SECOND:
            plies.insert(0, None)
        if len(plies) % 2:
            plies.append(None)
        pairs = zip(plies[::2], plies[1::2], strict=True)
        return tuple(
            Turn(next(ply.number for ply in pair if ply is not None), pair) for pair in pairs
        )

    @cached_property
    def turns(self) -> tuple[Turn, ...]:
        """The shown page of the move list."""
        page = self.moves_on_page
        return tuple(
            turn for turn in self.all_turns if any(ply and ply.number in page for ply in turn.plies)
        )


def _pages(moves: int) -> Sequence[range]:
    count = max(1, round(moves / MOVES_PER_PAGE))
    starts = [1 + MOVES_PER_PAGE * page for page in range(count)]
    ends = [*starts[1:], max(moves, 1) + 1]
    return [range(start, end) for start, end in zip(starts, ends, strict=True)]


def players_at(record: Record, ply: int, actor: Actor, now: int = 0) -> tuple[Player, Player]:
    """Both players at that ply from this visitor's point of view."""
    match = record.match
    at_ply = match if ply == match.ply else match.at(ply)
    outcome = at_ply.outcome()

    def player(seat: Seat) -> Player:
        kind = _kind(record, seat, actor)
        name, setting = _player_name(record, seat, kind, actor)
        return Player(
            seat=seat,
            mark=seat.mark,
            glyph=seat.mark if has_marks(match.game) else "",
            title=f"{name} · {setting}" if setting else name,
            name=name,
            setting=_with_level(setting, record.seats[seat])
            if kind is PlayerKind.AGENT
            else setting,
            kind=kind,
            spec=record.seats[seat] if kind is PlayerKind.AGENT else None,
            to_move=outcome is None and at_ply.state.to_move is seat,
            won=outcome is not None and outcome.winner is seat,
            presence=_presence(record, seat, kind, actor, now),
        )

    return player(Seat.FIRST), player(Seat.SECOND)


def ending_text(record: Record, outcome: Outcome, players: tuple[Player, Player]) -> str:
    """The reason why the match is over."""
    match = record.match
    match outcome.ending:
        case Ending.RESIGNATION:
            assert outcome.winner is not None
            loser = players[outcome.winner.other]
            what, _ = record.failure or ("resigned", "")
            return f"{inner_name(loser)} {what}"
        case Ending.BOARD_FULL:
            return "the board is full"
        case Ending.REPETITION:
            return f"the same position stood {match.game.repetition} times"
        case Ending.PLY_LIMIT:
            return f"{match.game.ply_limit} moves are played"
        case _:
            names = [inner_name(player) for player in players]
            mover: Seat = match.states[-1].to_move.other
            return find_entry(match.game.key).ending(outcome, mover, names)


def result_text(outcome: Outcome, players: tuple[Player, Player], why: str) -> str:
    """`You win: three in column a`."""
    if outcome.winner is None:
        return f"A draw: {why}"
    winner = players[outcome.winner]
    return f"{with_verb(winner, 'win')}: {why}"


def inner_name(player: Player) -> str:
    """The name within a sentence: `you`, `Perfect`."""
    return "you" if player.kind is PlayerKind.YOU else player.title


def match_title(players: tuple[Player, Player]) -> str:
    """`You against Perfect`: the visitor comes first."""
    one, other = sorted(players, key=lambda player: player.kind is not PlayerKind.YOU)
    return f"{one.title} against {other.title}"


def _kind(record: Record, seat: Seat, actor: Actor) -> PlayerKind:
    """An actor who holds both seats is neither `you`: two people share that screen."""
    if seat in record.agents:
        return PlayerKind.AGENT
    if seat in record.bots:
        return PlayerKind.BOT
    return PlayerKind.YOU if record.held_by(actor) == (seat,) else PlayerKind.PERSON


def _presence(record: Record, seat: Seat, kind: PlayerKind, actor: Actor, now: int) -> str:
    """The presence of a friend, shown to players but not to spectators."""
    friend = kind is PlayerKind.PERSON and record.is_shared and record.held_by(actor)
    return presence_text(record.seen[seat], now) if friend and now else ""


def _side_name(record: Record, seat: Seat) -> str:
    """`Player x`, or the seat's colour where no piece shows a mark."""
    return f"Player {seat.mark}" if has_marks(record.match.game) else SEAT_COLOURS[seat]


def _with_level(setting: str, spec: str) -> str:
    """`Learner (level 3 of 15)`: which of an agent's levels that is."""
    with suppress(ZermeloError):  # its package has been removed since
        if setting and (level := level_text(spec)):
            return f"{setting} ({level})"
    return setting


def _player_name(record: Record, seat: Seat, kind: PlayerKind, actor: Actor) -> tuple[str, str]:
    match kind:
        case PlayerKind.YOU:
            return "You", ""
        case PlayerKind.PERSON if record.holders[seat] is None and record.is_shared:
            return "Your friend", ""
        case PlayerKind.PERSON if record.is_shared and record.held_by(actor):
            return "Friend", ""
        case PlayerKind.PERSON:
            return "A person" if len(record.people) == 1 else _side_name(record, seat), ""
        case PlayerKind.BOT:
            return bot_name_of(record.seats[seat]), "bot"
        case PlayerKind.AGENT:
            return agent_name(record.seats[seat], record.game)
