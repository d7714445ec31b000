"""The complete solution of 4×4 Quixo: built once, stored in a file of about a megabyte.

Symmetric boards share a value, so only those are stored whose corners are the smallest of their
eight images: 21 patterns of the corners, each with 3^12 boards of the other cells.
"""

from __future__ import annotations

import hashlib
import logging
import lzma
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from agents.compute.kernels import kernel
from agents.compute.paths import data_dir, keep
from agents.errors import CorruptTableError
from agents.quixo import bitboard
from agents.quixo.bitboard import has_line, masks_of_lines, ones, slides_of
from engine.quixo import QuixoState
from engine.square import square

log = logging.getLogger(__name__)

SIZE = 4
CELLS = SIZE * SIZE
BOARDS = 3**CELLS
HALF = 3 ** (CELLS // 2)  # boards of eight cells
DRAWN = 0
WON = 1  # plus two for every ply to the end
LOST = 2
DECIDED = 255  # instead of a count of escapes
CORNER_MASKS = 0b1001_0000_0000_1001
EDGES = 0b0110_1001_1001_0110
FILE = "quixo-4x4.xz"
# SHA-256 of the stored codes, without which a file is not used.
DIGEST = "0e600af7e59a970e3859636e456a26a1f3b46b9a1ceec7e7aa8a86c7f6641361"

CORNERS = (0, 3, 12, 15)
# The inner cells, then the rim in a ring: of the orders tried, this one compresses best.
OTHERS = (5, 6, 9, 10, 1, 2, 7, 11, 14, 13, 8, 4)
BLOCK = 3 ** len(OTHERS)
DECIDED_BOARDS = 41_438_225  # won or lost, for the progress

Progress = Callable[[float], None]  # called with the share of the work done, 0 to 1
Pattern = tuple[int, ...]  # of each corner: 0 blank, 1 the mover's, 2 the other's


@kernel
def weights() -> NDArray[np.int32]:
    """[mask] -> the base-3 number of the board with only the mover's cubes there."""
    weight = np.zeros(1 << CELLS, np.int32)
    for mask in range(1, 1 << CELLS):
        weight[mask] = 3 * weight[mask >> 1] + (mask & 1)
    return weight


@kernel
def halves() -> NDArray[np.int32]:
    """[number of a half board] -> its masks: the mover's, and from bit 8 the other's."""
    masks = np.zeros(HALF, np.int32)
    for half in range(HALF):
        left = half
        for cell in range(CELLS // 2):
            digit = left % 3
            left //= 3
            if digit == 1:
                masks[half] |= 1 << cell
            elif digit == 2:
                masks[half] |= 256 << cell
    return masks


@kernel
def masks_of(board: int, half: NDArray[np.int32]) -> tuple[int, int]:
    """(own, other) masks of a board by its number."""
    low, high = half[board % HALF], half[board // HALF]
    return (low & 255) | (high & 255) << 8, low >> 8 | high >> 8 << 8


@kernel
def number_ends(
    code: NDArray[np.uint8],
    escapes: NDArray[np.uint8],
    half: NDArray[np.int32],
    lines: NDArray[np.int64],
) -> None:
    """Decide the finished boards, and count the moves of the others as escapes."""
    for board in range(BOARDS):
        own, other = masks_of(board, half)
        escapes[board] = DECIDED
        if has_line(own, lines):  # completed by the other's move, so the mover has won
            code[board] = WON
        elif has_line(other, lines):
            code[board] = LOST
        else:
            code[board] = DRAWN
            escapes[board] = 2 * ones(CORNER_MASKS & ~other) + 3 * ones(EDGES & ~other)


@kernel
def step_back(
    plies: int,
    code: NDArray[np.uint8],
    escapes: NDArray[np.uint8],
    slides: NDArray[np.int64],
    weight: NDArray[np.int32],
    half: NDArray[np.int32],
) -> int:
    """Decide the predecessors of the boards decided in `plies`; returns their number.

    A board is won once one move leads to a lost one, and lost once no move is left that does not
    lead to a won one. Moves are reversed: the cubes slide back, and the pushed cube was blank or
    the mover's.
    """
    decided = 0
    won_now, lost_now = 2 * plies + WON, 2 * plies + LOST
    for board in range(BOARDS):
        found = code[board]
        if found not in (won_now, lost_now):
            continue
        other, own = masks_of(board, half)  # `own`: of the player who made the move
        for slide in slides:
            source, stay, sliding, up, down, entry = slide
            if own & entry == 0:
                continue
            own_before = (own & stay) | ((own ^ entry) << down >> up) & sliding
            other_before = (other & stay) | (other << down >> up) & sliding
            before = weight[own_before] + 2 * weight[other_before]
            for earlier in (before, before + weight[source]):
                left = escapes[earlier]
                if left == DECIDED:
                    continue
                if found == won_now and left > 1:
                    escapes[earlier] = left - 1
                    continue
                escapes[earlier] = DECIDED
                code[earlier] = lost_now + 2 if found == won_now else won_now + 2
                decided += 1
    return decided


@cache
def folds() -> tuple[dict[Pattern, tuple[int, int]], tuple[Pattern, ...]]:
    """((block, turn) of the canonical image of each of the 81 patterns, the 21 canonical ones)."""
    kept: list[Pattern] = []
    fold: dict[Pattern, tuple[int, int]] = {}
    for pattern in product(range(3), repeat=len(CORNERS)):
        images = []
        for turn in square(SIZE).turns:
            turned = {turn[cell]: mark for cell, mark in zip(CORNERS, pattern, strict=True)}
            images.append(tuple(turned[cell] for cell in CORNERS))
        first = min(images)
        if first == pattern:
            kept.append(pattern)
        fold[pattern] = kept.index(first), images.index(first)
    return fold, tuple(kept)


@dataclass(frozen=True, eq=False)
class Quixo4:
    """The solution, as code[block, number of the other cells]."""

    code: NDArray[np.uint8]
    weight: NDArray[np.int32]  # [turn, mask] -> number of the other cells after the turn

    def probe(self, state: QuixoState) -> tuple[int, int | None]:
        """(value for the side to move, plies to the end or None for a draw)."""
        own, other = bitboard.masks_of(state)
        pattern = tuple((own >> cell & 1) + 2 * (other >> cell & 1) for cell in CORNERS)
        block, turn = folds()[0][pattern]
        weight = self.weight[turn]
        code = int(self.code[block, weight[own] + 2 * weight[other]])
        if code == DRAWN:
            return 0, None
        return (1, code // 2) if code % 2 else (-1, code // 2 - 1)

    def counts(self) -> tuple[int, int, int]:
        """(won, drawn, lost) of all 3^16 boards, for the side to move."""
        images = np.bincount([block for block, _ in folds()[0].values()])  # of each block
        won = int(images @ np.count_nonzero(self.code % 2, axis=1))
        drawn = int(images @ np.count_nonzero(self.code == DRAWN, axis=1))
        return won, drawn, BOARDS - won - drawn


@cache
def solved() -> Quixo4:
    """The solution (cached), from the file or built now."""
    return load() or build()


def is_built() -> bool:
    """Whether `solved` will be fast: it is cached or has a file."""
    return bool(solved.cache_info().currsize) or (data_dir() / FILE).is_file()


def load(path: Path | None = None) -> Quixo4 | None:
    """The solution in a file; None if it is missing or corrupt."""
    file = path or data_dir() / FILE
    try:
        unpacked = lzma.LZMADecompressor().decompress(file.read_bytes(), len(folds()[1]) * BLOCK)
    except FileNotFoundError:
        return None
    except (OSError, EOFError, lzma.LZMAError):
        unpacked = b""
    if hashlib.sha256(unpacked).hexdigest() != DIGEST:
        log.warning("%s is not what was written there and will be built again", file)
        return None
    return _with_weights(np.frombuffer(unpacked, np.uint8).reshape(-1, BLOCK))


def build(progress: Progress = lambda share: None, path: Path | None = None) -> Quixo4:
    """Solve all boards and write the file, reporting progress."""
    code = np.empty(BOARDS, np.uint8)
    for share in _solve(code):
        progress(share)
    kept = _fold_boards(code)
    data = kept.tobytes()
    if hashlib.sha256(data).hexdigest() != DIGEST:
        raise CorruptTableError("4×4 Quixo came out otherwise than it always has: solve it again")
    keep(lzma.compress(data), path or data_dir() / FILE)
    progress(1.0)
    return _with_weights(kept)


def _solve(code: NDArray[np.uint8]) -> Iterator[float]:
    """Fill in the code of every board by retrograde analysis; yields the share done."""
    slides, weight, half = slides_of(SIZE), weights(), halves()
    escapes = np.empty(BOARDS, np.uint8)
    yield 0.0
    number_ends(code, escapes, half, masks_of_lines(SIZE))
    known = int(np.count_nonzero(code))
    plies, more = 0, 1
    while more:
        more = step_back(plies, code, escapes, slides, weight, half)
        known += more
        plies += 1
        yield 0.6 * known / DECIDED_BOARDS


def _fold_boards(code: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """[block, other cells]: the boards with canonical corners, with cells ordered as OTHERS."""
    boards = code.reshape((3,) * CELLS)  # the first axis is the last cell
    blocks = []
    for pattern in folds()[1]:
        at: list[slice | int] = [slice(None)] * CELLS
        for cell, mark in zip(CORNERS, pattern, strict=True):
            at[CELLS - 1 - cell] = mark
        left = [cell for cell in reversed(range(CELLS)) if cell not in CORNERS]
        block = boards[tuple(at)].transpose([left.index(cell) for cell in OTHERS])
        blocks.append(block.reshape(BLOCK))
    return np.stack(blocks)


def _with_weights(code: NDArray[np.uint8]) -> Quixo4:
    masks = np.arange(1 << CELLS)
    turns = square(SIZE).turns
    weight = np.zeros((len(turns), len(masks)), np.int32)
    for at, turn in enumerate(turns):
        for cell in range(CELLS):
            if turn[cell] in OTHERS:
                worth = 3 ** (len(OTHERS) - 1 - OTHERS.index(turn[cell]))
                weight[at] += (worth * (masks >> cell & 1)).astype(np.int32)
    return Quixo4(code, weight)
