"""Trait genomes: how eleven genes judge the moves of Nim, and how they are bred.

A move is judged by what it leaves behind. Each trait of that has two weights: one while many heaps
hold more than one object, one in the end game; the last gene says when the end game begins. Nothing
says which trait is good, in which part, or whether the last object wins: that is what evolves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, reduce
from operator import xor
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.compute.kernels import kernel
from agents.compute.rng import Stream, below, random, seed_stream
from agents.evolution.rules_fitness import Rivals, worth
from agents.tabular.graph import Edges, graph_of
from engine.core import Game
from engine.nim import NimState, Take

# What a move leaves behind, by name: (heaps after it, the limit of a take or 0) -> whether.
TRAITS: dict[str, Callable[[Sequence[int], int], bool]] = {
    "zero": lambda heaps, limit: _nim_sum(heaps, limit) == 0,
    "ones": lambda heaps, limit: sum(objects == 1 for objects in heaps) % 2 == 1,
    "equal": lambda heaps, limit: _equal(heaps),
    "plain": lambda heaps, limit: max(heaps, default=0) <= 1,
}
ALL = "all"  # of the move itself: it takes all it may
NAMES = (*TRAITS, ALL)
PHASES = 2  # before and in the end game
GENES = PHASES * len(NAMES) + 1  # the weights of each phase, then where the end game begins


class Traits(NamedTuple):
    """The traits of every move, and how many heaps hold more than one in every position."""

    has: NDArray[np.float64]  # [edge, trait] -> 1 or 0
    crowd: NDArray[np.float64]  # [state] -> the share of heaps with more than one
    order: NDArray[np.int64]  # states, those with fewer objects first
    mover: NDArray[np.int8]  # [state] -> seat
    objects: int  # at the start


def _nim_sum(heaps: Sequence[int], limit: int) -> int:
    return reduce(xor, (objects % (limit + 1) if limit else objects for objects in heaps), 0)


def _equal(heaps: Sequence[int]) -> bool:
    """Whether the two largest heaps are of a size."""
    largest = sorted(heaps)[-2:]
    return len(largest) == 2 and largest[0] == largest[1] > 0


def traits_of_move(state: NimState, move: Take) -> tuple[bool, ...]:
    """The traits of a move, in the order of NAMES."""
    left = [objects - move.count * (heap == move.heap) for heap, objects in enumerate(state.heaps)]
    limit = state.rules.most(max(state.heaps) + max(left) + 1)
    limit = limit if limit <= max(state.heaps) else 0
    found = [trait(left, limit) for trait in TRAITS.values()]
    return (*found, move.count == state.rules.most(state.heaps[move.heap]))


def crowd_of(state: NimState) -> float:
    """The share of heaps that hold more than one."""
    return sum(objects > 1 for objects in state.heaps) / len(state.heaps)


@lru_cache(maxsize=4)
def traits_of(game: Game[Any, Any]) -> Traits:
    """The traits of every move of a game of Nim."""
    graph = graph_of(game)
    tables = graph.tables
    has = np.zeros((len(graph.move), len(NAMES)))
    for edge, (at, move) in enumerate(zip(graph.state, graph.move, strict=True)):
        has[edge] = traits_of_move(tables.states[at], game.all_moves[move])
    objects = np.array([state.heaps for state in tables.states])
    return Traits(
        has=has,
        crowd=np.array([crowd_of(state) for state in tables.states]),
        order=np.argsort(objects.sum(axis=1), kind="stable"),
        mover=tables.mover,
        objects=int(objects.max(axis=0).sum()),
    )


@kernel
def judged(traits: Traits, genome: NDArray[np.float64], state: int, edge: int) -> float:
    """The sum of the weights of a move's traits; genes from 0 to 1 are weights from -1 to 1."""
    count = traits.has.shape[1]
    phase = count if traits.crowd[state] <= genome[2 * count] else 0
    total = 0.0
    for trait in range(count):
        total += traits.has[edge, trait] * (2.0 * genome[phase + trait] - 1.0)
    return total


@kernel
def choices(board: Edges, traits: Traits, genome: NDArray[np.float64]) -> NDArray[np.float64]:
    """[edge] -> the chance that it is played: the best judged, evenly where several are."""
    chances = np.zeros(len(board.after))
    for state in range(len(board.over)):
        best, alike = -np.inf, 0
        for edge in range(board.first[state], board.first[state + 1]):
            value = judged(traits, genome, state, edge)
            chances[edge] = value
            if value > best:
                best, alike = value, 1
            elif value == best:
                alike += 1
        for edge in range(board.first[state], board.first[state + 1]):
            chances[edge] = 1.0 / alike if chances[edge] == best else 0.0
    return chances


@kernel
def win_shares(
    board: Edges,
    traits: Traits,
    theirs: NDArray[np.float64],  # [edge] -> the opponent's chance
    genomes: NDArray[np.float64],
    length: int,
) -> NDArray[np.float64]:
    """[genome] -> the share of games it wins, by their `worth`, half of them in either seat."""
    wins = np.zeros(len(genomes))
    value = np.zeros(len(board.over))  # [state] -> the chance of winning from there
    plies = np.zeros(len(board.over))  # [state] -> the plies to a win from there, by its chance
    base = worth(0.0, traits.objects, length)
    slope = worth(1.0, traits.objects, length) - base
    for at in range(len(genomes)):
        ours = choices(board, traits, genomes[at])
        for seat in range(2):
            for state in traits.order:
                own = traits.mover[state] == seat
                if board.over[state]:
                    result = board.outcome[state] if own else -board.outcome[state]
                    value[state] = 1.0 if result > 0 else 0.0
                    continue
                total, lasting = 0.0, 0.0
                for edge in range(board.first[state], board.first[state + 1]):
                    chance = ours[edge] if own else theirs[edge]
                    after = board.after[edge]
                    total += chance * value[after]
                    lasting += chance * (plies[after] + value[after])
                value[state], plies[state] = total, lasting
            wins[at] += (base * value[0] + slope * plies[0]) / 2
    return wins


@kernel
def breed(
    population: NDArray[np.float64],  # [individual, gene], best first when it returns
    board: Edges,
    traits: Traits,
    mutation: float,
    survivors_mutate: bool,
    rivals: Rivals,
    first: int,
    generations: int,
    seed: int,
) -> None:
    """Evolve the generations from number `first` on, as `rules_fitness.breed` does three genes."""
    rng = np.zeros(1, np.uint64)
    size, genes = population.shape
    for generation in range(first, first + generations):
        seed_stream(rng, seed, generation)
        if survivors_mutate:
            for parent in range(size // 2):
                for gene in range(genes):
                    if random(rng) < mutation:
                        population[parent, gene] = random(rng)
        for child in range(size // 2, size):
            one, other = below(rng, size // 2), below(rng, size // 2)
            for gene in range(genes):
                parent = one if random(rng) < 0.5 else other
                population[child, gene] = population[parent, gene]
                if not survivors_mutate and random(rng) < mutation:
                    population[child, gene] = random(rng)
        fitness = np.zeros(size)
        if rivals.each_other:
            points = tournament(population, board, traits, rivals.length, rng)
            fitness += points / (2 * (size - 1))
        for at in range(len(rivals.others)):
            fitness += win_shares(board, traits, rivals.others[at], population, rivals.length)
        population[:] = population[np.argsort(-fitness, kind="mergesort")]


@kernel
def tournament(
    population: NDArray[np.float64], board: Edges, traits: Traits, length: int, rng: Stream
) -> NDArray[np.float64]:
    """Play every pair twice, each beginning once; returns what the wins of each are worth."""
    points = np.zeros(len(population))
    for one in range(len(population)):
        for other in range(len(population)):
            if one == other:
                continue
            state = plies = 0
            while not board.over[state]:
                genome = population[one] if plies % 2 == 0 else population[other]
                state = board.after[choose(board, traits, genome, state, rng)]
                plies += 1
            first_to_move = plies % 2 == 0
            first_won = (board.outcome[state] > 0) == first_to_move
            points[one if first_won else other] += worth(plies, traits.objects, length)
    return points


@kernel
def choose(
    board: Edges, traits: Traits, genome: NDArray[np.float64], state: int, rng: Stream
) -> int:
    """The best judged edge of a state, drawn evenly where several are."""
    best, alike, chosen = -np.inf, 0, board.first[state]
    for edge in range(board.first[state], board.first[state + 1]):
        value = judged(traits, genome, state, edge)
        if value > best:
            best, alike, chosen = value, 1, edge
        elif value == best:
            alike += 1
            if random(rng) * alike < 1.0:  # reservoir sampling: each of them as likely
                chosen = edge
    return int(chosen)
