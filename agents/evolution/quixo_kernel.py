"""Quixo matches fast enough to evolve by: bit boards and a shallow alpha-beta.

It plays as `alphabeta` does at a fixed depth: the same values, any of the best moves, a
position that has occurred twice is a draw.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.compute.kernels import kernel
from agents.compute.rng import Stream, below, seed_stream
from agents.quixo.bitboard import find, pushed
from agents.quixo.evaluation import LineWorths, evaluate

WIN = 1_000_000_000  # less the plies to it
REPETITION = 3  # occurrences of a position that end the match
PLIES = 200  # after which the match is a draw


class Workspace(NamedTuple):
    """The rules as arrays, and the buffers of a search."""

    slides: NDArray[np.int64]  # [push] -> source, stay, sliding, up, down, entry
    lines: NDArray[np.int64]  # [line] -> mask
    children: NDArray[np.int64]  # [ply, child] -> own, other, static value
    twice: NDArray[np.int64]  # [turn, number] -> own, other of boards that occurred twice
    counts: NDArray[np.int64]  # [turn] -> the number of those
    path: NDArray[np.int64]  # [ply] -> own, other of the match's boards
    rng: Stream


@kernel
def is_drawn(own: int, other: int, ply: int, board: Workspace) -> bool:
    """Whether this board at that ply of the match is a draw by repetition."""
    turn = ply % 2
    return find(own, other, board.twice[turn], board.counts[turn]) >= 0


@kernel
def insert(own: int, other: int, value: int, children: NDArray[np.int64], count: int) -> None:
    """Insert a board into the children, which are sorted by static value."""
    place = count
    while place > 0 and children[place - 1, 2] < value:
        for field in range(3):
            children[place, field] = children[place - 1, field]
        place -= 1
    children[place, 0], children[place, 1], children[place, 2] = own, other, value


@kernel
def expand(
    own: int,
    other: int,
    ply: int,
    sight: int,
    beta: int,
    now: int,
    board: Workspace,
    worth: LineWorths,
) -> tuple[int, int]:
    """Write the boards one push away that must be searched, best first, to `board.children`.

    Returns (their number, the best value of those that need no search: ends, draws, the horizon).
    Many pushes lead to the same board, which is searched once.
    """
    children = board.children[ply]
    count, best = 0, -WIN
    for push in range(len(board.slides)):
        if other & board.slides[push, 0]:
            continue
        left, after = pushed(own, other, board.slides[push])
        if find(left, after, children, count) >= 0:
            continue
        value = -evaluate(left, after, board.lines, worth, WIN)
        undecided = abs(value) != WIN
        if not undecided:  # the quicker win and the slower loss are better
            value -= (ply + 1) * (1 if value > 0 else -1)
        elif is_drawn(left, after, now + ply + 1, board):
            value, undecided = 0, False
        if ply + 1 == sight or not undecided:
            best = max(best, value)
            if best >= beta:
                return 0, best
        else:
            insert(left, after, value, children, count)
            count += 1
    return count, best


@kernel
def negamax(
    own: int,
    other: int,
    ply: int,
    sight: int,
    beta: int,
    now: int,
    board: Workspace,
    worth: LineWorths,
) -> int:
    """The value of a board that is not over, `ply` plies from the root; at beta or above, a bound.

    Alpha-beta without recursion, because numba caches no recursive kernel.
    """
    root = ply
    stack = np.zeros((5, sight + 1), np.int64)
    looked, counts, best = stack[0], stack[1], stack[2]  # [ply] -> of the board on the path
    low, high = stack[3], stack[4]
    low[ply], high[ply] = -WIN, beta
    counts[ply], best[ply] = expand(own, other, ply, sight, beta, now, board, worth)
    while True:
        if looked[ply] < counts[ply] and best[ply] < high[ply]:
            child = board.children[ply, looked[ply]]
            looked[ply] += 1
            ply += 1
            looked[ply] = 0
            low[ply], high[ply] = -high[ply - 1], -max(low[ply - 1], best[ply - 1])
            counts[ply], best[ply] = expand(
                child[0], child[1], ply, sight, high[ply], now, board, worth
            )
        elif ply == root:
            return int(best[root])
        else:
            ply -= 1
            best[ply] = max(best[ply], -best[ply + 1])


@kernel
def best_push(
    own: int, other: int, sight: int, now: int, board: Workspace, worth: LineWorths
) -> int:
    """A random one of the pushes with the highest value."""
    best, chosen, alike, count = -2 * WIN, -1, 0, 0
    boards = np.empty((len(board.slides), 3), np.int64)  # own, other, value
    for push in range(len(board.slides)):
        if other & board.slides[push, 0]:
            continue
        left, after = pushed(own, other, board.slides[push])
        at = find(left, after, boards, count)
        if at < 0:
            at, count = count, count + 1
            boards[at, 0], boards[at, 1] = left, after
            boards[at, 2] = value_of(left, after, sight, best, now, board, worth)
        if boards[at, 2] > best:
            best, chosen, alike = boards[at, 2], push, 1
        elif boards[at, 2] == best:
            alike += 1
            if below(board.rng, alike) == 0:
                chosen = push
    return chosen


@kernel
def value_of(
    own: int, other: int, sight: int, best: int, now: int, board: Workspace, worth: LineWorths
) -> int:
    """The value of the push that led here: exact if it is at least the best so far."""
    value = -evaluate(own, other, board.lines, worth, WIN)
    if abs(value) == WIN:
        return value - (1 if value > 0 else -1)
    if is_drawn(own, other, now + 1, board):
        return 0
    if sight == 1:
        return value
    return -negamax(own, other, 1, sight, -best + 1, now, board, worth)


@kernel
def play(first: LineWorths, second: LineWorths, sight: int, opening: int, board: Workspace) -> int:
    """Play a match after so many random plies: 1 if the first wins, -1 if the second, else 0."""
    own, other, since = 0, 0, 0
    board.counts[:] = 0
    board.path[0, 0], board.path[0, 1] = own, other
    for ply in range(PLIES):
        worth = second if ply % 2 else first
        if ply < opening:
            push = random_push(other, board)
        else:
            push = best_push(own, other, sight, ply, board, worth)
        if not own & board.slides[push, 0]:  # a blank was taken: no earlier board can recur
            board.counts[:], since = 0, ply + 1
        own, other = pushed(own, other, board.slides[push])
        value = -evaluate(own, other, board.lines, worth, WIN)
        if abs(value) == WIN:
            return 1 if (value > 0) == (ply % 2 == 0) else -1
        if record_position(own, other, ply + 1, since, board) == REPETITION:
            return 0
    return 0


@kernel
def record_position(own: int, other: int, ply: int, since: int, board: Workspace) -> int:
    """Record the board after this ply of the match; returns how often it has occurred."""
    board.path[ply, 0], board.path[ply, 1] = own, other
    occurred = 0
    for at in range(ply, since - 1, -2):
        if board.path[at, 0] == own and board.path[at, 1] == other:
            occurred += 1
    if occurred == REPETITION - 1:
        turn = ply % 2
        number = board.counts[turn]
        board.twice[turn, number, 0], board.twice[turn, number, 1] = own, other
        board.counts[turn] += 1
    return occurred


@kernel
def random_push(other: int, board: Workspace) -> int:
    while True:
        push = below(board.rng, len(board.slides))
        if not other & board.slides[push, 0]:
            return push


@kernel
def duel(
    one: LineWorths,
    rival: LineWorths,
    sight: int,
    openings: NDArray[np.int64],
    seed: int,
    board: Workspace,
) -> tuple[int, int, int]:
    """(wins, draws, losses) of `one` in both seats from each opening, a number of random plies."""
    wins = draws = losses = 0
    for number in range(2 * len(openings)):
        seed_stream(board.rng, seed, number // 2)
        if number % 2 == 0:
            result = play(one, rival, sight, openings[number // 2], board)
        else:
            result = -play(rival, one, sight, openings[number // 2], board)
        wins += result == 1
        draws += result == 0
        losses += result == -1
    return wins, draws, losses
