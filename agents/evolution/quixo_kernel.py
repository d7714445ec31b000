"""Quixo played fast enough to evolve by: bit boards, a shallow alpha-beta, whole tournaments.

A board is two masks, the mover's and the other's. A genome is weights of lines, [2, count]: for
the side to move a line with that many of its own marks, and of the other's.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.kernels import kernel

WIN = 1e9
LONGEST = 120  # plies; shallow players may push to and fro for ever
OPENING = 4  # random plies, so that no two games are alike


class Pushes(NamedTuple):
    """Every push as masks and shifts, and the lines."""

    source: NDArray[np.int64]
    stay: NDArray[np.int64]
    sliding: NDArray[np.int64]
    up: NDArray[np.int64]
    down: NDArray[np.int64]
    entry: NDArray[np.int64]
    lines: NDArray[np.int64]


@kernel
def breed(
    pushes: Pushes,
    genes: NDArray[np.float64],  # [individual, 2, count] -> log of its weight over the model's
    model: NDArray[np.float64],  # [2, count] -> the weights to beat
    parents: int,
    games: int,
    sight: int,
    sigma: float,
    generations: int,
    seed: int,
) -> None:
    """A (μ+λ) evolution strategy on the logarithms of the weights; everyone plays anew."""
    np.random.seed(seed)
    points = np.zeros(len(genes))
    for _ in range(generations):
        for child in range(parents, len(genes)):
            parent = genes[np.random.randint(parents)]
            genes[child] = parent + np.random.normal(0.0, sigma, model.size).reshape(model.shape)
        population = model * np.exp(genes)
        for one in range(len(genes)):
            points[one] = tournament(pushes, population, one, model, games, sight)
        genes[:] = genes[np.argsort(-points, kind="mergesort")]


@kernel
def tournament(
    pushes: Pushes,
    population: NDArray[np.float64],
    one: int,
    model: NDArray[np.float64],
    games: int,
    sight: int,
) -> float:
    """Points of one individual: by turns against the model it has to beat and against another."""
    points = 0.0
    for game in range(games):
        rival = model if game % 4 < 2 else population[np.random.randint(len(population))]
        if game % 2 == 0:
            points += play(pushes, population[one], rival, sight)
        else:
            points += 1.0 - play(pushes, rival, population[one], sight)
    return points


@kernel
def duel(
    pushes: Pushes,
    one: NDArray[np.float64],
    other: NDArray[np.float64],
    games: int,
    sight: int,
    seed: int,
) -> tuple[int, int, int]:
    """(wins, draws, losses) of the one against the other, beginning every other game."""
    np.random.seed(seed)
    wins = draws = losses = 0
    for game in range(games):
        if game % 2 == 0:
            points = play(pushes, one, other, sight)
        else:
            points = 1.0 - play(pushes, other, one, sight)
        if points > 0.75:
            wins += 1
        elif points < 0.25:
            losses += 1
        else:
            draws += 1
    return wins, draws, losses


@kernel
def play(
    pushes: Pushes, first: NDArray[np.float64], second: NDArray[np.float64], sight: int
) -> float:
    """One game: 1 if the first wins, 0 if the second does, a half if nobody does."""
    own, theirs = 0, 0
    for ply in range(LONGEST):
        genome = first if ply % 2 == 0 else second
        if ply < OPENING:
            push = any_push(pushes, theirs)
        else:
            push = best_push(pushes, own, theirs, genome, sight)
        own, theirs = pushed(pushes, push, own, theirs)
        if has_line(pushes.lines, theirs):
            return float(ply % 2)
        if has_line(pushes.lines, own):
            return 1.0 - ply % 2
        own, theirs = theirs, own
    return 0.5


@kernel
def any_push(pushes: Pushes, theirs: int) -> int:
    while True:
        push = np.random.randint(len(pushes.source))
        if not pushes.source[push] & theirs:
            return push


@kernel
def best_push(
    pushes: Pushes, own: int, theirs: int, genome: NDArray[np.float64], sight: int
) -> int:
    """The push with the highest score, any of them where several have it."""
    best, chosen, alike = -2.0 * WIN, -1, 0
    for push in range(len(pushes.source)):
        if pushes.source[push] & theirs:
            continue
        own_after, theirs_after = pushed(pushes, push, own, theirs)
        bound = -best + 1.0  # wide enough to see which moves are just as good
        score = -negamax(pushes, theirs_after, own_after, genome, sight - 1, -2.0 * WIN, bound)
        if score > best:
            best, chosen, alike = score, push, 1
        elif score == best:
            alike += 1
            if np.random.randint(alike) == 0:
                chosen = push
    return chosen


@kernel
def negamax(
    pushes: Pushes,
    own: int,
    theirs: int,
    genome: NDArray[np.float64],
    depth: int,
    alpha: float,
    beta: float,
) -> float:
    """The score for the side to move, after a push by the other; the quicker win scores more."""
    if has_line(pushes.lines, own):  # whoever makes the other's line has lost
        return WIN * (1.0 + 0.01 * depth)
    if has_line(pushes.lines, theirs):
        return -WIN * (1.0 + 0.01 * depth)
    if depth == 0:
        return judge(pushes.lines, own, theirs, genome)
    best = -2.0 * WIN
    for push in range(len(pushes.source)):
        if pushes.source[push] & theirs:
            continue
        own_after, theirs_after = pushed(pushes, push, own, theirs)
        score = -negamax(pushes, theirs_after, own_after, genome, depth - 1, -beta, -alpha)
        best = max(best, score)
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    return best


@kernel
def judge(lines: NDArray[np.int64], own: int, theirs: int, genome: NDArray[np.float64]) -> float:
    """The line evaluation for the side to move."""
    total = 0.0
    for line in lines:
        total += genome[0, bits(own & line)] - genome[1, bits(theirs & line)]
    return total


@kernel
def pushed(pushes: Pushes, push: int, own: int, theirs: int) -> tuple[int, int]:
    stay, sliding = pushes.stay[push], pushes.sliding[push]
    up, down = pushes.up[push], pushes.down[push]
    after = own & stay | (own & sliding) << up >> down | pushes.entry[push]
    return after, theirs & stay | (theirs & sliding) << up >> down


@kernel
def has_line(lines: NDArray[np.int64], mask: int) -> bool:
    for line in lines:  # noqa: SIM110 - numba compiles no generator expression
        if mask & line == line:
            return True
    return False


@kernel
def bits(mask: int) -> int:
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count
