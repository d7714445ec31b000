"""Endgames of 5×5 Quixo solved backwards from their ends, a number of blanks at a time.

Taking one's own cube keeps the number of blanks, taking a blank lessens it. So boards without a
blank are solved by themselves, and those with one once these are known. While a board is open
its code is OPEN plus the moves left that may yet save its mover: one byte serves for all.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.arrays.endgames import BOARD, BOARDS_A_SPOT, DRAWN, FULL_BOARDS, LOST, WON, number_of
from agents.arrays.masks import ones, slid
from agents.compute.kernels import kernel

OPEN = 210
FARTHEST = OPEN - LOST  # no loss may take longer than its code has room for
CORNERS = 0b10001_00000_00000_00000_10001
EDGES = 0b01110_10001_10001_10001_01110
COLUMN = 0b00001_00001_00001_00001_00001
ROW = 0b11111
RISING = 0b10000_01000_00100_00010_00001
FALLING = 0b00001_00010_00100_01000_10000


class Rules(NamedTuple):
    """The game as the solver reads it."""

    slides: NDArray[np.int64]  # [push] -> source, stay, sliding, up, down, entry
    fold: NDArray[np.int32]  # [cell of the blank, part, bits]
    spots: NDArray[np.int64]  # [spot] -> cell
    turns: NDArray[np.int32]  # [turn, part, bits] -> mask
    images: NDArray[np.int64]  # [cell of the blank, image] -> turn that leaves it there; -1: none
    # [1 + spot, or 0 without a blank; arrival] -> turn (-1: no more), the six figures of a push,
    # then of the boards it comes from the first, and the cells below their blank
    arrivals: NDArray[np.int64]


@kernel
def masks_of(number: int, rules: Rules) -> tuple[int, int]:
    """The masks of a board: of the mover's cubes, and of the blank."""
    if number < FULL_BOARDS:
        return number, 0
    blank = 1 << rules.spots[(number - FULL_BOARDS) // BOARDS_A_SPOT]
    squeezed = number & (BOARDS_A_SPOT - 1)
    below = blank - 1
    return (squeezed & below) | (squeezed & ~below) << 1, blank


@kernel
def turned(mask: int, turn: int, turns: NDArray[np.int32]) -> int:
    """The mask as it looks after a turn."""
    low, middle = turns[turn, 0, mask & 511], turns[turn, 1, (mask >> 9) & 255]
    return int(low | middle | turns[turn, 2, mask >> 17])


@kernel
def lined_up(mask: int) -> bool:
    """Whether the mask holds a line: rows and columns are found five at a time."""
    along = mask & mask >> 1
    along &= along >> 2
    up = mask & mask >> 5
    up &= up >> 10
    return (
        along & mask >> 4 & COLUMN != 0
        or up & mask >> 20 & ROW != 0
        or mask & RISING == RISING
        or mask & FALLING == FALLING
    )


@kernel
def after_blank(own: int, other: int, slide: Sequence[int], rules: Rules) -> int:
    """The number of the board after this push of a blank cube."""
    return number_of(slid(other, slide), slid(own, slide) | slide[5], rules.fold)


@kernel
def first_code(number: int, codes: NDArray[np.uint8], rules: Rules) -> int:
    """The code of a board before any other with as many blanks is known."""
    own, blank = masks_of(number, rules)
    other = BOARD & ~(own | blank)
    if lined_up(own):  # completed by the other's own move, so the mover has won
        return WON
    if lined_up(other):
        return LOST
    left = 2 * ones(CORNERS & own) + 3 * ones(EDGES & own)
    if blank & (CORNERS | EDGES) == 0:
        return OPEN + left
    quickest, slowest = 255, 0
    for slide in rules.slides:
        if blank & slide[0]:
            code = codes[after_blank(own, other, slide, rules)]
            if code == DRAWN:
                left += 1
            elif code >= LOST:
                quickest = min(quickest, code - LOST + 1)
            else:
                slowest = max(slowest, code - WON + 1)
    if quickest < 255:
        return WON + quickest  # as yet: a quicker win may come to light
    return OPEN + left if left else LOST + slowest


@kernel
def slowest_below(number: int, codes: NDArray[np.uint8], rules: Rules) -> int:
    """How long a board lasts, all of whose pushes of the blank lose; 0 where there are none."""
    slowest = 0
    own, blank = masks_of(number, rules)
    if blank & (CORNERS | EDGES) == 0:
        return slowest
    other = BOARD & ~(own | blank)
    for slide in rules.slides:
        if blank & slide[0]:
            code = codes[after_blank(own, other, slide, rules)]
            slowest = max(slowest, code - WON + 1)
    return slowest


@kernel
def begin(first: int, last: int, codes: NDArray[np.uint8], rules: Rules) -> int:
    """Give the boards from `first` to below `last` their first codes; the farthest end seen."""
    farthest = 0
    for number in range(first, last):
        code = first_code(number, codes, rules)
        codes[number] = code
        if code <= OPEN:
            farthest = max(farthest, code - LOST if code >= LOST else code - WON)
    return farthest


@kernel
def step_back(
    plies: int, first: int, last: int, codes: NDArray[np.uint8], rules: Rules
) -> tuple[int, int]:
    """From the boards decided in `plies` to those before them.

    (how many were decided that way, the farthest end among those before)

    A board is won once one move leads to a lost one, and lost once no move is left that does not
    lead to a won one.
    """
    found, farthest = 0, 0
    for number in range(first, last):
        code = codes[number]
        if code != WON + plies and code != LOST + plies:
            continue
        found += 1
        mine, blank = masks_of(number, rules)
        spot = 0 if number < FULL_BOARDS else 1 + (number - FULL_BOARDS) // BOARDS_A_SPOT
        theirs = BOARD & ~(mine | blank)
        turn = 0
        own = theirs  # from here on: of who made the move
        for at in range(len(rules.arrivals[spot])):
            arrival = rules.arrivals[spot, at]
            if arrival[0] != turn:
                turn = arrival[0]
                if turn < 0:
                    break
                own = turned(theirs, turn, rules.turns)
            if own & arrival[6] == 0:  # the cube that came in is not theirs
                continue
            before = (own & arrival[2]) | (
                (own ^ arrival[6]) << arrival[5] >> arrival[4]
            ) & arrival[3]
            before |= arrival[1]
            earlier = arrival[7] + (before & arrival[8]) + ((before & ~arrival[8]) >> 1)
            known = codes[earlier]
            if code >= LOST:
                if known > OPEN or WON + plies + 1 < known < LOST:
                    codes[earlier] = WON + plies + 1
                    farthest = max(farthest, plies + 1)
            elif known > OPEN + 1:
                codes[earlier] = known - 1
            elif known == OPEN + 1:
                lasts = max(plies + 1, slowest_below(earlier, codes, rules))
                codes[earlier] = LOST + lasts
                farthest = max(farthest, lasts)
    return found, farthest


@kernel
def end(first: int, last: int, codes: NDArray[np.uint8]) -> None:
    """What nobody can force is drawn."""
    for number in range(first, last):
        if codes[number] >= OPEN:
            codes[number] = DRAWN


@kernel
def is_kept(number: int, rules: Rules) -> int:
    """The first of a board's images, which stands for them all; -1 where a line says it all."""
    own, blank = masks_of(number, rules)
    other = BOARD & ~(own | blank)
    if lined_up(own) or lined_up(other):
        return -1
    kept = number
    cell = ones((blank - 1) & BOARD)
    for turn in rules.images[cell]:
        if turn < 0:
            break
        image = number_of(
            turned(own, turn, rules.turns), turned(other, turn, rules.turns), rules.fold
        )
        kept = min(kept, image)
    return kept


@kernel
def thin_out(
    first: int, last: int, codes: NDArray[np.uint8], thinned: NDArray[np.uint8], rules: Rules
) -> None:
    """Copy to `thinned` only what the rest follows from."""
    for number in range(first, last):
        kept = is_kept(number, rules) == number
        thinned[number - first] = codes[number] if kept else DRAWN


@kernel
def fill_in(first: int, last: int, codes: NDArray[np.uint8], rules: Rules) -> None:
    """What `thin_out` left away, in place: an image of a board comes after it."""
    for number in range(first, last):
        kept = is_kept(number, rules)
        if kept >= 0:
            codes[number] = codes[kept]
        else:
            own, _ = masks_of(number, rules)
            codes[number] = WON if lined_up(own) else LOST


@kernel
def count(
    first: int, last: int, weight: int, codes: NDArray[np.uint8], rules: Rules
) -> tuple[NDArray[np.int64], int]:
    """([own cubes] -> won, lost, drawn; the longest way to an end), each board so many times."""
    counts = np.zeros((26, 3), np.int64)
    longest = 0
    for number in range(first, last):
        own, _ = masks_of(number, rules)
        code = codes[number]
        if code == DRAWN:
            counts[ones(own), 2] += weight
        elif code >= LOST:
            counts[ones(own), 1] += weight
            longest = max(longest, code - LOST)
        else:
            counts[ones(own), 0] += weight
            longest = max(longest, code - WON)
    return counts, longest
