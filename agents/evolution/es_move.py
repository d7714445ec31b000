"""A (1+λ) evolution strategy that is run for every move of Nim."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from string import ascii_lowercase
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.compute.kernels import kernel
from agents.core import Analysis, Candidate, Effort, Fact, Limit, Measure, conclude, even_chances
from agents.entry import Entry, Technique, only
from agents.evolution.generations import count_option, share_option
from agents.exhibits import Course, CourseLine, Gene, Genes
from engine.core import State
from engine.nim import NimState, Take
from engine.nim_theory import nim_sum, remainders
from engine.options import Kind, Option

EVALUATIONS = 1000  # children of each heap's individual
EMPTY = -1
HIGHEST = 3
MEANING = {
    EMPTY: "an empty heap",
    0: "nothing special",
    1: "leaves nim-sum 0",
    2: "the right heap",
    3: "the right heap and count",
}


@kernel
def evolve(
    fitness: NDArray[np.int64],  # [heap, count - 1]
    most: NDArray[np.int64],  # [heap] -> counts it may take
    children: int,
    generations: int,
    sigma: float,
    rate: float,
    seed: int,
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.bool_]]:
    """(count chosen by heap, fitness by generation and heap, counts tried by heap).

    An individual is weights over counts, and takes the count of the largest weight. A child is its
    parent with Gaussian noise on some weights, and replaces it unless it is less fit.
    """
    np.random.seed(seed)
    heaps, counts = fitness.shape
    course = np.full((generations + 1, heaps), -1)
    chosen = np.full(heaps, -1)
    tried = np.zeros((heaps, counts), np.bool_)
    for heap in range(heaps):
        if most[heap] == 0:
            continue
        parent = np.zeros(most[heap])
        count = np.random.randint(most[heap])
        parent[count] = sigma
        for generation in range(generations + 1):
            tried[heap, count] = True
            course[generation, heap] = fitness[heap, count]
            best, best_count = parent, count
            for _ in range(children if generation < generations else 0):
                child = parent.copy()
                for place in range(most[heap]):
                    if np.random.random() < rate:
                        child[place] += np.random.normal(0.0, sigma)
                its_count = np.argmax(child)
                tried[heap, its_count] = True
                if fitness[heap, its_count] >= fitness[heap, best_count]:
                    best, best_count = child, its_count
            parent, count = best, best_count
        chosen[heap] = count
    return chosen, course, tried


def fitness(state: NimState, move: Take) -> int:
    """The fitness of a move, from 0 to HIGHEST: all that the evolution knows of Nim."""
    after = state.play(move)
    large = [heap for heap, left in enumerate(remainders(state)) if left >= 2]
    if state.rules.last == "loses" and len(large) == 1 and move.heap == large[0]:
        left = remainders(after)
        return 3 if max(left) <= 1 and sum(left) % 2 == 1 else 2
    return 1 if nim_sum(after) == 0 else 0


@dataclass(frozen=True, slots=True)
class EsMove:
    """Evolves one individual per heap for every move; the fittest plays."""

    children: int
    sigma: float
    rate: float

    def analyse(
        self,
        state: NimState,
        *,
        limit: Limit,
        rng: Random,
        history: Sequence[State[Any]] = (),
        show: bool = False,
    ) -> Analysis[Take]:
        begun = perf_counter()
        moves = state.legal_moves()
        fitness_of = {move: fitness(state, move) for move in moves}
        table = np.full((len(state.heaps), max(move.count for move in moves)), EMPTY)
        for move, fit in fitness_of.items():
            table[move.heap, move.count - 1] = fit
        most = np.array([state.rules.most(objects) for objects in state.heaps])
        children, rounds = self._budget(limit, int((most > 0).sum()))
        chosen, course, tried = evolve(
            table, most, children, rounds, self.sigma, self.rate, rng.getrandbits(32)
        )
        bred = [Take(heap, int(count) + 1) for heap, count in enumerate(chosen) if count >= 0]
        highest = max(fitness_of[move] for move in bred)
        chances = even_chances(moves, [move for move in bred if fitness_of[move] == highest])
        met = {move: fitness_of[move] for move in moves if tried[move.heap, move.count - 1]}
        candidates = [
            Candidate(
                move,
                chance=chances[move],
                share=met[move] / HIGHEST if move in met else None,
                figure=met.get(move),
                line=(move,),
            )
            for move in moves
        ]
        nodes = children * rounds * len(bred)
        analysis = conclude(
            candidates,
            lambda move: _reason(state, move, fitness_of[move], course),
            rng,
            evidence=[*_population(state, bred, fitness_of), *_progress(course, children)],
            effort=Effort(nodes=nodes, seconds=perf_counter() - begun),
            measure=Measure.FITNESS,
        )
        if not show:
            return analysis
        genes = _genes(state, bred, fitness_of, analysis.choice)
        exhibit = Genes("What it bred", analysis.reason, genes, _courses(course, most > 0))
        return replace(analysis, exhibit=exhibit)

    def _budget(self, limit: Limit, individuals: int) -> tuple[int, int]:
        """(children, generations) within the limit: every child counts as one position."""
        rounds = EVALUATIONS // self.children
        if limit.nodes is not None:
            rounds = min(rounds, limit.nodes // (self.children * individuals))
        return self.children, rounds


def _population(state: NimState, bred: list[Take], fitness_of: dict[Take, int]) -> list[Fact]:
    """Evidence on the individual of each heap."""
    by_heap = {move.heap: move for move in bred}
    return [
        Fact(
            f"heap {ascii_lowercase[heap]}",
            f"takes {by_heap[heap].count}, fitness {fitness_of[by_heap[heap]]}: "
            f"{MEANING[fitness_of[by_heap[heap]]]}"
            if heap in by_heap
            else f"fitness {EMPTY}: {MEANING[EMPTY]}",
        )
        for heap in range(len(state.heaps))
    ]


def _genes(
    state: NimState, bred: list[Take], fitness_of: dict[Take, int], choice: Take
) -> tuple[Gene, ...]:
    """The final individual of each heap, for the exhibit."""
    return tuple(
        Gene(
            f"heap {ascii_lowercase[move.heap]}",
            f"takes {move.count}: {MEANING[fitness_of[move]]}",
            f"fitness {fitness_of[move]}",
            move == choice,
        )
        for move in bred
    )


def _courses(course: NDArray[np.int64], alive: NDArray[np.bool_]) -> tuple[Course, ...]:
    """The best and the mean fitness by generation, up to the last change."""
    living = course[:, alive]  # [generation, heap]
    changes = np.flatnonzero((living != living[-1]).any(axis=1))
    last = min(len(living) - 1, (int(changes[-1]) if len(changes) else 0) + 3)
    if not last:
        return ()
    steps = range(last + 1)
    best = tuple((step, float(living[step].max())) for step in steps)
    mean = tuple((step, float(living[step].mean())) for step in steps)
    lines = (CourseLine("fittest", "first", best), CourseLine("mean of the heaps", "muted", mean))
    after = f"After generation {last} nothing changed any more, to the last, {len(living) - 1}."
    return (Course("Fitness by generation", "generations", lines, shares=False, note=after),)


def _progress(course: NDArray[np.int64], children: int) -> list[Fact]:
    """Evidence on the best and the mean fitness of the population at some generations."""
    last = len(course) - 1
    some = sorted({generation for generation in (0, 1, 2, 5, 10, 50, last) if generation <= last})
    return [
        Fact("generations", f"{last} of {children} children for each heap"),
        Fact(
            "fitness by generation",
            ", ".join(
                f"{generation}: best {course[generation].max()}, "
                f"mean {course[generation].mean():.1f}"
                for generation in some
            ),
        ),
    ]


def _reason(state: NimState, move: Take, fit: int, course: NDArray[np.int64]) -> str:
    heaps = state.play(move).heaps_text
    if fit == 0:
        return f"Nothing it bred was special, so {move} is one of its heaps' choices by chance."
    generation = int(np.argmax(course[:, move.heap] >= fit))
    when = f"in generation {generation}" if generation else "from the start"
    return f"{move} leaves {heaps}: fitness {fit}, {MEANING[fit]}, found {when}."


ENTRIES = (
    Entry(
        key="es-move",
        title="Evolved move",
        technique=Technique.EVOLUTION,
        order=1,
        description=(
            "Breeds every move afresh: one individual for each heap, two hundred generations, "
            "and the fittest plays. It is told only what a good move leaves, "
            "not how to find one."
        ),
        options=(
            count_option("children", 5, "children of each individual in a generation", high=1000),
            Option("sigma", Kind.NUMBER, 0.01, "how far a weight mutates", low=0.000001, high=10.0),
            share_option("rate", 0.5, "chance that a weight mutates at all"),
        ),
        make=lambda game, options: EsMove(
            options.integer("children"), options.number("sigma"), options.number("rate")
        ),
        refuses=only("nim"),
        shows=True,
    ),
)
