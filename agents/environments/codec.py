"""Positions as arrays and moves as indices, read off the texts that every game has."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.catalog import load_game
from engine.core import Game, Seat
from engine.errors import InvalidSpecError

Board = NDArray[np.int8]
Mask = NDArray[np.int8]  # [move], 1 where it is legal

ROWS = re.compile(r"[xo.]+(/[xo.]+)* [xo]")
HEAPS = re.compile(r"\d+(-\d+)* [xo]")
MAX_LAYERED_STATES = 10_000  # of games whose longest play is found by trying all of it


@dataclass(frozen=True, eq=False)
class Codec:
    """How one game is seen and played in numbers."""

    game: Game[Any, Any]
    shape: tuple[int, ...]
    high: int  # the largest number in a position; the smallest is 0
    board: Callable[[Any, Seat], Board] = field(repr=False)
    index: dict[Any, int] = field(repr=False)  # a move's place in `Game.all_moves`

    @property
    def moves(self) -> int:
        return len(self.index)

    def move(self, action: int) -> Any:
        """The move with this index."""
        return self.game.all_moves[int(action)]

    def mask(self, state: Any | None) -> Mask:
        """The legal moves of a state; none of nothing."""
        mask = np.zeros(len(self.index), np.int8)
        if state is not None:
            mask[[self.index[move] for move in state.legal_moves()]] = 1
        return mask


@lru_cache(maxsize=64)
def codec(spec: str) -> Codec:
    """The codec of a game's variant (cached); raises InvalidSpecError where there is none."""
    game = load_game(spec)
    index = {move: at for at, move in enumerate(game.all_moves)}
    text = str(game.start)
    if ROWS.fullmatch(text):
        rows = text.partition(" ")[0].split("/")
        shape = (len(rows), len(rows[0]), 2)
        return Codec(game, shape, 1, _planes(shape), index)
    if HEAPS.fullmatch(text):
        heaps = _counts(game.start, Seat.FIRST)
        return Codec(game, heaps.shape, int(heaps.max()), _counts, index)
    why = f"{game.spec} has no board of x and o and no heaps, so no array can show it"
    raise InvalidSpecError(game.spec, why)


def _planes(shape: tuple[int, ...]) -> Callable[[Any, Seat], Board]:
    """Two planes, the observer's marks and the opponent's; the top row first, as in the text."""
    codes = [np.array([ord(seat.mark), ord(seat.other.mark)], np.uint8) for seat in Seat]
    rows, columns, _ = shape
    end = rows * (columns + 1)  # of the rows and what follows each: a slash, or the last's space

    def board(state: Any, observer: Seat) -> Board:
        text = np.frombuffer(str(state).encode(), np.uint8, end)
        cells = text.reshape(rows, columns + 1)[:, :columns, np.newaxis]
        planes: Board = (cells == codes[observer]).view(np.int8)
        return planes

    return board


def _counts(state: Any, observer: Seat) -> Board:
    """The objects in each heap, which look the same from both sides."""
    return np.array(str(state).partition(" ")[0].split("-"), np.int8)


@lru_cache(maxsize=64)
def longest_play(game: Game[Any, Any]) -> int:
    """Plies that no match exceeds: exact for small games without a limit of their own."""
    if game.ply_limit is not None:
        return game.ply_limit
    if game.states is None or game.states > MAX_LAYERED_STATES:
        return game.states or MAX_LAYERED_STATES
    plies = 0
    layer = {game.start}
    while layer := {state.play(move) for state in layer for move in state.legal_moves()}:
        plies += 1
    return plies
