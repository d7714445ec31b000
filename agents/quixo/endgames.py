"""5×5 Quixo with at most two blank cubes left: how every board ends, as a table kernels can read.

A board's number goes by where its blanks are, and then by the mask of the mover's cubes on the
cells that are left. Boards without a blank come first, 2^25 of them, then those with one, 2^24 for
each of six cells: a blank elsewhere is turned or mirrored there. Those with two come last, 2^23 for
each of 49 pairs. A code says how a board ends with best play: 0 drawn, 1 + d won and 129 + d lost
by the side to move, d plies away. A mover may have a line already, so the parity of d does not tell
who wins, but it does where the end is far away: the codes this leaves are for the farthest ends.
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
from agents.quixo.bitboard import ones
from engine.square import square

SIZE = 5
CELLS = SIZE * SIZE
BOARD = (1 << CELLS) - 1
NOWHERE = CELLS  # where a blank is on a board that has none
MOST_BLANKS = 2
TURNS = square(SIZE).turns  # the first leaves everything in place
DRAWN = 0
WON = 1  # plus the plies to the end
LOST = 129
PARITY_TELLS = 80  # plies: whoever wins in more than these, does so in an odd number
BEYOND = 47  # a code with the other parity is of an end so many plies farther away
FARTHEST = 172
PARTS = ((0, 9), (9, 8), (17, 8))  # of a mask: from which bit, how many

Blanks = tuple[int, ...]  # the cells that are blank, in order


def moved(blanks: Blanks, turn: tuple[int, ...]) -> Blanks:
    """Where the blanks of a board are once it is turned."""
    return tuple(sorted(turn[cell] for cell in blanks))


def _places(blanks: int) -> tuple[Blanks, ...]:
    """One of each kind of so many blanks: the first of its images."""
    return tuple(
        cells
        for cells in combinations(range(CELLS), blanks)
        if cells == min(moved(cells, turn) for turn in TURNS)
    )


PLACES = tuple(_places(blanks) for blanks in range(MOST_BLANKS + 1))  # 1, 6 and 49
# [most blanks] -> boards
SIZES = tuple(
    sum(len(PLACES[blanks]) << CELLS - blanks for blanks in range(most + 1))
    for most in range(MOST_BLANKS + 1)
)


class Endgames(NamedTuple):
    """The boards with at most so many blanks, solved; with -1, none."""

    codes: NDArray[np.uint8]  # [board]
    fold: NDArray[np.int32]  # [blank, later blank, part, bits] -> to add up to a board's number
    blanks: int


@kernel
def number_of(own: int, other: int, fold: NDArray[np.int32]) -> int:
    """The number of a board with at most two blanks; of all its images, mostly one."""
    blank = BOARD & ~(own | other)
    later = blank & (blank - 1)
    # The cells below each of the two; where there is none, all of them.
    one, two = ones(((blank ^ later) - 1) & BOARD), ones((later - 1) & BOARD)
    low, middle = fold[one, two, 0, own & 511], fold[one, two, 1, (own >> 9) & 255]
    return int(low + middle + fold[one, two, 2, own >> 17])


@kernel
def code_of(own: int, other: int, endgames: Endgames) -> int:
    """How a board ends that has no more blanks than `endgames.blanks`."""
    return int(endgames.codes[number_of(own, other, endgames.fold)])


@kernel
def plies_of(code: int) -> int:
    """How far away the end is that a code tells of."""
    lost = code >= LOST
    plies = code - (LOST if lost else WON)
    return plies + BEYOND if plies > PARITY_TELLS and (plies % 2 == 1) == lost else plies


def code_beyond(plies: int) -> int:
    """The code of an end so far away that parity tells who wins, up to FARTHEST."""
    first, beyond = (WON, LOST) if plies % 2 else (LOST, 256)
    code = first + plies
    return code if code < beyond else code - BEYOND


@cache
def folding() -> NDArray[np.int32]:
    """[blank, later blank, part, bits] -> what these bits add to the number."""
    fold = np.zeros((CELLS + 1, CELLS + 1, len(PARTS), 512), np.int32)
    spread = turning()
    for number in range(MOST_BLANKS + 1):
        for blanks in combinations(range(CELLS), number):
            first, turn = place_of(blanks)
            bits = spread[turn]
            for cell in reversed(moved(blanks, TURNS[turn])):  # their own bits are left out
                below = (1 << cell) - 1
                bits = (bits & below) | (bits & ~below) >> 1
            one, two = (*blanks, NOWHERE, NOWHERE)[:2]
            fold[one, two] = bits
            fold[one, two, 0] += first
    return fold


@cache
def turning() -> NDArray[np.int32]:
    """[turn, part, bits] -> the mask that these bits become."""
    spread = np.zeros((len(TURNS), len(PARTS), 512), np.int32)
    for number, turn in enumerate(TURNS):
        for part, (shift, width) in enumerate(PARTS):
            bits = np.arange(512, dtype=np.int32)
            for cell in range(width):
                spread[number, part] |= (bits >> cell & 1) << turn[shift + cell]
    return spread


@cache
def place_of(blanks: Blanks) -> tuple[int, int]:
    """(the number of the first board with these blanks, the turn that takes them to their place).

    The first turn that does, so that blanks in their place stay there.
    """
    turn = min(range(len(TURNS)), key=lambda turn: moved(blanks, TURNS[turn]))
    before = SIZES[len(blanks) - 1] if blanks else 0
    place = PLACES[len(blanks)].index(moved(blanks, TURNS[turn]))
    return before + (place << CELLS - len(blanks)), turn


@cache
def no_endgames() -> Endgames:
    """Knowing nothing: a search then never looks anything up."""
    codes = np.zeros(1, np.uint8)
    codes.setflags(write=False)  # as what is mapped: kernels are compiled once for either
    return Endgames(codes, np.zeros((1, 1, 1, 1), np.int32), -1)


log = logging.getLogger(__name__)

WANTED = "ZERMELO_ENDGAMES"  # 0 or no: nobody looks anything up; 1 or 2: up to so many blanks
NONE = -1
# [most blanks] -> of the whole table: always the same bytes, so it is trusted for these alone.
DIGESTS = (
    "85d21a0d530042e279ffc043a53b60623708a2ec8eff5a87cf8b4afc0b14e49f",
    "ebe10b8e9d9e4fac3886c0c838c799f42dbbaf3a20dfe3001e247bb2fb76c9ca",
    "bba9b08b54df11c292ef203d4425dd1b8e4dcbe3e7938ac70752548b38e4ae8e",
)


def table_path(blanks: int) -> Path:
    """Where the boards with so many blanks at most are, ready to be mapped."""
    return data_dir() / f"quixo-5x5-{blanks}.table"


def most_wanted() -> int:
    """Up to how many blanks the environment lets endgames be looked up."""
    wanted = os.environ.get(WANTED, "")
    if wanted in ("0", "no"):
        return NONE
    return int(wanted) if wanted in map(str, range(MOST_BLANKS + 1)) else MOST_BLANKS


def endgames() -> Endgames:
    """The largest table there is now; read once, and looked for again while it may still come."""
    most = most_wanted()
    if most == NONE:
        return no_endgames()
    for blanks in range(MOST_BLANKS, -1, -1):
        path = table_path(blanks)
        with suppress(OSError):  # none there, or one that gave way to a larger one just now
            if (found := _mapped(path, path.stat().st_mtime_ns)) is not None:
                return found._replace(blanks=min(found.blanks, most))
    return no_endgames()


@cache
def _mapped(path: Path, changed: int) -> Endgames | None:
    """Read once, until another file takes its place."""
    return mapped(path)


def mapped(path: Path) -> Endgames | None:
    """The table in a file; None where there is none, or not just what was written."""
    blanks = int(path.stem[-1])
    try:
        with path.open("rb") as file:
            whole = os.fstat(file.fileno()).st_size == SIZES[blanks]
            # Read, not through the map: what nobody looks up takes no room in this process.
            seen = hashlib.file_digest(file, "sha256").hexdigest() if whole else ""
            bytes_ = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if whole else b""
    except OSError:
        return None
    if seen != DIGESTS[blanks]:
        log.warning("%s is not what was written there and is not used", path)
        return None
    return Endgames(np.frombuffer(bytes_, np.uint8), folding(), blanks)
