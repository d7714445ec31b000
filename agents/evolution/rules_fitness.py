"""Rule genomes: how three genes play Nim, how they are bred by playing each other, and the exact
share of games they win."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.compute.kernels import kernel
from agents.compute.rng import Stream, below, random, seed_stream
from agents.tabular.graph import Edges, graph_of
from agents.training.opponents import SELF, Opponents
from engine.core import Game
from engine.nim import NimState, Take

ODD, FIRST, ALL = 0, 1, 2  # the genes
GRID = 3  # points of a grid over `first` and `all`


@dataclass(frozen=True, slots=True)
class Genome:
    """Three genes, each from 0 to 1; the kernel `pick` plays the same way."""

    odd: float  # above this share of heaps with an odd count it plays on the first of those
    first: float  # else, the chance of the first heap that is not empty, not the last
    all: float  # the chance of taking all of the heap, not one object

    @classmethod
    def of(cls, genes: NDArray[np.float64]) -> Genome:
        return cls(*map(float, genes))

    def heaps(self, state: NimState) -> dict[int, float]:
        """The heaps it may play on, with their chances."""
        odd = [heap for heap, objects in enumerate(state.heaps) if objects % 2]
        if len(odd) / len(state.heaps) > self.odd:
            return {odd[0]: 1.0}
        filled = [heap for heap, objects in enumerate(state.heaps) if objects]
        if filled[0] == filled[-1]:
            return {filled[0]: 1.0}
        return {filled[0]: self.first, filled[-1]: 1 - self.first}

    def chances(self, state: NimState) -> dict[Take, float]:
        """Every move it may play, with its chance."""
        chances: dict[Take, float] = {}
        for heap, chance in self.heaps(state).items():
            most = Take(heap, state.rules.most(state.heaps[heap]))
            chances[most] = chance * self.all
            chances[Take(heap, 1)] = chances.get(Take(heap, 1), 0.0) + chance * (1 - self.all)
        return chances


class Rivals(NamedTuple):
    """Whom a generation plays, and what a won game is worth."""

    each_other: bool
    others: NDArray[np.float64]  # [opponent, edge] -> the chance of a move
    length: int  # LONGER, SHORTER or ANY


LONGER, ANY, SHORTER = 1, 0, -1  # games that are worth more; the shortest or longest win is half


LENGTHS = {"wins": ANY, "longer": LONGER, "shorter": SHORTER}


def rivals_of(
    opponents: Opponents, game: Game[Any, Any], specs: Sequence[str], fitness: str
) -> Rivals:
    """Whom every generation plays: each other if SELF is among the specs, and agents."""
    graph = graph_of(game)
    others = [graph.by_edge(opponents.policy(spec, game)) for spec in specs if spec != SELF]
    chances = np.array(others).reshape(len(others), len(graph.move))
    return Rivals(SELF in specs, chances, LENGTHS[fitness])


@kernel
def worth(plies: float, objects: int, length: int) -> float:
    """What a win after so many plies is worth: 1, or 1/2 to 1 by its length."""
    if length == ANY:
        return 1.0
    share = plies / objects
    return 0.5 + 0.5 * (share if length == LONGER else 1.0 - share)


@kernel
def breed(
    population: NDArray[np.float64],  # [individual, gene], best first when it returns
    heaps: NDArray[np.int64],
    most: int,
    last_loses: bool,
    mutation: float,
    survivors_mutate: bool,
    rivals: Rivals,
    board: Edges,
    features: Heaps,
    first: int,
    generations: int,
    seed: int,
) -> NDArray[np.float64]:
    """Evolve the generations from number `first` on; returns the fitness in the last one.

    Of the better half's children each gene is one of two parents'. Either these genes mutate, or
    those of the better half do before it has children.
    """
    rng = np.zeros(1, np.uint64)
    size = len(population)
    fitness = np.zeros(size)
    for generation in range(first, first + generations):
        seed_stream(rng, seed, generation)
        if survivors_mutate:
            for parent in range(size // 2):
                for gene in range(3):
                    if random(rng) < mutation:
                        population[parent, gene] = random(rng)
        for child in range(size // 2, size):
            one, other = below(rng, size // 2), below(rng, size // 2)
            for gene in range(3):
                parent = one if random(rng) < 0.5 else other
                population[child, gene] = population[parent, gene]
                if not survivors_mutate and random(rng) < mutation:
                    population[child, gene] = random(rng)
        fitness[:] = 0.0
        if rivals.each_other:
            points = tournament(population, heaps, most, last_loses, rivals.length, rng)
            fitness += points / (2 * (size - 1))
        for at in range(len(rivals.others)):
            fitness += win_shares(board, features, rivals.others[at], population, rivals.length)
        order = np.argsort(-fitness, kind="mergesort")
        population[:] = population[order]
        fitness = fitness[order]
    return fitness / (rivals.each_other + len(rivals.others))


@kernel
def tournament(
    population: NDArray[np.float64],
    heaps: NDArray[np.int64],
    most: int,
    last_loses: bool,
    length: int,
    rng: Stream,
) -> NDArray[np.float64]:
    """Play every pair twice, each beginning once; returns what the wins of each are worth."""
    points = np.zeros(len(population))
    objects = heaps.sum()
    for one in range(len(population)):
        for other in range(len(population)):
            if one != other:
                plies = play(population[one], population[other], heaps, most, last_loses, rng)
                points[one if plies > 0 else other] += worth(abs(plies), objects, length)
    return points


@kernel
def play(
    first: NDArray[np.float64],
    second: NDArray[np.float64],
    heaps: NDArray[np.int64],
    most: int,
    last_loses: bool,
    rng: Stream,
) -> int:
    """Play one game; returns its plies, negative if the second to move won."""
    left = heaps.copy()
    first_moves = True
    plies = 0
    while True:
        plies += 1
        genome = first if first_moves else second
        heap = pick(genome, left, rng)
        left[heap] -= min(left[heap], most) if random(rng) < genome[ALL] else 1
        if left.sum() == 0:
            return plies if first_moves != last_loses else -plies
        first_moves = not first_moves


@kernel
def pick(genome: NDArray[np.float64], heaps: NDArray[np.int64], rng: Stream) -> int:
    """The heap to play on: the first odd one where many are odd, else the first or the last."""
    odd = 0
    first_odd, first, last = -1, -1, -1
    for heap in range(len(heaps)):
        if heaps[heap] % 2:
            odd += 1
            first_odd = heap if first_odd < 0 else first_odd
        if heaps[heap]:
            first = heap if first < 0 else first
            last = heap
    if odd / len(heaps) > genome[ODD]:
        return first_odd
    return first if random(rng) < genome[FIRST] else last


class Heaps(NamedTuple):
    """The features that rule genomes read, of every position and move."""

    order: NDArray[np.int64]  # states, those with fewer objects first
    mover: NDArray[np.int8]  # [state] -> seat
    share: NDArray[np.float64]  # [state] -> the share of heaps that are odd
    odd: NDArray[np.int64]  # [state] -> the first odd heap, -1 for none
    first: NDArray[np.int64]  # [state] -> the first heap that is not empty
    last: NDArray[np.int64]  # [state] -> the last
    heap: NDArray[np.int64]  # [edge] -> the heap played on
    most: NDArray[np.bool_]  # [edge] -> takes all it may
    one: NDArray[np.bool_]  # [edge] -> takes one
    objects: int  # at the start


@kernel
def win_shares(
    board: Edges,
    heaps: Heaps,
    theirs: NDArray[np.float64],  # [edge] -> the opponent's chance
    genomes: NDArray[np.float64],  # [genome, gene]
    length: int = ANY,
) -> NDArray[np.float64]:
    """[genome] -> the share of games it wins, by their `worth`, half of them in either seat."""
    wins = np.zeros(len(genomes))
    value = np.zeros(len(board.over))  # [state] -> the chance of winning from there
    plies = np.zeros(len(board.over))  # [state] -> the plies to a win from there, by its chance
    for at in range(len(genomes)):
        odd, first, everything = genomes[at, ODD], genomes[at, FIRST], genomes[at, ALL]
        for seat in range(2):
            for state in heaps.order:
                own = heaps.mover[state] == seat
                if board.over[state]:
                    result = board.outcome[state] if own else -board.outcome[state]
                    value[state] = 1.0 if result > 0 else 0.0
                    continue
                plays_odd = heaps.share[state] > odd
                total, lasting = 0.0, 0.0
                for edge in range(board.first[state], board.first[state + 1]):
                    chance = theirs[edge]
                    if own:
                        chance = heap_chance(heaps, state, edge, plays_odd, first)
                        chance *= everything * heaps.most[edge] + (1 - everything) * heaps.one[edge]
                    after = board.after[edge]
                    total += chance * value[after]
                    lasting += chance * (plies[after] + value[after])
                value[state], plies[state] = total, lasting
            # `worth` is linear in the plies, so that of the mean is the mean.
            base = worth(0.0, heaps.objects, length)
            slope = worth(1.0, heaps.objects, length) - base
            wins[at] += (base * value[0] + slope * plies[0]) / 2
    return wins


@kernel
def heap_chance(heaps: Heaps, state: int, edge: int, plays_odd: bool, first: float) -> float:
    """The chance of playing on the heap of a move, as `pick` draws it."""
    heap = heaps.heap[edge]
    if plays_odd:
        return 1.0 if heap == heaps.odd[state] else 0.0
    chance = first if heap == heaps.first[state] else 0.0
    return chance + 1.0 - first if heap == heaps.last[state] else chance


@lru_cache(maxsize=4)
def heaps_of(game: Game[Any, Any]) -> Heaps:
    """The features of every position and move of a game of Nim."""
    graph = graph_of(game)
    tables = graph.tables
    objects = np.array([state.heaps for state in tables.states])  # [state, heap]
    heap = np.array([take.heap for take in game.all_moves])[graph.move]
    count = np.array([take.count for take in game.all_moves])[graph.move]
    most = np.array([game.start.rules.most(count) for count in range(objects.max() + 1)])
    odd, filled = objects % 2 == 1, objects > 0
    return Heaps(
        order=np.argsort(objects.sum(axis=1), kind="stable"),
        mover=tables.mover,
        share=odd.mean(axis=1),
        odd=np.where(odd.any(axis=1), odd.argmax(axis=1), -1),
        first=filled.argmax(axis=1),
        last=objects.shape[1] - 1 - filled[:, ::-1].argmax(axis=1),
        heap=heap,
        most=count == most[objects[graph.state, heap]],
        one=count == 1,
        objects=int(objects.max(axis=0).sum()),
    )


def wins_of(
    opponents: Opponents, game: Game[Any, Any], reference: str, genomes: NDArray[np.float64]
) -> NDArray[np.float64]:
    """[genome] -> the share of games won against the reference, half of them in either seat."""
    graph = graph_of(game)
    theirs = graph.by_edge(opponents.policy(reference, game))
    return np.asarray(win_shares(graph.board, heaps_of(game), theirs, genomes))


@lru_cache(maxsize=8)
def best_of_a_grid(opponents: Opponents, game: Game[Any, Any], reference: str) -> float:
    """The largest share of games that genomes win, over a grid of all genes."""
    heaps = len(game.start.heaps)
    thresholds = np.arange(heaps + 1) / heaps  # between two of these `odd` makes no difference
    steps = np.linspace(0, 1, GRID)
    grid = np.array(np.meshgrid(thresholds, steps, steps)).reshape(3, -1).T
    return float(wins_of(opponents, game, reference, np.ascontiguousarray(grid)).max())
