"""Endgames of 5×5 Quixo solved backwards from their ends, a number of blanks at a time.

Taking one's own cube keeps the number of blanks, taking a blank lessens it. So boards without a
blank are solved by themselves, those with one once these are known, and then those with two. While
a board is open its code counts the moves left that may yet save its mover: one byte serves for all.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.compute.kernels import kernel
from agents.quixo.bitboard import ones, slid
from agents.quixo.endgames import (
    BOARD,
    CELLS,
    DRAWN,
    LOST,
    PARITY_TELLS,
    PLACES,
    SIZES,
    WON,
    number_of,
    plies_of,
)

# While a layer is being solved an open board has OPEN plus its moves left, 44 at most. That leaves
# no room for ends more than COUNTED plies away. Few are, and they are found by looking at moves
# again rather than by counting them.
OPEN = 210
COUNTED = PARITY_TELLS
NO_BLANK, ONE_BLANK = SIZES[0], SIZES[1]  # the first number beyond those boards
SHIFTS = (CELLS, CELLS - 1, CELLS - 2)  # [blanks] -> of a number: above the mover's cubes
BEFORE_PAIRS = len(PLACES[0]) + len(PLACES[1])
CORNERS = 0b10001_00000_00000_00000_10001
EDGES = 0b01110_10001_10001_10001_01110
COLUMN = 0b00001_00001_00001_00001_00001
ROW = 0b11111
RISING = 0b10000_01000_00100_00010_00001
FALLING = 0b00001_00010_00100_01000_10000


class Rules(NamedTuple):
    """The game as the solver reads it."""

    slides: NDArray[np.int64]  # [push] -> source, stay, sliding, up, down, entry
    pushes: NDArray[np.int64]  # [place, push of a blank] -> the same; source -1: no more
    fold: NDArray[np.int32]  # [blank, later blank, part, bits]
    # [place, all of no blank first] -> the blanks, the first number, and the cells below either
    # blank, all of them where there is none
    places: NDArray[np.int64]
    turns: NDArray[np.int32]  # [turn, part, bits] -> mask
    images: NDArray[np.int64]  # [place, image] -> turn that leaves its blanks there; -1: no more
    # [place, arrival] -> turn (-1: no more), the six figures of a push, then of the boards it
    # comes from the first, and the cells below either blank
    arrivals: NDArray[np.int64]


@kernel
def place_of(number: int) -> int:
    """Where the blanks of a board are, as `Rules` counts places."""
    if number < NO_BLANK:
        return 0
    if number < ONE_BLANK:
        return 1 + ((number - NO_BLANK) >> SHIFTS[1])
    return BEFORE_PAIRS + ((number - ONE_BLANK) >> SHIFTS[2])


@kernel
def masks_of(number: int, rules: Rules) -> tuple[int, int]:
    """The masks of a board: of the mover's cubes, and of the blanks."""
    blank, first, below, later = rules.places[place_of(number)]
    own = number - first
    own = (own & below) | (own & ~below) << 1
    return (own & later) | (own & ~later) << 1, blank


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
def after(own: int, other: int, push: Sequence[int], rules: Rules) -> int:
    """The number of the board after this push."""
    return number_of(slid(other, push), slid(own, push) | push[5], rules.fold)


@kernel
def first_code(number: int, codes: NDArray[np.uint8], rules: Rules) -> tuple[int, int]:
    """(the code of a board before any other with as many blanks is known, its plies to the end)"""
    own, blank = masks_of(number, rules)
    other = BOARD & ~(own | blank)
    if lined_up(own):  # completed by the other's own move, so the mover has won
        return WON, 0
    if lined_up(other):
        return LOST, 0
    left = 2 * ones(CORNERS & own) + 3 * ones(EDGES & own)
    quickest, slowest = 255, 0
    for push in rules.pushes[place_of(number)]:
        if push[0] < 0:
            break
        code = codes[after(own, other, push, rules)]
        if code == DRAWN:
            left += 1
        elif code >= LOST:
            quickest = min(quickest, code - LOST + 1)
        else:
            slowest = max(slowest, code - WON + 1)
    if quickest < 255:
        return WON + quickest, quickest  # as yet: a quicker win may come to light
    return (OPEN + left, 0) if left else (LOST + slowest, slowest)


@kernel
def slowest_below(number: int, codes: NDArray[np.uint8], rules: Rules) -> int:
    """How long a board lasts, all of whose pushes of the blank lose; 0 where there are none."""
    slowest = 0
    own, blank = masks_of(number, rules)
    other = BOARD & ~(own | blank)
    for push in rules.pushes[place_of(number)]:
        if push[0] < 0:
            break
        code = codes[after(own, other, push, rules)]
        slowest = max(slowest, code - WON + 1)
    return slowest


@kernel
def begin(first: int, last: int, codes: NDArray[np.uint8], rules: Rules) -> int:
    """Give the boards from `first` to below `last` their first codes; the farthest end seen."""
    farthest = 0
    for number in range(first, last):
        codes[number], plies = first_code(number, codes, rules)
        farthest = max(farthest, plies)
    return farthest


@kernel
def before(own: int, arrival: Sequence[int]) -> int:
    """The number of the board before this arrival, whoever made it having these cubes now.

    -1 where the cube that came in is not theirs.
    """
    if own & arrival[6] == 0:
        return -1
    cubes = (own & arrival[2]) | ((own ^ arrival[6]) << arrival[5] >> arrival[4]) & arrival[3]
    cubes |= arrival[1]
    cubes = (cubes & arrival[9]) | (cubes & ~arrival[9]) >> 1
    return arrival[7] + ((cubes & arrival[8]) | (cubes & ~arrival[8]) >> 1)


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
        place = place_of(number)
        theirs = BOARD & ~(mine | blank)
        turn = 0
        own = theirs  # from here on: of who made the move
        for at in range(len(rules.arrivals[place])):
            arrival = rules.arrivals[place, at]
            if arrival[0] != turn:
                turn = arrival[0]
                if turn < 0:
                    break
                own = turned(theirs, turn, rules.turns)
            earlier = before(own, arrival)
            if earlier < 0:
                continue
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
def is_lost(number: int, codes: NDArray[np.uint8], rules: Rules) -> bool:
    """Whether every move leads to a board that is won."""
    own, blank = masks_of(number, rules)
    other = BOARD & ~(own | blank)
    for slide in rules.slides:
        if other & slide[0] == 0:
            code = codes[after(own, other, slide, rules)]
            if code == DRAWN or code >= LOST:
                return False
    return True


@kernel
def step_on(
    found: NDArray[np.int32], code: int, codes: NDArray[np.uint8], rules: Rules
) -> NDArray[np.int32]:
    """From the boards decided last to those before them, which have this code and are returned.

    Those found are all lost or all won, so that those before them are all won or all lost; what is
    not decided counts as drawn so far.
    """
    earlier_ones = np.empty(len(found) * rules.arrivals.shape[1], np.int32)
    count = 0
    for number in found:
        mine, blank = masks_of(number, rules)
        theirs = BOARD & ~(mine | blank)
        for arrival in rules.arrivals[place_of(number)]:
            if arrival[0] < 0:
                break
            earlier = before(turned(theirs, arrival[0], rules.turns), arrival)
            if earlier < 0 or codes[earlier] != DRAWN:
                continue
            if code < LOST or is_lost(earlier, codes, rules):
                codes[earlier] = code
                earlier_ones[count] = earlier
                count += 1
    return earlier_ones[:count].copy()


@kernel
def is_kept(number: int, rules: Rules) -> int:
    """The first of a board's images, which stands for them all; -1 where a line says it all."""
    own, blank = masks_of(number, rules)
    other = BOARD & ~(own | blank)
    if lined_up(own) or lined_up(other):
        return -1
    kept = number
    for turn in rules.images[place_of(number)]:
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
        counts[ones(own), 2 if code == DRAWN else 1 if code >= LOST else 0] += weight
        if code != DRAWN:
            longest = max(longest, plies_of(code))
    return counts, longest
