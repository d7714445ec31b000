"""Who follows a match: what their pages poll for, and how long someone has been away."""

from __future__ import annotations

from dataclasses import dataclass

from engine import Seat
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

    def key_for(self, player: str | None, now: int) -> str:
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
