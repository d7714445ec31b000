"""The endgame table of 5×5 Quixo with at most two blank cubes, for kernels.

Boards are numbered by the cells of their blanks, then by the mask of the mover's cubes on the other
cells. The 2^25 boards without a blank come first, then those with one, 2^24 for each of six cells
(up to symmetry), then those with two, 2^23 for each of 49 pairs. A code is the result with best
play: 0 drawn, 1 + d won and 129 + d lost by the side to move in d plies. As a mover may have a line
already, the parity of d does not determine the winner, except for distant ends: the codes that are
unused there stand for the most distant ones.
"""

from __future__ import annotations

import hashlib
import logging
import mmap
import os
from contextlib import suppress
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.compute.kernels import kernel
from agents.compute.paths import data_dir
from agents.quixo.bitboard import CELLS, masks_of, ones
from engine.core import Verdict
from engine.quixo import QuixoState
from engine.square import square

log = logging.getLogger(__name__)

SIZE = 5
BOARD = (1 << CELLS) - 1
NOWHERE = CELLS  # the index of a missing blank
MAX_BLANKS = 2
TURNS = square(SIZE).turns  # the first is the identity
DRAWN = 0
WON = 1  # plus the plies to the end
LOST = 129
PARITY_TELLS = 80  # plies beyond which every win takes an odd number
BEYOND = 47  # plies to add to a code of the other parity beyond that
FARTHEST = 172  # plies
PARTS = ((0, 9), (9, 8), (17, 8))  # of a mask: (first bit, number of bits)

WANTED = "ZERMELO_ENDGAMES"  # 0 or no: not used; 1 or 2: used up to that many blanks
NONE = -1
# [most blanks] -> SHA-256 of the whole table, without which a file is not used.
DIGESTS = (
    "85d21a0d530042e279ffc043a53b60623708a2ec8eff5a87cf8b4afc0b14e49f",
    "ebe10b8e9d9e4fac3886c0c838c799f42dbbaf3a20dfe3001e247bb2fb76c9ca",
    "bba9b08b54df11c292ef203d4425dd1b8e4dcbe3e7938ac70752548b38e4ae8e",
)

Blanks = tuple[int, ...]  # the blank cells in order


def moved(blanks: Blanks, turn: tuple[int, ...]) -> Blanks:
    """The blank cells after a turn."""
    return tuple(sorted(turn[cell] for cell in blanks))


def _places(blanks: int) -> tuple[Blanks, ...]:
    """The canonical placements of that many blanks: the smallest of each symmetry class."""
    return tuple(
        cells
        for cells in combinations(range(CELLS), blanks)
        if cells == min(moved(cells, turn) for turn in TURNS)
    )


PLACES = tuple(_places(blanks) for blanks in range(MAX_BLANKS + 1))  # 1, 6 and 49
# [most blanks] -> number of boards
SIZES = tuple(
    sum(len(PLACES[blanks]) << CELLS - blanks for blanks in range(most + 1))
    for most in range(MAX_BLANKS + 1)
)


class Endgames(NamedTuple):
    """The codes of all boards with at most `blanks` blanks; none with -1."""

    codes: NDArray[np.uint8]  # [board]
    fold: NDArray[np.int32]  # [blank, later blank, part, bits] -> summand of a number
    blanks: int


@kernel
def number_of(own: int, other: int, fold: NDArray[np.int32]) -> int:
    """The number of a board with at most two blanks, mostly the same for symmetric boards."""
    blank = BOARD & ~(own | other)
    later = blank & (blank - 1)
    # The index of each blank; the number of cells for a missing one.
    one, two = ones(((blank ^ later) - 1) & BOARD), ones((later - 1) & BOARD)
    low, middle = fold[one, two, 0, own & 511], fold[one, two, 1, (own >> 9) & 255]
    return int(low + middle + fold[one, two, 2, own >> 17])


@kernel
def code_of(own: int, other: int, endgames: Endgames) -> int:
    """The code of a board with at most `endgames.blanks` blanks."""
    return int(endgames.codes[number_of(own, other, endgames.fold)])


@kernel
def plies_of(code: int) -> int:
    """The plies to the end of a code."""
    lost = code >= LOST
    plies = code - (LOST if lost else WON)
    return plies + BEYOND if plies > PARITY_TELLS and (plies % 2 == 1) == lost else plies


def code_beyond(plies: int) -> int:
    """The code of an end beyond PARITY_TELLS plies, up to FARTHEST."""
    first, beyond = (WON, LOST) if plies % 2 else (LOST, 256)
    code = first + plies
    return code if code < beyond else code - BEYOND


def verdict(state: QuixoState, endgames: Endgames) -> Verdict:
    """The verdict on a board with at most `endgames.blanks` blanks."""
    code = int(code_of(*masks_of(state), endgames))
    if code == DRAWN:
        return Verdict(0, None)
    return Verdict(-1 if code >= LOST else 1, int(plies_of(code)))


@cache
def folding() -> NDArray[np.int32]:
    """[blank, later blank, part, bits] -> the summand of these bits in the number."""
    fold = np.zeros((CELLS + 1, CELLS + 1, len(PARTS), 512), np.int32)
    spread = turning()
    for number in range(MAX_BLANKS + 1):
        for blanks in combinations(range(CELLS), number):
            first, turn = place_of(blanks)
            bits = spread[turn]
            for cell in reversed(moved(blanks, TURNS[turn])):  # remove the bits of the blanks
                below = (1 << cell) - 1
                bits = (bits & below) | (bits & ~below) >> 1
            one, two = (*blanks, NOWHERE, NOWHERE)[:2]
            fold[one, two] = bits
            fold[one, two, 0] += first
    return fold


@cache
def turning() -> NDArray[np.int32]:
    """[turn, part, bits] -> the mask of these bits after the turn."""
    spread = np.zeros((len(TURNS), len(PARTS), 512), np.int32)
    for number, turn in enumerate(TURNS):
        for part, (shift, width) in enumerate(PARTS):
            bits = np.arange(512, dtype=np.int32)
            for cell in range(width):
                spread[number, part] |= (bits >> cell & 1) << turn[shift + cell]
    return spread


@cache
def place_of(blanks: Blanks) -> tuple[int, int]:
    """(number of the first board with these blanks, turn that makes them canonical).

    The first such turn, which is the identity for canonical blanks.
    """
    turn = min(range(len(TURNS)), key=lambda turn: moved(blanks, TURNS[turn]))
    before = SIZES[len(blanks) - 1] if blanks else 0
    place = PLACES[len(blanks)].index(moved(blanks, TURNS[turn]))
    return before + (place << CELLS - len(blanks)), turn


@cache
def no_endgames() -> Endgames:
    """The empty table."""
    codes = np.zeros(1, np.uint8)
    codes.setflags(write=False)  # like a mapped table, so that kernels are compiled once
    return Endgames(codes, np.zeros((1, 1, 1, 1), np.int32), NONE)


def table_path(blanks: int) -> Path:
    """The file of the table with at most that many blanks, to be memory-mapped."""
    return data_dir() / f"quixo-5x5-{blanks}.table"


def most_wanted() -> int:
    """The most blanks that the environment variable allows, or NONE."""
    wanted = os.environ.get(WANTED, "")
    if wanted in ("0", "no"):
        return NONE
    return int(wanted) if wanted in map(str, range(MAX_BLANKS + 1)) else MAX_BLANKS


def endgames() -> Endgames:
    """The largest table on disk that is allowed (cached by file), or the empty one."""
    most = most_wanted()
    if most == NONE:
        return no_endgames()
    for blanks in range(MAX_BLANKS, -1, -1):
        path = table_path(blanks)
        with suppress(OSError):  # missing, or just replaced by a larger one
            if (found := _mapped(path, path.stat().st_mtime_ns)) is not None:
                return found._replace(blanks=min(found.blanks, most))
    return no_endgames()


@cache
def _mapped(path: Path, changed: int) -> Endgames | None:
    """`mapped`, cached until the file changes."""
    return mapped(path)


def mapped(path: Path) -> Endgames | None:
    """The table in a file; None if it is missing or has another digest."""
    blanks = int(path.stem[-1])
    try:
        with path.open("rb") as file:
            whole = os.fstat(file.fileno()).st_size == SIZES[blanks]
            # Read instead of through the map, whose pages would be kept in memory.
            digest = hashlib.file_digest(file, "sha256").hexdigest() if whole else ""
            bytes_ = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if whole else b""
    except OSError:
        return None
    if digest != DIGESTS[blanks]:
        log.warning("%s is not what was written there and is not used", path)
        return None
    return Endgames(np.frombuffer(bytes_, np.uint8), folding(), blanks)
