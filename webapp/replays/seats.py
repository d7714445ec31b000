"""The two players of a match as a visitor sees them: names, presence, and texts of the result."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from agents.roster import agent_name
from engine import Ending, Match, Outcome, Seat
from engine.catalog import find_entry
from webapp.analysis.verdict import with_verb
from webapp.replays.models import Record
from webapp.web.cookies import Actor
from webapp.web.presence import Attendance

AWAY_TEXTS = (  # seconds since last seen, largest first
    (3600, "away for an hour"),
    (300, "away for 5 min"),
    (60, "away for 1 min"),
    (20, "away for 20 s"),
)
HERE = "here"


class MatchAttendance(Attendance[tuple[str, Seat]]):
    """Who has looked lately at a match with a friend, by match id and seat."""


def seats_of(player: str | None, holders: tuple[str | None, str | None]) -> tuple[Seat, ...]:
    """The seats that this player holds."""
    return tuple(seat for seat in Seat if player is not None and holders[seat] == player)


@dataclass(frozen=True, slots=True)
class Pulse:
    """The parts of a match that a page which follows it polls for."""

    revision: int
    offer: str | None
    followed_by: str | None
    holders: tuple[str | None, str | None]
    seen: tuple[int | None, int | None]

    def known(self, player: str | None, now: int) -> str:
        """A key that changes when the page has to; presence counts only for a player."""
        here = ""
        if player is not None and player in self.holders:
            others = [seat for seat in Seat if self.holders[seat] != player]
            here = "".join(presence_text(self.seen[seat], now) for seat in others)
        free = self.holders.count(None)
        parts = (self.revision, free, self.offer or "", self.followed_by or "", here)
        return "-".join(map(str, parts)).replace(" ", "_")


def presence_text(seen: int | None, now: int) -> str:
    """`here` or how long away; empty for someone who was never seen."""
    if seen is None:
        return ""
    return next((words for least, words in AWAY_TEXTS if now - seen >= least), HERE)


class PlayerKind(StrEnum):
    """Who holds a seat, from this visitor's point of view."""

    YOU = "you"
    PERSON = "person"
    AGENT = "agent"


@dataclass(frozen=True, slots=True)
class Player:
    """The player on one seat."""

    seat: Seat
    mark: str  # x or o
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
            title=f"{name} · {setting}" if setting else name,
            name=name,
            setting=setting,
            kind=kind,
            spec=record.seats[seat] if kind is PlayerKind.AGENT else None,
            to_move=outcome is None and at_ply.state.to_move is seat,
            won=outcome is not None and outcome.winner is seat,
            presence=_presence(record, seat, kind, actor, now),
        )

    return player(Seat.FIRST), player(Seat.SECOND)


def ending_text(match: Match[Any, Any], outcome: Outcome, players: tuple[Player, Player]) -> str:
    """The reason why the match is over."""
    match outcome.ending:
        case Ending.RESIGNATION:
            assert outcome.winner is not None
            loser = players[outcome.winner.other]
            return f"{inner_name(loser)} resigned"
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
    return PlayerKind.YOU if record.held_by(actor) == (seat,) else PlayerKind.PERSON


def _presence(record: Record, seat: Seat, kind: PlayerKind, actor: Actor, now: int) -> str:
    """The presence of a friend, shown to players but not to spectators."""
    friend = kind is PlayerKind.PERSON and record.is_shared and record.held_by(actor)
    return presence_text(record.seen[seat], now) if friend and now else ""


def _player_name(record: Record, seat: Seat, kind: PlayerKind, actor: Actor) -> tuple[str, str]:
    match kind:
        case PlayerKind.YOU:
            return "You", ""
        case PlayerKind.PERSON if record.holders[seat] is None and record.is_shared:
            return "Nobody yet", ""
        case PlayerKind.PERSON if record.is_shared and record.held_by(actor):
            return "Friend", ""
        case PlayerKind.PERSON:
            return "A person" if len(record.people) == 1 else f"Player {seat.mark}", ""
        case PlayerKind.AGENT:
            return agent_name(record.seats[seat], record.game)
