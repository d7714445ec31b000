"""A match as it is stored: the move list, who plays, and how often it was changed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

from engine import Match, Outcome, Seat, load_game

PERSON = "person"  # stands where an agent's spec would


@dataclass(frozen=True, slots=True)
class PlyRecord:
    """One move, and the revision of the match it was played in."""

    text: str
    revision: int
    note: str | None = None


@dataclass(frozen=True)  # without slots: what follows from the fields is worked out once
class Record:
    """One match. The truth is `plies`; every change raises `revision`."""

    id: str
    owner: str
    game: str  # spec
    seats: tuple[str, str]  # specs, or PERSON
    plies: tuple[PlyRecord, ...] = ()
    revision: int = 0
    resigned: Seat | None = None
    updated: int = 0

    @cached_property
    def match(self) -> Match[Any, Any]:
        """The match replayed by the rules."""
        match = replayed(self.game, tuple(ply.text for ply in self.plies))
        return match if self.resigned is None else replace(match, resigned=self.resigned)

    @cached_property
    def outcome(self) -> Outcome | None:
        """How it ended."""
        return self.match.outcome()

    @cached_property
    def people(self) -> tuple[Seat, ...]:
        """The seats that people sit on."""
        return tuple(seat for seat in Seat if self.seats[seat] == PERSON)

    @cached_property
    def agents(self) -> tuple[Seat, ...]:
        """The seats that agents sit on."""
        return tuple(seat for seat in Seat if self.seats[seat] != PERSON)


@lru_cache(maxsize=4096)
def replayed(spec: str, texts: tuple[str, ...]) -> Match[Any, Any]:
    """The match with these moves, one played on from the match before: that one is mostly known.

    The longest match there can be, 500 plies of Nim, is well within Python's recursion.
    """
    game = load_game(spec)
    if not texts:
        return Match.begin(game)
    return replayed(spec, texts[:-1]).play(game.parse_move(texts[-1]))
