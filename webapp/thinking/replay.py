"""Matches rebuilt from their texts, each from the one a move before, which is mostly known."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from engine import Match, load_game

STRIDE = 64  # plies that may be played on at once, well within Python's recursion


def replayed(game: str, start: str | None, moves: tuple[str, ...]) -> Match[Any, Any]:
    """The match with these moves from this state, or from the game's own start."""
    for known in range(STRIDE, len(moves), STRIDE):
        _played_on(game, start, moves[:known])
    return _played_on(game, start, moves)


@lru_cache(maxsize=4096)
def _played_on(game: str, start: str | None, moves: tuple[str, ...]) -> Match[Any, Any]:
    rules = load_game(game)
    if not moves:
        return Match.begin(rules, None if start is None else rules.parse_state(start))
    return _played_on(game, start, moves[:-1]).play(rules.parse_move(moves[-1]))
