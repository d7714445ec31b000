"""A move for every position of Nim as one genotype, evolved by rewards for its moves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import product
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.compute.kernels import kernel
from agents.compute.rng import Stream, below, random, seed_stream
from agents.core import Analysis, Candidate, Fact, Limit, Measure, conclude, even_chances
from agents.entry import Entry, Technique
from agents.errors import UnsuitableBrainError
from agents.evolution.generations import (
    ancestry_facts,
    count_option,
    earlier_generations,
    generations_option,
    only_small_nim,
)
from agents.exhibits import Course, Gene, Genes
from agents.learner import Learner
from agents.tabular.exact import Policy
from agents.tabular.graph import graph_of
from agents.training.brains import Brain
from agents.training.curve_exhibit import chart_of
from agents.training.loop import Arrays, Callbacks, Points, generator_at, kernel_seed, share_option
from agents.training.opponents import Opponents
from engine.core import Game, Seat, State
from engine.nim import NimState, Take
from engine.nim_theory import nim_sum
from engine.options import Values

GENES_PER_SECOND = 80_000_000
ZERO_PAY = 10  # for leaving nim-sum 0; every object taken pays 1

Genotype = NDArray[np.int16]  # [position] -> the index of one of its moves


@kernel
def breed(
    population: NDArray[np.int16],  # [individual, position]
    fitness: NDArray[np.float64],  # [individual]
    first: NDArray[np.int64],  # pay[first[p]:first[p+1]] belongs to the moves of position p
    pay: NDArray[np.float64],
    children: int,
    rivals: int,
    mutation: float,
    changes: int,
    number: int,
    generations: int,
    seed: int,
) -> None:
    """An elitist evolution: the fittest of the population and its children survive.

    The generations are those from `number` on.
    """
    rng = np.zeros(1, np.uint64)
    positions = population.shape[1]
    brood = np.empty((children, positions), np.int16)
    brood_fitness = np.empty(children)
    for generation in range(number, number + generations):
        seed_stream(rng, seed, generation)
        for child in range(children):
            one = population[winner(fitness, rivals, rng)]
            if random(rng) < mutation:
                brood[child] = one
                for _ in range(changes):
                    place = below(rng, positions)
                    brood[child, place] = below(rng, first[place + 1] - first[place])
            else:
                other = population[winner(fitness, rivals, rng)]
                for place in range(positions):
                    brood[child, place] = (one if random(rng) < 0.5 else other)[place]
            brood_fitness[child] = worth(brood[child], first, pay)
        survive(population, fitness, brood, brood_fitness)


@kernel
def winner(fitness: NDArray[np.float64], rivals: int, rng: Stream) -> int:
    """Tournament selection: the fittest of some drawn at random."""
    best = below(rng, len(fitness))
    for _ in range(rivals - 1):
        rival = below(rng, len(fitness))
        if fitness[rival] > fitness[best]:
            best = rival
    return best


@kernel
def worth(genes: Genotype, first: NDArray[np.int64], pay: NDArray[np.float64]) -> float:
    """The fitness of a genotype: the sum of the rewards of its moves."""
    total = 0.0
    for place in range(len(genes)):
        total += pay[first[place] + genes[place]]
    return total


@kernel
def survive(
    population: NDArray[np.int16],
    fitness: NDArray[np.float64],
    brood: NDArray[np.int16],
    brood_fitness: NDArray[np.float64],
) -> None:
    """Replace the worst of the population by the best children, while those are better."""
    young = np.argsort(-brood_fitness)
    old = np.argsort(fitness)
    for rank in range(min(len(young), len(old))):
        child, place = young[rank], old[rank]
        if brood_fitness[child] <= fitness[place]:
            break
        population[place] = brood[child]
        fitness[place] = brood_fitness[child]


def payment(state: NimState, move: Take) -> int:
    """The reward of a move."""
    return ZERO_PAY * (nim_sum(state.play(move)) == 0) + move.count


@dataclass(frozen=True, eq=False)
class Positions:
    """Every arrangement of the heaps, numbered regardless of the side to move."""

    number: dict[tuple[int, ...], int]
    moves: tuple[tuple[Take, ...], ...]
    first: NDArray[np.int64]  # pay[first[p]:first[p+1]] belongs to the moves of position p
    pay: NDArray[np.float64]
    taken: NDArray[np.int64]  # by the same moves

    def share_right(self, genes: Genotype) -> float:
        """The share of positions where it leaves nim-sum 0, of those where that is possible."""
        leaves_zero = self.pay - self.taken >= ZERO_PAY
        possible = np.logical_or.reduceat(leaves_zero, self.first[:-1])
        return float(leaves_zero[self.first[:-1] + genes][possible].mean())


@lru_cache(maxsize=8)
def positions_of(start: NimState) -> Positions:
    arrangements = [heaps for heaps in product(*(range(h + 1) for h in start.heaps)) if any(heaps)]
    states = [NimState(heaps, Seat.FIRST, start.rules) for heaps in arrangements]
    moves = tuple(state.legal_moves() for state in states)
    first = np.cumsum([0, *map(len, moves)])
    pay = [payment(state, move) for state in states for move in state.legal_moves()]
    taken = [move.count for each in moves for move in each]
    number = {heaps: at for at, heaps in enumerate(arrangements)}
    return Positions(number, moves, first, np.array(pay, np.float64), np.array(taken, np.int64))


@dataclass(frozen=True)
class TableEvolution(Learner):
    """Evolves a population of genotypes."""

    key = "ea-table"
    reference = "random:by=heap"
    points = Points(evenly=10)

    def callbacks(
        self, game: Game[Any, Any], options: Values, seed: int, brain: Brain | None
    ) -> Callbacks:
        positions = positions_of(game.start)
        choices = np.diff(positions.first)  # [position] -> the number of its moves
        shape = (options.integer("population"), len(choices))
        population = (generator_at(seed, 0).random(shape) * choices).astype(np.int16)
        if brain is not None:
            population = genes_in(brain, "population", shape, positions).copy()
        fitness = np.array([worth(genes, positions.first, positions.pay) for genes in population])
        children, rivals, changes = map(options.integer, ("children", "rivals", "genes"))
        mutation, root = options.number("mutation"), kernel_seed(seed)

        def evolve_generations(first: int, count: int) -> None:
            breed(
                population, fitness, positions.first, positions.pay,
                children, rivals, mutation, changes, first, count, root,
            )  # fmt: skip

        def best() -> Genotype:
            return np.asarray(population[fitness.argmax()])

        def measure() -> dict[str, float]:
            figures = {"fitness": float(fitness.max()), "right": positions.share_right(best())}
            return self.opponents.results(self.reference, game, policy(game, best())) | figures

        def arrays() -> Arrays:
            return {"best": best(), "population": population}

        return Callbacks(evolve_generations, measure, arrays)

    def seconds(self, game: Game[Any, Any], options: Values) -> float:
        """Every gene of a child is drawn and rewarded."""
        children = options.integer("generations") * options.integer("children")
        genes = (game.states or 0) / 2  # one serves both sides to move
        return (options.integer("population") + children) * genes / GENES_PER_SECOND

    def agent(self, game: Game[Any, Any], brain: Brain, options: Values) -> MoveTable:
        positions = positions_of(game.start)
        genes = genes_in(brain, "best", (len(positions.moves),), positions)
        return MoveTable(positions, genes, brain)


def genes_in(
    brain: Brain, name: str, shape: tuple[int, ...], positions: Positions
) -> NDArray[np.int16]:
    """Genotypes of a brain, each gene one of its position's moves; raises UnsuitableBrainError."""
    genes = brain.array(name, shape, np.int16, low=0)
    if not (genes < np.diff(positions.first)).all():
        raise UnsuitableBrainError(brain.agent, "a gene of this brain names a move there is not")
    return genes


def policy(game: Game[Any, Any], genes: Genotype) -> Policy:
    """[state, move] -> chance."""
    positions = positions_of(game.start)
    tables = graph_of(game).tables
    chances = np.zeros(tables.successor.shape)
    for at, state in enumerate(tables.states):
        if not tables.over[at]:
            place = positions.number[state.heaps]
            chances[at, tables.move_number[positions.moves[place][genes[place]]]] = 1.0
    return chances


@dataclass(frozen=True, eq=False)
class MoveTable:
    """Plays the move that its genotype has for the position."""

    positions: Positions
    genes: Genotype
    brain: Brain

    @cached_property
    def right(self) -> float:
        return self.positions.share_right(self.genes)

    def analyse(
        self,
        state: NimState,
        *,
        limit: Limit,
        rng: Random,
        history: Sequence[State[Any]] = (),
        show: bool = False,
    ) -> Analysis[Take]:
        moves = state.legal_moves()
        place = self.positions.number[state.heaps]
        gene = self.positions.moves[place][self.genes[place]]
        pay = {move: payment(state, move) for move in moves}
        chances = even_chances(moves, [gene])
        highest = ZERO_PAY + int(self.positions.taken.max())  # pay of any move
        candidates = [
            Candidate(
                move,
                chance=chances[move],
                share=pay[move] / highest,
                figure=pay[move],
                line=(move,),
            )
            for move in moves
        ]
        analysis = conclude(
            candidates,
            lambda move: _reason(state, move, pay),
            rng,
            evidence=[
                Fact("genes", len(self.genes)),
                Fact("fitness of this gene", f"{pay[gene]} of {max(pay.values())}"),
                Fact("nim-sum 0 left where it can be", f"{self.right:.1%}"),
                *ancestry_facts(self.brain),
            ],
            measure=Measure.FITNESS,
        )
        if not show:
            return analysis
        return replace(analysis, exhibit=self._genes(state, gene, pay, analysis.reason))

    def _genes(self, state: NimState, gene: Take, pay: dict[Take, int], reason: str) -> Genes:
        """The exhibit: the gene of this position, and a summary of the others."""
        best = max(pay.values())
        spoken = Gene(state.heaps_text, f"play {gene}", f"paid {pay[gene]} of {best}", spoke=True)
        rest = Gene(
            f"{len(self.genes) - 1:,} more",
            "one move for every other position",
            f"{self.right:.0%} leave nim-sum 0 where they can",
            spoke=False,
        )
        return Genes(
            title="Its genes",
            sentence=reason,
            genes=(spoken, rest),
            courses=self._courses(),
            ancestors=earlier_generations(self.brain),
        )

    def _courses(self) -> tuple[Course, ...]:
        """The share of moves paid best beside the share of games won, by generation."""
        if len(self.brain.curve) < 2:
            return ()
        first, last = self.brain.curve[0].metrics, self.brain.curve[-1].metrics
        changes = " while ".join(
            f"{name} {'rise' if last[key] > first[key] else 'fall'} from {first[key]:.0%} to "
            f"{last[key]:.0%}"
            for key, name in (("right", "moves that are paid best"), ("wins", "games won"))
        )
        tones = {"right": ("moves paid best", "first"), "wins": ("games won", "win")}
        drawn = chart_of(self.brain, "What it is paid for, and what it wins", tones)
        return (replace(drawn, note=f"From the first point to the last, {changes}."),)


def _reason(state: NimState, move: Take, pay: dict[Take, int]) -> str:
    gene = f"For {state.heaps_text} its gene says {move}"
    paid = f"{gene}, for which it was paid {pay[move]} while it was bred"
    best = max(pay, key=pay.__getitem__)
    if pay[best] > pay[move]:
        return f"{paid}; {best} would have been paid {pay[best]}."
    return f"{paid}: as much as any move here."


def entry(opponents: Opponents) -> Entry:
    return TableEvolution(opponents).entry(
        title="Evolved table",
        technique=Technique.EVOLUTION,
        order=3,
        description=(
            "Has a gene for every position, bred for leaving nim-sum 0: normal play, not "
            "misère. Where no mutation has helped yet, its move is an accident."
        ),
        options=(
            generations_option(200),
            count_option("population", 1000, "genotypes that live at a time"),
            count_option("children", 100, "children in a generation"),
            count_option("rivals", 10, "how many compete to be a parent", high=1000),
            share_option("mutation", 0.3, "chance that a child is a mutant, not a crossover"),
            count_option("genes", 1, "genes that a mutation draws anew", high=1000),
        ),
        refuses=only_small_nim,
    )
