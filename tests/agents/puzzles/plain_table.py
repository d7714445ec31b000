"""Quixo 4×4 solved once more, for proofs of puzzles: boards as numbers in base three, gone over
again and again, those with the fewest blanks first, since a blank never comes back."""

from functools import cache
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from tests.agents.puzzles.plain import Value, lines, pushes

SIZE = 4
CELLS = SIZE * SIZE
BOARDS = 3**CELLS
POWERS = 3 ** np.arange(CELLS)
NAMES = "abcdefghijklmnop"  # a letter for every cell, the rows from the top


def _paths() -> NDArray[np.int64]:
    """The cells of every push, from where a cube is taken to where it goes in; -1 after them."""
    found = []
    for move in pushes(f"{'/'.join(['.' * SIZE] * SIZE)} x"):
        (column, row), (to_column, to_row) = (
            ("abcd".index(cell[0]), SIZE - int(cell[1])) for cell in move.split("-")
        )
        length = abs(to_column - column) + abs(to_row - row)
        across, down = (to_column - column) // length, (to_row - row) // length
        cells = [(row + down * at) * SIZE + column + across * at for at in range(length + 1)]
        found.append(cells + [-1] * (SIZE - len(cells)))
    return np.array(found)


def _lines() -> NDArray[np.int64]:
    rows = [NAMES[at : at + SIZE] for at in range(0, CELLS, SIZE)]
    return np.array([[NAMES.index(name) for name in line] for line in lines(rows)])


@njit(cache=False)
def _ended(board: Any, all_lines: Any) -> int:
    """1 if the side to move (1) has a line, which its opponent completed, -1 if only that has."""
    own, other = False, False
    for line in all_lines:
        first = board[line[0]]
        full = first != 0
        for cell in line:
            full = full and board[cell] == first
        own |= full and first == 1
        other |= full and first == 2
    return 1 if own else -1 if other else 0


@njit(cache=False)
def _blanks(number: int) -> int:
    count = 0
    for _ in range(CELLS):
        count += number % 3 == 0
        number //= 3
    return count


@njit(cache=False)
def _decided(number: int, ply: int, table: Any, paths: Any) -> int:
    """What a board comes to in exactly so many plies, as `table` says it; 0: not in so many."""
    own, turned = np.empty(CELLS, np.int64), np.empty(CELLS, np.int64)
    base = 0
    for cell in range(CELLS):
        own[cell] = number % 3
        turned[cell] = 3 - own[cell] if own[cell] else 0
        base += POWERS[cell] * turned[cell]
        number //= 3
    all_won = True
    for path in paths:
        if own[path[0]] == 2:
            continue
        after, last = base, path[0]
        for cell in path[1:]:
            if cell < 0:
                break
            after += POWERS[last] * (turned[cell] - turned[last])
            last = cell
        after += POWERS[last] * (2 - turned[last])
        if table[after] == -ply:
            return ply + 1
        all_won = all_won and 0 < table[after] <= ply
    return -(ply + 1) if all_won else 0


@njit(cache=False)
def _solve(paths: Any, all_lines: Any) -> Any:
    table = np.zeros(BOARDS, np.int8)
    board = np.empty(CELLS, np.int64)
    blanks = np.empty(BOARDS, np.int8)
    for number in range(BOARDS):
        blanks[number] = _blanks(number)
        rest = number
        for cell in range(CELLS):
            board[cell] = rest % 3
            rest //= 3
        table[number] = _ended(board, all_lines)
    longest = 0
    for count in range(CELLS + 1):
        open_ones = np.nonzero((blanks == count) & (table == 0))[0]
        ply = 0
        while True:
            ply += 1
            found = np.empty(len(open_ones), np.int8)
            for at, number in enumerate(open_ones):
                found[at] = _decided(number, ply, table, paths)
            table[open_ones] = found
            if found.any():
                longest = max(longest, ply)
            elif ply > longest + 1:
                break
            open_ones = open_ones[found == 0]
    return table


@cache
def _table() -> NDArray[np.int8]:
    solved: NDArray[np.int8] = _solve(_paths(), _lines())
    return solved


def table_value(text: str) -> Value:
    """The value of a board with its distance, for the side to move."""
    board, mover = text.split()
    digits = [0 if mark == "." else 1 if mark == mover else 2 for mark in board.replace("/", "")]
    known = int(_table()[sum(digit * 3**at for at, digit in enumerate(digits))])
    return (0, None) if not known else (1 if known > 0 else -1, abs(known) - 1)
