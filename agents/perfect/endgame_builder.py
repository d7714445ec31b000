"""Endgames of 5×5 Quixo built: boards without a blank cube, then with one, then with two.

Each number of blanks is a layer, whose canonical boards are stored compressed; beside them is the
full table, to be memory-mapped. Both are verified by digest and written atomically.
"""

from __future__ import annotations

import hashlib
import logging
import lzma
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.compute.paths import data_dir, keep, locked
from agents.errors import CorruptTableError
from agents.perfect import endgame_kernel as kernels
from agents.perfect.endgame_kernel import Rules
from agents.quixo.bitboard import CELLS, slides_of
from agents.quixo.endgame_tables import (
    BOARD,
    DIGESTS,
    FARTHEST,
    LOST,
    PLACES,
    SIZE,
    SIZES,
    TURNS,
    WON,
    Blanks,
    Endgames,
    code_beyond,
    folding,
    mapped,
    moved,
    place_of,
    table_path,
    turning,
)

ALL_PLACES = tuple(blanks for places in PLACES for blanks in places)


@cache
def rules() -> Rules:
    """The rules for the kernels (cached)."""
    staying = [
        [number for number, turn in enumerate(TURNS) if moved(blanks, turn) == blanks]
        for blanks in ALL_PLACES
    ]
    return Rules(
        slides=slides_of(SIZE),
        pushes=_padded([_pushes_of(blanks) for blanks in ALL_PLACES]),
        fold=folding(),
        places=np.array(
            [(mask_of(blanks), place_of(blanks)[0], *below(blanks)) for blanks in ALL_PLACES],
            np.int64,
        ),
        turns=turning(),
        images=_padded(staying),
        arrivals=_padded([arrivals_of(blanks) for blanks in ALL_PLACES]),
    )


def _pushes_of(blanks: Blanks) -> list[tuple[int, ...]]:
    """The pushes that take a blank cube."""
    return [tuple(slide) for slide in slides_of(SIZE).tolist() if slide[0] & mask_of(blanks)]


def arrivals_of(place: Blanks) -> list[tuple[int, ...]]:
    """The reversed pushes of own cubes that lead to boards with these canonical blanks.

    After a turn of the board, each leads back to numbered boards, whose blanks are canonical.
    Each move of those is reversed exactly once.
    """
    found = []
    for blanks, turn in _turned_to(place):
        back = next(at for at, other in enumerate(TURNS) if _undoes(other, TURNS[turn]))
        blank = mask_of(blanks)
        for slide in slides_of(SIZE).tolist():
            _, stay, sliding, up, down, entry = slide
            before = cells_of((blank & stay) | (blank << down >> up) & sliding)
            if not blank & entry and before in ALL_PLACES:
                first, _ = place_of(before)
                found.append((back, *slide, first, *below(before)))
    return sorted(found)


def _turned_to(place: Blanks) -> list[tuple[Blanks, int]]:
    """(blanks, turn) of all blanks that are turned to this canonical place."""
    images = sorted({moved(place, turn) for turn in TURNS})
    return [(blanks, place_of(blanks)[1]) for blanks in images]


def mask_of(blanks: Blanks) -> int:
    return sum(1 << cell for cell in blanks)


def cells_of(mask: int) -> Blanks:
    return tuple(cell for cell in range(mask.bit_length()) if mask >> cell & 1)


def below(blanks: Blanks) -> tuple[int, int]:
    """The masks of the cells below the first and the second blank; all cells if missing."""
    one, two = (*((1 << cell) - 1 for cell in blanks), BOARD, BOARD)[:2]
    return one, two


def _undoes(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    return all(one[to] == cell for cell, to in enumerate(other))


def _padded(rows: Sequence[Sequence[Any]]) -> NDArray[np.int64]:
    """Rows of unequal length as one array, padded with -1."""
    longest = max(rows, key=len)
    padded = np.full((len(rows), len(longest) + 1, *np.shape(longest[0])), -1, np.int64)
    for number, row in enumerate(rows):
        for at, entry in enumerate(row):
            padded[number, at] = entry
    return padded


log = logging.getLogger(__name__)

# [blanks] -> SHA-256 of the uncompressed canonical boards.
PACKED = (
    "16a056d1ba0feea0acc13219fb2628d730b25243b054939cdc150e49a2d25624",
    "32684c538bebd2eb7cefde996813c52a6b8fa4b2411c5523c39360322e909dee",
    "1e6d52b32a162880e30b2e45d6a5c28008cd9bb63d555370572b0c773728f684",
)
BLOCK = 1 << 22  # boards compressed or decompressed at a time
QUICK = 1  # xz preset; higher ones take much longer
SOLVING, PACKING = 0.85, 0.15  # shares of the total time
BEGINNING = 0.2  # share of the time for solving

Codes = NDArray[np.uint8]
Progress = Callable[[float], None]  # called with the share of the work done, 0 to 1


def packed_path(blanks: int) -> Path:
    return data_dir() / f"quixo-5x5-{blanks}.xz"


@dataclass(frozen=True, slots=True)
class BoardClass:
    """Counts of the boards with these numbers of cubes of the mover and the other."""

    own: int
    other: int
    wins: int
    losses: int
    draws: int


@dataclass(frozen=True, slots=True)
class EndgameSummary:
    """Counts of all boards with this many blanks, for the side to move."""

    blanks: int
    classes: tuple[BoardClass, ...]  # by the mover's cubes
    longest: int  # plies of the longest win or loss
    seconds: float  # to build or load the table

    @property
    def wins(self) -> int:
        return sum(each.wins for each in self.classes)

    @property
    def losses(self) -> int:
        return sum(each.losses for each in self.classes)

    @property
    def draws(self) -> int:
        return sum(each.draws for each in self.classes)


def solve_endgames(blanks: int, progress: Progress = lambda share: None) -> EndgameSummary:
    """Build or load the table with at most this many blanks, and count its last layer."""
    begun = perf_counter()
    codes = ensure(blanks, progress).codes
    seconds = perf_counter() - begun
    counts = np.zeros((CELLS + 1, 3), np.int64)
    longest = 0
    for first, last, weight in _blocks(blanks):
        counted, win = kernels.count(first, last, weight, codes, rules())
        counts, longest = counts + counted, max(longest, int(win))
    cubes = CELLS - blanks
    classes = (BoardClass(own, cubes - own, *map(int, counts[own])) for own in range(cubes + 1))
    return EndgameSummary(blanks, tuple(classes), longest, seconds)


def _blocks(blanks: int) -> Iterator[tuple[int, int, int]]:
    """(first number, number after the last, symmetric placements) of each placement of blanks."""
    for place in PLACES[blanks]:
        first, _ = place_of(place)
        yield first, first + (1 << CELLS - blanks), len(_turned_to(place))


def ensure(blanks: int, progress: Progress = lambda share: None) -> Endgames:
    """The table with at most this many blanks: mapped if it exists, else decompressed or solved,
    under a file lock."""
    with locked(data_dir() / "quixo-5x5.lock"):
        _remove_unfinished()
        for more in range(blanks, len(SIZES)):
            if (found := mapped(table_path(more))) is not None:
                progress(1.0)
                return found
        codes = np.zeros(SIZES[blanks], np.uint8)
        for layer in range(_copied(codes, blanks), blanks + 1):
            _fill(layer, codes, _part(progress, layer, blanks))
            if hashlib.sha256(codes[: SIZES[layer]].data).hexdigest() != DIGESTS[layer]:
                raise CorruptTableError(
                    f"5×5 Quixo with {layer} blanks came out otherwise than it always has"
                )
            keep(codes[: SIZES[layer]].data, table_path(layer))
        for layer in range(blanks if table_path(blanks).is_file() else 0):
            with suppress(OSError):  # as on Windows while it is mapped
                table_path(layer).unlink()
        progress(1.0)
        found = mapped(table_path(blanks))
        return found or Endgames(codes, folding(), blanks)  # if it could not be written


def _copied(codes: Codes, blanks: int) -> int:
    """Copy the largest table with fewer blanks; returns the first layer still to fill."""
    for fewer in range(blanks - 1, -1, -1):
        if (found := mapped(table_path(fewer))) is not None:
            codes[: SIZES[fewer]] = found.codes
            return fewer + 1
    return 0


def _remove_unfinished() -> None:
    """Remove the temporary files of killed builds."""
    for path in data_dir().glob(".quixo-5x5-*"):
        with suppress(OSError):
            path.unlink()


def _part(progress: Progress, layer: int, blanks: int) -> Progress:
    """The progress of a layer as part of the whole."""
    first, last = bounds_of(layer)
    return lambda share: progress((first + share * (last - first)) / SIZES[blanks])


def _fill(layer: int, codes: Codes, progress: Progress) -> None:
    """Fill a layer from its compressed file, or solve it and write that file."""
    first, last = bounds_of(layer)
    if unpack(layer, codes):
        kernels.fill_in(first, last, codes, rules())
        return
    for share in solve_layer(layer, codes):
        progress(SOLVING * share)
    pack(layer, codes, lambda share: progress(SOLVING + PACKING * share))


def bounds_of(layer: int) -> tuple[int, int]:
    """The first number of a board of the layer, and the first after it."""
    return SIZES[layer - 1] if layer else 0, SIZES[layer]


def solve_layer(layer: int, codes: Codes) -> Iterator[float]:
    """Solve a layer, given those before it; yields the share done."""
    first, last = bounds_of(layer)
    blocks = [block[:2] for block in _blocks(layer)]
    done, plies, farthest = 0, 0, 0
    for begin, beyond in blocks:
        yield BEGINNING * (begin - first) / (last - first)
        farthest = max(farthest, kernels.begin(begin, beyond, codes, rules()))
    while plies <= farthest and plies < kernels.COUNTED:
        for begin, beyond in blocks:
            found, seen = kernels.step_back(plies, begin, beyond, codes, rules())
            done, farthest = done + found, max(farthest, seen)
            yield BEGINNING + (1 - BEGINNING) * done / (last - first)
        plies += 1
    if farthest > plies:
        raise CorruptTableError(f"an end {farthest} plies away came before those in {plies}")
    kernels.end(first, last, codes)
    _step_on(plies, blocks, codes)


def _step_on(plies: int, blocks: list[tuple[int, int]], codes: Codes) -> None:
    """Decide the remaining boards, ply by ply from those decided in `plies`."""
    found = _coded(LOST + plies, blocks, codes)
    if plies == kernels.COUNTED and len(_coded(WON + plies, blocks, codes)):
        raise CorruptTableError(f"parity does not tell who wins in {plies} plies")
    while len(found):
        plies += 1
        found = kernels.step_on(found, code_beyond(plies), codes, rules())
        if plies > FARTHEST and len(found):
            raise CorruptTableError(f"an end {plies} plies away has no code")


def _coded(code: int, blocks: list[tuple[int, int]], codes: Codes) -> NDArray[np.int32]:
    """The numbers of all boards with this code."""
    found = [begin + np.flatnonzero(codes[begin:last] == code) for begin, last in blocks]
    return np.concatenate(found).astype(np.int32)


def pack(layer: int, codes: Codes, progress: Progress = lambda share: None) -> None:
    """Write a layer's canonical boards, compressed; raises CorruptTableError."""
    first, last = bounds_of(layer)
    packer, seen, packed = lzma.LZMACompressor(preset=QUICK), hashlib.sha256(), []
    block = np.empty(BLOCK, np.uint8)
    for at in range(first, last, BLOCK):
        kernels.thin_out(at, at + BLOCK, codes, block, rules())
        seen.update(block.data)
        packed.append(packer.compress(block.data))
        progress((at + BLOCK - first) / (last - first))
    packed.append(packer.flush())
    if seen.hexdigest() != PACKED[layer]:
        raise CorruptTableError(
            f"5×5 Quixo with {layer} blanks came out otherwise than it always has: solve it again"
        )
    keep(b"".join(packed), packed_path(layer))


def unpack(layer: int, codes: Codes) -> bool:
    """Read a layer's canonical boards into `codes`; False if missing or corrupt."""
    path = packed_path(layer)
    first, last = bounds_of(layer)
    try:
        packed = path.read_bytes()
    except FileNotFoundError:
        return False
    except OSError:
        packed = b""
    seen, at, given = hashlib.sha256(), first, packed
    unpacker = lzma.LZMADecompressor()
    with suppress(EOFError, lzma.LZMAError):
        while at < last and not unpacker.eof:
            block = unpacker.decompress(given, min(BLOCK, last - at))
            if not block and unpacker.needs_input:
                break
            given = b""
            codes[at : at + len(block)] = np.frombuffer(block, np.uint8)
            seen.update(block)
            at += len(block)
    if seen.hexdigest() == PACKED[layer]:
        return True
    log.warning("%s is not what was written there and will be built again", path)
    return False
