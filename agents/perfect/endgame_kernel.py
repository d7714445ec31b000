"""Kernels of the retrograde analysis of 5×5 Quixo endgames, one layer (number of blanks) at a time.

Taking one's own cube keeps the number of blanks, taking a blank lowers it. So boards without a
blank are solved first, then those with one, then those with two. The code of an undecided board
counts its moves that do not lose yet, so that one byte per board is enough.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.compute.kernels import kernel
from agents.quixo.bitboard import CELLS, ones, slid
from agents.quixo.endgame_tables import (
    BOARD,
    DRAWN,
    LOST,
    PARITY_TELLS,
    PLACES,
    SIZES,
    WON,
    number_of,
    plies_of,
)

# While a layer is solved, an undecided board has the code OPEN plus its moves left, at most 44.
# That leaves no codes for ends beyond COUNTED plies. Those are few, and found afterwards by
# examining moves again instead of counting them.
OPEN = 210
COUNTED = PARITY_TELLS
NO_BLANK, ONE_BLANK = SIZES[0], SIZES[1]  # the first number after those boards
SHIFTS = (CELLS, CELLS - 1, CELLS - 2)  # [blanks] -> bits of the mover's cubes in a number
BEFORE_PAIRS = len(PLACES[0]) + len(PLACES[1])
CORNERS = 0b10001_00000_00000_00000_10001
EDGES = 0b01110_10001_10001_10001_01110
COLUMN = 0b00001_00001_00001_00001_00001
ROW = 0b11111
RISING = 0b10000_01000_00100_00010_00001
FALLING = 0b00001_00010_00100_01000_10000


class Rules(NamedTuple):
    """The rules as arrays; -1 ends rows of unequal length."""

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
    """The index of the placement of a board's blanks in `Rules`."""
    if number < NO_BLANK:
        return 0
    if number < ONE_BLANK:
        return 1 + ((number - NO_BLANK) >> SHIFTS[1])
    return BEFORE_PAIRS + ((number - ONE_BLANK) >> SHIFTS[2])


@kernel
def masks_of(number: int, rules: Rules) -> tuple[int, int]:
    """(own, blank) masks of a board by its number."""
    blank, first, below, later = rules.places[place_of(number)]
    own = number - first
    own = (own & below) | (own & ~below) << 1
    return (own & later) | (own & ~later) << 1, blank


@kernel
def turned(mask: int, turn: int, turns: NDArray[np.int32]) -> int:
    """The mask after a turn."""
    low, middle = turns[turn, 0, mask & 511], turns[turn, 1, (mask >> 9) & 255]
    return int(low | middle | turns[turn, 2, mask >> 17])


@kernel
def lined_up(mask: int) -> bool:
    """Whether the mask contains a line; the five rows and columns are tested in parallel."""
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
    """The number of the board after a push."""
    return number_of(slid(other, push), slid(own, push) | push[5], rules.fold)


@kernel
def first_code(number: int, codes: NDArray[np.uint8], rules: Rules) -> tuple[int, int]:
    """(initial code of a board, plies to its end), from boards with fewer blanks only."""
    own, blank = masks_of(number, rules)
    other = BOARD & ~(own | blank)
    if lined_up(own):  # completed by the other's move, so the mover has won
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
        return WON + quickest, quickest  # until a quicker win is found
    return (OPEN + left, 0) if left else (LOST + slowest, slowest)


@kernel
def slowest_below(number: int, codes: NDArray[np.uint8], rules: Rules) -> int:
    """The plies of the slowest loss among pushes of blanks, all of which lose; 0 without any."""
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
    """Set the initial codes of the boards from `first` to `last` - 1; returns the most plies."""
    farthest = 0
    for number in range(first, last):
        codes[number], plies = first_code(number, codes, rules)
        farthest = max(farthest, plies)
    return farthest


@kernel
def before(own: int, arrival: Sequence[int]) -> int:
    """The number of the board before this reversed push by the player with these cubes.

    -1 if the pushed cube is not theirs.
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
    """Decide the predecessors of the boards decided in `plies`.

    Returns (number of boards decided in `plies`, most plies of a predecessor).

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
        own = theirs  # of the player who made the move, turned
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
    """Set the remaining undecided boards to drawn."""
    for number in range(first, last):
        if codes[number] >= OPEN:
            codes[number] = DRAWN


@kernel
def is_lost(number: int, codes: NDArray[np.uint8], rules: Rules) -> bool:
    """Whether every move leads to a won board."""
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
    """Decide the predecessors of the boards decided last, with this code; returns their numbers.

    Those found are all lost or all won; undecided boards are marked as drawn so far.
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
    """The smallest number of a board's images, which is stored; -1 for a board with a line."""
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
    """Copy the canonical boards to `thinned`, with DRAWN for the others."""
    for number in range(first, last):
        kept = is_kept(number, rules) == number
        thinned[number - first] = codes[number] if kept else DRAWN


@kernel
def fill_in(first: int, last: int, codes: NDArray[np.uint8], rules: Rules) -> None:
    """Restore what `thin_out` removed, in place; images come after their canonical board."""
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
    """([own cubes] -> won, lost, drawn; most plies to an end), each board `weight` times."""
    counts = np.zeros((26, 3), np.int64)
    longest = 0
    for number in range(first, last):
        own, _ = masks_of(number, rules)
        code = codes[number]
        counts[ones(own), 2 if code == DRAWN else 1 if code >= LOST else 0] += weight
        if code != DRAWN:
            longest = max(longest, plies_of(code))
    return counts, longest
