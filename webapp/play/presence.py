"""Whether a friend is here, told in rough words, and the pulse of a match that is followed."""

from __future__ import annotations

from dataclasses import dataclass

from engine import Seat

AWAY = (
    (3600, "away for an hour"),
    (300, "away for 5 min"),
    (60, "away for 1 min"),
    (20, "away for 20 s"),
)
HERE = "here"


@dataclass(frozen=True, slots=True)
class Pulse:
    """Of a match all that changes while someone follows it."""

    revision: int
    offer: str | None
    followed_by: str | None
    holders: tuple[str | None, str | None]
    seen: tuple[int | None, int | None]

    def known(self, player: str | None, now: int) -> str:
        """Names what a page shows of it: another name, and the page has to change.

        Only a player is told whether the other is there.
        """
        here = ""
        if player is not None and player in self.holders:
            others = [seat for seat in Seat if self.holders[seat] != player]
            here = "".join(presence(self.seen[seat], now) for seat in others)
        free = self.holders.count(None)
        parts = (self.revision, free, self.offer or "", self.followed_by or "", here)
        return "-".join(map(str, parts)).replace(" ", "_")


def presence(seen: int | None, now: int) -> str:
    """`here`, or for how long not; nothing of someone who has never looked."""
    if seen is None:
        return ""
    return next((words for least, words in AWAY if now - seen >= least), HERE)
