"""Negamax for Quixo on bit boards, with a transposition table.

A value is for the side to move: WIN less the plies to a forced end, else the worth of the lines.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.compute.kernels import kernel
from agents.quixo.bitboard import CELLS, find, is_repetition, key_of, ones, pushed
from agents.quixo.endgame_tables import DRAWN, LOST, Endgames, code_of, plies_of
from agents.quixo.evaluation import LineWorths, evaluate

WIN = 30_000
DECIDED = 29_000  # beyond this either way, a value counts plies to a forced end
MAX_PLY = 64  # from the root
UPPER, LOWER, EXACT = 1, 2, 3  # the kind of bound a stored value is
NO_MOVE = 63
UNLIMITED_POSITIONS = 1 << 60
IN_USE = 1 << 60  # marks a slot of the table
ODD_PLY = 1 << 58  # separates the entries of the two sides where a draw is not worth 0


class Workspace(NamedTuple):
    """One search: the rules and the evaluation as arrays, its buffers, its parameters."""

    slides: NDArray[np.int64]  # [move] -> source, stay, sliding, up, down, entry
    lines: NDArray[np.int64]  # [line] -> mask
    worth: LineWorths  # [line, SIDE * own cubes + other's], for the side to move
    table: NDArray[np.int64]  # [slot] -> key xor entry, entry; in buckets of two slots
    path: NDArray[np.int64]  # [ply of the match] -> key of the position
    children: NDArray[np.int64]  # [ply, child] -> own, other, move, static value
    counts: NDArray[np.int64]  # positions searched, their limit
    stop: NDArray[np.int8]  # [0] ends it for now; [1], set by another thread, for good
    draw: int  # the value of a draw to the side to move at the root
    plies: int  # from the root to the match's ply limit
    exact: bool  # whether values must be those of plain minimax to the same depth
    endgames: Endgames  # tables looked up rather than searched


@kernel
def perft(own: int, other: int, depth: int, s: Workspace) -> int:
    """The number of ways to play just this many plies."""
    if abs(evaluate(own, other, s.lines, s.worth, WIN)) == WIN:
        return 0
    count = 0
    for slide in s.slides:
        if other & slide[0]:
            continue
        if depth == 1:
            count += 1
        else:
            left, after = pushed(own, other, slide)
            count += perft(left, after, depth - 1, s)
    return count


@kernel
def slot_of(key: int, table: NDArray[np.int64]) -> int:
    """The first slot of a position's bucket, by multiplicative hashing."""
    mixed = (key * 0x1E3779B97F4A7C15) & 0x7FFFFFFFFFFFFFFF
    return ((mixed >> 20) & (len(table) // 2 - 1)) * 2


@kernel
def recall(key: int, table: NDArray[np.int64]) -> tuple[int, int, int, int]:
    """(depth, value, bound, best move) of a position in the table; depth -1 where it has none."""
    slot = slot_of(key, table)
    for at in (slot, slot + 1):
        kept = table[at, 1]
        if table[at, 0] ^ kept == key | IN_USE:
            return (kept >> 16) & 255, (kept & 0xFFFF) - (1 << 15), (kept >> 24) & 3, kept >> 26
    return -1, 0, 0, NO_MOVE


@kernel
def store(
    key: int, depth: int, value: int, bound: int, move: int, table: NDArray[np.int64]
) -> None:
    """Store a result: the first slot of a bucket keeps the deepest, the second the latest.

    The key is stored xor the entry (Hyatt and Mann 2002): halves written by two threads at once
    match no position.
    """
    slot = slot_of(key, table)
    there = table[slot, 0] ^ table[slot, 1]
    if there not in (0, key | IN_USE) and (table[slot, 1] >> 16) & 255 > depth:
        slot += 1
    kept = (value + (1 << 15)) | depth << 16 | bound << 24 | move << 26
    table[slot, 0] = (key | IN_USE) ^ kept
    table[slot, 1] = kept


@kernel
def shift_plies(value: int, ply: int) -> int:
    """A value with plies from the root as one with plies from `ply`; with -ply, the reverse.

    The table stores the latter, since a position may come up at any ply.
    """
    if value > DECIDED:
        return value + ply
    return value - ply if value < -DECIDED else value


@kernel
def blanks_on(own: int, other: int) -> int:
    """The number of blank cubes on the largest board; on a smaller one, always many."""
    return CELLS - ones(own | other)


@kernel
def endgame_value(own: int, other: int, ply: int, s: Workspace) -> int:
    """The value of a board in the endgame tables. An end after the ply limit is a draw."""
    code = code_of(own, other, s.endgames)
    plies = ply + plies_of(code)
    if code == DRAWN or plies > s.plies:
        return -s.draw if ply % 2 else s.draw
    return plies - WIN if code >= LOST else WIN - plies


@kernel
def expand(own: int, other: int, ply: int, best_move: int, s: Workspace) -> tuple[int, bool]:
    """Write the different positions one move away to `s.children`.

    Returns (their number, whether some other move loses at once); the number is -1 where a move
    wins at once. Many moves lead to the same position: 44 to 16 of them at the start.
    """
    children = s.children[ply]
    count, loses = 0, False
    known = blanks_on(own, other) - 1 <= s.endgames.blanks  # in the tables after taking a blank
    for move in range(len(s.slides)):
        slide = s.slides[move]
        if other & slide[0]:
            continue
        left, after = pushed(own, other, slide)
        value = -evaluate(left, after, s.lines, s.worth, WIN)
        if value == WIN:
            return -1, loses
        if value == -WIN:
            loses = True
            continue
        same = find(left, after, children, count)
        if same < 0:
            children[count, 0], children[count, 1] = left, after
            if known and own & slide[0] == 0:
                value = -endgame_value(left, after, ply + 1, s)
            children[count, 2], children[count, 3] = move, value
            count += 1
        elif move == best_move:
            children[same, 2] = move  # so that `pick` finds the table's move
    return count, loses


@kernel
def pick(children: NDArray[np.int64], first: int, count: int, best_move: int) -> None:
    """Swap the next child to search to `first`: the table's move, else the best static value."""
    best = first
    for child in range(first, count):
        if children[child, 2] == best_move:
            best = child
            break
        if children[child, 3] > children[best, 3]:
            best = child
    for field in range(4):
        held = children[first, field]
        children[first, field] = children[best, field]
        children[best, field] = held


@kernel
def search_one_ply(
    own: int, other: int, beta: int, ply: int, run: int, s: Workspace
) -> tuple[int, int]:
    """(best value, its move) of a search to depth 1."""
    at = len(s.path) - MAX_PLY + ply
    draw = -s.draw if ply % 2 else s.draw
    best, best_move = -WIN - 1, NO_MOVE
    known = blanks_on(own, other) - 1 <= s.endgames.blanks  # in the tables after taking a blank
    for move in range(len(s.slides)):
        slide = s.slides[move]
        if other & slide[0]:
            continue
        left, after = pushed(own, other, slide)
        s.counts[0] += 1
        if known and own & slide[0] == 0:
            value = -endgame_value(left, after, ply + 1, s)
        else:
            value = -evaluate(left, after, s.lines, s.worth, WIN)
            if value == WIN:
                return WIN - ply - 1, move
            if value == -WIN:
                value += ply + 1
            elif ply + 1 >= s.plies or (
                own & slide[0] and is_repetition(key_of(left, after), at + 1, run + 1, s.path)
            ):
                value = draw
        if value > best:
            best, best_move = value, move
            if value >= beta:
                break
    return best, best_move


@kernel
def negamax(  # noqa: PLR0912 - one algorithm, read in one go
    own: int, other: int, depth: int, alpha: int, beta: int, ply: int, run: int, s: Workspace
) -> int:
    """The value of a position that is not over, `ply` plies from the root, `depth` plies deep.

    Exact between alpha and beta, else a bound; meaningless once the search is stopped.
    Call it from Python only: numba loads no kernel from its cache that calls a recursive one.
    """
    at = len(s.path) - MAX_PLY + ply
    draw = -s.draw if ply % 2 else s.draw
    key = key_of(own, other)
    s.counts[0] += 1
    if s.stop[0] or s.stop[1] or s.counts[0] >= s.counts[1]:
        s.stop[0] = 1
        return 0
    if ply > 0 and (ply >= s.plies or is_repetition(key, at, run, s.path)):
        return draw
    if ply > 0 and blanks_on(own, other) <= s.endgames.blanks:
        return endgame_value(own, other, ply, s)
    if depth == 0:
        return evaluate(own, other, s.lines, s.worth, WIN)
    s.path[at] = key

    name = key | ODD_PLY if s.draw and ply % 2 else key
    known, value, bound, best_move = recall(name, s.table)
    # To equal minimax, only entries of the same depth, and none that may depend on repetitions.
    if (known == depth and run == 0) if s.exact else known >= depth:
        value = shift_plies(value, -ply)
        in_time = abs(value) <= DECIDED or WIN - abs(value) <= s.plies
        if in_time and (bound == EXACT or (value >= beta if bound == LOWER else value <= alpha)):
            return value

    if depth == 1:
        best, best_move = search_one_ply(own, other, beta, ply, run, s)
    else:
        count, loses = expand(own, other, ply, best_move, s)
        if count < 0:
            return WIN - ply - 1
        best = -WIN + ply + 1 if loses else -WIN - 1
        for child in range(count):
            pick(s.children[ply], child, count, best_move if child == 0 else NO_MOVE)
            left, after, move, _ = s.children[ply, child]
            reversible = run + 1 if own & s.slides[move, 0] else 0
            floor = max(alpha, best)
            if child == 0:
                value = -negamax(left, after, depth - 1, -beta, -floor, ply + 1, reversible, s)
            else:  # principal variation search: a null window, searched again if it fails high
                value = -negamax(left, after, depth - 1, -floor - 1, -floor, ply + 1, reversible, s)
                if floor < value < beta:
                    value = -negamax(left, after, depth - 1, -beta, -value, ply + 1, reversible, s)
            if s.stop[0]:
                return 0
            if value > best:
                best, best_move = value, move
            if best >= beta:
                break

    if best != draw or run == 0 or ply == 0:  # a draw by repetition depends on the path
        bound = LOWER if best >= beta else EXACT if best > alpha else UPPER
        store(name, depth, shift_plies(best, ply), bound, best_move, s.table)
    return best
