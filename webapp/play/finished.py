"""A finished match, as far as a record against someone needs it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finished:
    """A finished match as the list of results needs it."""

    game: str
    seats: tuple[str, str]
    holders: tuple[str | None, str | None]
    result: int  # the winner's seat, or 2 for a draw
