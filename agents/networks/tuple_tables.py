"""N-tuple tables for Quixo, learned by playing itself (Thill, Koch and Konen 2012).

A tuple is a few cells; each of its 3^n fillings has a number, and a position is worth the sum of
its tuples' numbers. Tuples that a turn or a mirror image makes alike share a table: the lines (four
tables of 243 numbers on 5×5) and the seven cells of the rim around each corner (2,187). It learns
by temporal differences, with a rate of its own for every number that falls where corrections
cancel out (temporal coherence: Beal and Smith 1999, for n-tuples Thill et al. 2014).
"""

from __future__ import annotations

from functools import lru_cache
from math import tanh
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.compute.kernels import kernel
from agents.compute.rng import Stream, random, seed_stream
from agents.evolution.quixo_kernel import Workspace, best_push, random_push
from agents.networks.measurement import GOES_ON, MAX_OPENING, SIGHT, push
from agents.networks.rules import OPEN, Rules, is_legal, played, result_of
from agents.networks.self_play import opening_plies, random_move
from agents.quixo.evaluation import LineWorths
from engine.square import square

CORNER = 4  # cells of the rim from a corner, along either side and the corner itself


class Tuples(NamedTuple):
    """Which cells a position's tuples are, and where their tables begin."""

    cells: NDArray[np.int64]  # [tuple, place] -> cell, -1 beyond its length
    offset: NDArray[np.int64]  # [tuple] -> the first number of its table
    numbers: int  # of all tables


class Table(NamedTuple):
    """What is learned, and of all corrections of a number the sum and the sum of their sizes."""

    worth: NDArray[np.float64]
    net: NDArray[np.float64]
    size: NDArray[np.float64]


class Settings(NamedTuple):
    """How it plays and learns."""

    alpha: float
    epsilon: float
    decay: float  # lambda: how much of a correction goes back to earlier positions
    openings: float  # share of games that begin with random plies


@lru_cache(maxsize=4)
def tuples_of(size: int) -> Tuples:
    """The lines and corners of a board of this size."""
    turns = square(size).turns
    lines = [[row * size + at for at in range(size)] for row in range((size + 1) // 2)]
    lines.append([at * size + at for at in range(size)])
    arm = range(1, min(CORNER, size))
    corner = [*reversed(arm), 0, *(at * size for at in arm)]
    rows: list[list[int]] = []
    offset: list[int] = []
    numbers = 0
    for first in (*lines, corner):
        found: dict[frozenset[int], list[int]] = {}
        for turn in turns:
            image = [int(turn[cell]) for cell in first]
            found.setdefault(frozenset(image), image)
        rows += found.values()
        offset += [numbers] * len(found)
        numbers += 3 ** len(first)
    cells = np.full((len(rows), max(map(len, rows))), -1, np.int64)
    for at, row in enumerate(rows):
        cells[at, : len(row)] = row
    return Tuples(cells, np.array(offset, np.int64), numbers)


@kernel
def place_of(own: int, other: int, number: int, tuples: Tuples) -> int:
    """Where the number of a tuple's filling stands."""
    filling = 0
    for place in range(tuples.cells.shape[1]):
        cell = tuples.cells[number, place]
        if cell < 0:
            break
        filling = 3 * filling + (own >> cell & 1) + 2 * (other >> cell & 1)
    return int(tuples.offset[number] + filling)


@kernel
def value_of(own: int, other: int, tuples: Tuples, worth: NDArray[np.float64]) -> float:
    """What a position is worth to the side to move, -1 to 1."""
    total = 0.0
    for number in range(len(tuples.cells)):
        total += worth[place_of(own, other, number, tuples)]
    return tanh(total)


@kernel
def move_value(
    own: int, other: int, move: int, rules: Rules, tuples: Tuples, worth: NDArray[np.float64]
) -> float:
    """What a legal move is worth to its mover: a result, or by the position after it."""
    after, others = played(own, other, move, rules)
    result = result_of(after, others, rules)
    return -float(result) if result != OPEN else -value_of(after, others, tuples, worth)


@kernel
def best_move(
    own: int, other: int, rules: Rules, tuples: Tuples, worth: NDArray[np.float64]
) -> tuple[int, float]:
    """(the first of the best moves, its value)."""
    best, highest = -1, -np.inf
    for move in range(len(rules.moves)):
        if is_legal(own, other, move, rules):
            value = move_value(own, other, move, rules, tuples, worth)
            if value > highest:
                best, highest = move, value
    return best, highest


@kernel
def learn_games(
    first: int,
    games: int,
    seed: int,
    settings: Settings,
    rules: Rules,
    tuples: Tuples,
    table: Table,
    path: NDArray[np.int64],
    values: NDArray[np.float64],
    rng: Stream,
) -> None:
    """Play the games from number `first` on and learn from each, backwards.

    A position moves towards what its best move was worth (TD), mixed with what the rest of the game
    came to (lambda); moves at random are not learned from.
    """
    for game in range(first, first + games):
        seed_stream(rng, seed, game)
        plies, result = play_game(settings, rules, tuples, table.worth, path, values, rng)
        follows = result
        for at in range(plies - 1, -1, -1):
            own, other = path[at, 0], path[at, 1]
            if path[at, 2] == 0:
                follows = value_of(own, other, tuples, table.worth)
                continue
            follows = (1 - settings.decay) * values[at] - settings.decay * follows
            correct(own, other, follows, settings.alpha, tuples, table)


@kernel
def play_game(
    settings: Settings,
    rules: Rules,
    tuples: Tuples,
    worth: NDArray[np.float64],
    path: NDArray[np.int64],
    values: NDArray[np.float64],
    rng: Stream,
) -> tuple[int, float]:
    """One game with itself: (plies, result for the side to move at the end).

    path[ply] is own, other and whether the move was its own; values[ply] what that was worth.
    """
    own, other, ply = rules.start, 0, 0
    opening = opening_plies(settings.openings, rng)
    while result_of(own, other, rules) == OPEN and ply < rules.plies:
        path[ply, 0], path[ply, 1] = own, other
        if ply < opening or random(rng) < settings.epsilon:
            move, path[ply, 2] = random_move(own, other, rng, rules), 0
        else:
            move, values[ply] = best_move(own, other, rules, tuples, worth)
            path[ply, 2] = 1
        own, other = played(own, other, move, rules)
        ply += 1
        met = 1
        for back in range(ply - 2, -1, -2):
            if path[back, 0] == own and path[back, 1] == other:
                met += 1
        if met >= rules.repetition > 0:
            return ply, 0.0
    return ply, float(result_of(own, other, rules))


@kernel
def correct(own: int, other: int, goal: float, alpha: float, tuples: Tuples, table: Table) -> None:
    """Move the value of a position towards a goal."""
    value = value_of(own, other, tuples, table.worth)
    delta = (goal - value) * (1 - value * value)
    for number in range(len(tuples.cells)):
        at = place_of(own, other, number, tuples)
        coherence = abs(table.net[at]) / table.size[at] if table.size[at] > 0 else 1.0
        table.net[at] += delta
        table.size[at] += abs(delta)
        table.worth[at] += alpha * coherence * delta


@kernel
def best_moves(
    position: NDArray[np.int64], rules: Rules, tuples: Tuples, worth: NDArray[np.float64]
) -> NDArray[np.int32]:
    """[state] -> the move it plays."""
    chosen = np.zeros(len(position), np.int32)
    for at in range(len(position)):
        chosen[at], _ = best_move(position[at, 0], position[at, 1], rules, tuples, worth)
    return chosen


@kernel
def duel(
    openings: int,
    rival: LineWorths,
    board: Workspace,
    rules: Rules,
    tuples: Tuples,
    worth: NDArray[np.float64],
) -> NDArray[np.int64]:
    """Wins, draws and losses against alpha-beta, in both seats after 0 to 8 random plies."""
    counts = np.zeros(3, np.int64)
    for number in range(2 * openings):
        seed_stream(board.rng, 1, number // 2)
        opening = number // 2 % (MAX_OPENING + 1)
        counts[1 - duel_game(number % 2, opening, rival, board, rules, tuples, worth)] += 1
    return counts


@kernel
def duel_game(
    seat: int,
    opening: int,
    rival: LineWorths,
    board: Workspace,
    rules: Rules,
    tuples: Tuples,
    worth: NDArray[np.float64],
) -> int:
    """One game in this seat: 1 won, 0 drawn, -1 lost."""
    own, other, since = 0, 0, 0
    board.counts[:] = 0
    board.path[0, 0], board.path[0, 1] = own, other
    for ply in range(rules.plies):
        if ply < opening:
            move = random_push(other, board)
        elif ply % 2 == seat:
            move, _ = best_move(own, other, rules, tuples, worth)
        else:
            move = best_push(own, other, SIGHT, ply, board, rival)
        own, other, since, result = push(own, other, move, ply, since, board, rules)
        if result != GOES_ON:
            return result if ply % 2 == seat else -result
    return 0
