"""The rules of tic-tac-toe, Quixo and Nim as numbers, for networks and their search.

A position is two integers in the mover's view: the masks of the own and the other's cells, or in
Nim all heaps, six bits each, and 0. After a move they change places.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.compute.kernels import inlined, inner, kernel
from agents.quixo.bitboard import has_line, masks_of, masks_of_lines, pushed, slides_of
from engine.core import Game, Seat
from engine.nim import NimState
from engine.options import Kind, Option
from engine.square import square

TICTACTOE, QUIXO, NIM = 0, 1, 2  # kinds of rules
KINDS = {"tictactoe": TICTACTOE, "quixo": QUIXO, "nim": NIM}
WON, LOST, OPEN, DRAWN = 1, -1, 0, 2  # the result of a position, for the side to move

HEAP_BITS = 6  # of a heap of up to 50 objects
MAX_PLIES = 512  # of a game without a ply limit
MAX_MOVES = 64
MAX_INPUTS = 256

INPUTS = Option(
    "inputs",
    Kind.CHOICE,
    "plain",
    "what it sees of a heap in Nim: which count it has, or the binary digits of the count",
    choices=("plain", "binary"),
)


class Rules(NamedTuple):
    """A game for kernels."""

    kind: int
    start: int  # the first of the two integers at the start; the other is 0
    moves: NDArray[np.int64]  # [move] -> Quixo: a row of `slides_of`; cell; shift and count
    lines: NDArray[np.int64]  # [line] -> mask
    full: int  # the mask of all cells
    last_wins: bool  # in Nim
    offsets: NDArray[np.int64]  # [heap] -> its first input
    binary: bool  # a heap is seen by its binary digits
    inputs: int
    plies: int  # after which a game is drawn
    repetition: int  # occurrences of a position that make a draw; 0 where none do
    turned_inputs: NDArray[np.int32]  # [symmetry, input] -> input
    turned_moves: NDArray[np.int32]  # [symmetry, move] -> move


def why_not(game: Game[Any, Any]) -> str | None:
    """Why a network cannot represent this game, or None."""
    if game.key not in KINDS:
        return f"it sees only the boards of {', '.join(KINDS)}"
    if len(game.all_moves) > MAX_MOVES:
        return f"{len(game.all_moves)} different moves are too many, {MAX_MOVES} at most"
    inputs = 0 if game.key != "nim" else sum(heap + 1 for heap in game.start.heaps)
    if inputs > MAX_INPUTS:
        return f"its heaps are too large: {inputs} counts, {MAX_INPUTS} at most"
    return None


@lru_cache(maxsize=32)
def rules_of(game: Game[Any, Any], inputs: str = "plain") -> Rules:
    """The rules of a game that `why_not` accepts (cached)."""
    return _heap_rules(game, inputs == "binary") if game.key == "nim" else _board_rules(game)


def _board_rules(game: Game[Any, Any]) -> Rules:
    size = 3 if game.key == "tictactoe" else game.start.table.size
    cells = size * size
    moves = slides_of(size)
    if game.key == "tictactoe":
        moves = np.zeros((cells, 6), np.int64)
        moves[:, 0] = 1 << np.arange(cells)
    turns = np.array(square(size).turns, np.int32)  # in the order of Game.symmetries
    return Rules(
        kind=KINDS[game.key],
        start=0,
        moves=moves,
        lines=masks_of_lines(size),
        full=(1 << cells) - 1,
        last_wins=False,
        offsets=np.zeros(1, np.int64),
        binary=False,
        inputs=2 * cells,
        plies=game.ply_limit or MAX_PLIES,
        repetition=game.repetition or 0,
        turned_inputs=np.concatenate((turns, turns + cells), axis=1).astype(np.int32),
        turned_moves=_turned_moves(game),
    )


def _heap_rules(game: Game[Any, Any], binary: bool) -> Rules:
    heaps = game.start.heaps
    widths = [heap.bit_length() if binary else heap + 1 for heap in heaps]
    offsets = np.concatenate(([0], np.cumsum(widths)[:-1])).astype(np.int64)
    turned = []
    for symmetry in game.symmetries:  # the heap that the largest take leads to
        images = [_image(game, symmetry, heap) for heap in range(len(heaps))]
        turned.append(
            [
                offsets[image] + at
                for image, width in zip(images, widths, strict=True)
                for at in range(width)
            ]
        )
    moves = np.zeros((len(game.all_moves), 6), np.int64)
    moves[:, 0] = [HEAP_BITS * move.heap for move in game.all_moves]
    moves[:, 1] = [move.count for move in game.all_moves]
    return Rules(
        kind=NIM,
        start=position_of(game.start)[0],
        moves=moves,
        lines=np.zeros(0, np.int64),
        full=0,
        last_wins=game.start.rules.last == "wins",
        offsets=offsets,
        binary=binary,
        inputs=sum(widths),
        plies=MAX_PLIES,
        repetition=0,
        turned_inputs=np.array(turned, np.int32).reshape(len(turned), -1),
        turned_moves=_turned_moves(game),
    )


def _image(game: Game[Any, Any], symmetry: Any, heap: int) -> int:
    """The heap in whose place a symmetry puts this one."""
    own = next((move for move in game.all_moves if move.heap == heap), None)
    return heap if own is None else int(symmetry.move(own).heap)


def _turned_moves(game: Game[Any, Any]) -> NDArray[np.int32]:
    number = {move: at for at, move in enumerate(game.all_moves)}
    return np.array(
        [[number[symmetry.move(move)] for move in game.all_moves] for symmetry in game.symmetries],
        np.int32,
    )


def position_of(state: Any) -> tuple[int, int]:
    """The two integers of a state."""
    if isinstance(state, NimState):
        return sum(count << HEAP_BITS * heap for heap, count in enumerate(state.heaps)), 0
    if hasattr(state, "table"):
        return masks_of(state)
    return (state.x, state.o) if state.to_move is Seat.FIRST else (state.o, state.x)


@kernel
def are_positions(found: NDArray[np.int64], rules: Rules) -> bool:
    """Whether these [number] -> own, other can stand on the board and are not over."""
    for at in range(len(found)):
        own, other = found[at, 0], found[at, 1]
        if own < 0 or other < 0 or result_of(own, other, rules) != OPEN:
            return False
        if rules.kind != NIM:
            if own & other or (own | other) & ~rules.full:
                return False
            continue
        if other or own >> HEAP_BITS * len(rules.offsets):
            return False
        for heap in range(len(rules.offsets)):
            if own >> HEAP_BITS * heap & 63 > rules.start >> HEAP_BITS * heap & 63:
                return False
    return True


@inlined
def is_legal(own: int, other: int, move: int, rules: Rules) -> bool:
    """Whether the move can be played in a position that is not over."""
    if rules.kind == QUIXO:
        return bool(other & rules.moves[move, 0] == 0)
    if rules.kind == TICTACTOE:
        return bool((own | other) & rules.moves[move, 0] == 0)
    return bool(own >> rules.moves[move, 0] & 63 >= rules.moves[move, 1])


@inlined
def played(own: int, other: int, move: int, rules: Rules) -> tuple[int, int]:
    """The position after a legal move."""
    if rules.kind == QUIXO:
        return pushed(own, other, rules.moves[move])
    if rules.kind == TICTACTOE:
        return other, own | rules.moves[move, 0]
    return own - (rules.moves[move, 1] << rules.moves[move, 0]), 0


@inlined
def result_of(own: int, other: int, rules: Rules) -> int:
    """WON, LOST or DRAWN for the side to move, or OPEN."""
    if rules.kind == NIM:
        if own != 0:
            return OPEN
        return LOST if rules.last_wins else WON
    if rules.kind == QUIXO and has_line(own, rules.lines):  # the other completed it
        return WON
    if has_line(other, rules.lines):
        return LOST
    if rules.kind == TICTACTOE and own | other == rules.full:
        return DRAWN
    return OPEN


@inner
def active_inputs(own: int, other: int, rules: Rules, active: NDArray[np.int32]) -> int:
    """Write the numbers of the inputs that are 1; returns how many."""
    count = 0
    if rules.kind == NIM:
        for heap in range(len(rules.offsets)):
            objects = own >> 6 * heap & 63
            if not rules.binary:
                active[count] = rules.offsets[heap] + objects
                count += 1
                continue
            digit = 0
            while objects > 0:
                if objects & 1:
                    active[count] = rules.offsets[heap] + digit
                    count += 1
                objects >>= 1
                digit += 1
        return count
    cells = rules.inputs // 2
    for cell in range(cells):  # without branches, which would be mispredicted
        active[count] = cell
        count += own >> cell & 1
        active[count] = cells + cell
        count += other >> cell & 1
    return count
