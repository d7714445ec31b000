"""A (1+λ) evolution strategy that runs afresh at every move of Nim."""

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
from agents.exhibits import Course, CourseLine, Gene, Genes
from engine.core import State
from engine.nim import NimState, Take
from engine.nim_theory import nim_sum, remainders


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
    """Per heap, the count its individual ends with; its fitness by generation; counts tried.

    An individual is weights over counts, and takes the count that weighs most. A child is its
    parent with Gaussian noise on some weights, and takes its place unless it is less fit.
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


EVALUATIONS = 1000  # of children, for each heap's individual
EMPTY = -1
HIGHEST = 3
MEANING = {
    EMPTY: "an empty heap",
    0: "nothing special",
    1: "leaves nim-sum 0",
    2: "the right heap",
    3: "the right heap and count",
}


def fitness(state: NimState, move: Take) -> int:
    """What the evolution is told about a move: all it knows of Nim."""
    after = state.play(move)
    large = [heap for heap, left in enumerate(remainders(state)) if left >= 2]
    if state.rules.last == "loses" and len(large) == 1 and move.heap == large[0]:
        left = remainders(after)
        return 3 if max(left) <= 1 and sum(left) % 2 == 1 else 2
    return 1 if nim_sum(after) == 0 else 0


@dataclass(frozen=True, slots=True)
class EsMove:
    """Breeds its move: one individual per heap, and the fittest of them plays."""

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
        known = {move: fitness(state, move) for move in moves}
        table = np.full((len(state.heaps), max(move.count for move in moves)), EMPTY)
        for move, fit in known.items():
            table[move.heap, move.count - 1] = fit
        most = np.array([state.rules.most(objects) for objects in state.heaps])
        children, rounds = self._affordable(limit, int((most > 0).sum()))
        chosen, course, tried = evolve(
            table, most, children, rounds, self.sigma, self.rate, rng.getrandbits(32)
        )
        bred = [Take(heap, int(count) + 1) for heap, count in enumerate(chosen) if count >= 0]
        highest = max(known[move] for move in bred)
        chances = even_chances(moves, [move for move in bred if known[move] == highest])
        met = {move: known[move] for move in moves if tried[move.heap, move.count - 1]}
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
            lambda move: _reason(state, move, known[move], course),
            rng,
            evidence=[*_population(state, bred, known), *_progress(course, children)],
            effort=Effort(nodes=nodes, seconds=perf_counter() - begun),
            measure=Measure.FITNESS,
        )
        if not show:
            return analysis
        genes = _genes(state, bred, known, analysis.choice)
        shown = Genes("What it bred", analysis.reason, genes, _courses(course, most > 0))
        return replace(analysis, exhibit=shown)

    def _affordable(self, limit: Limit, individuals: int) -> tuple[int, int]:
        """How many children and generations: every child is one position looked at."""
        rounds = EVALUATIONS // self.children
        if limit.nodes is not None:
            rounds = min(rounds, limit.nodes // (self.children * individuals))
        return self.children, rounds


def _population(state: NimState, bred: list[Take], known: dict[Take, int]) -> list[Fact]:
    by_heap = {move.heap: move for move in bred}
    return [
        Fact(
            f"heap {ascii_lowercase[heap]}",
            f"takes {by_heap[heap].count}, fitness {known[by_heap[heap]]}: "
            f"{MEANING[known[by_heap[heap]]]}"
            if heap in by_heap
            else f"fitness {EMPTY}: {MEANING[EMPTY]}",
        )
        for heap in range(len(state.heaps))
    ]


def _genes(
    state: NimState, bred: list[Take], known: dict[Take, int], choice: Take
) -> tuple[Gene, ...]:
    """One individual for each heap, as it ended."""
    return tuple(
        Gene(
            f"heap {ascii_lowercase[move.heap]}",
            f"takes {move.count}: {MEANING[known[move]]}",
            f"fitness {known[move]}",
            move == choice,
        )
        for move in bred
    )


def _courses(course: NDArray[np.int64], alive: NDArray[np.bool_]) -> tuple[Course, ...]:
    """The best and the mean fitness, generation by generation, as long as they still changed."""
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
    """The best and the mean fitness of the population, at generations further and further apart."""
    last = len(course) - 1
    shown = sorted({generation for generation in (0, 1, 2, 5, 10, 50, last) if generation <= last})
    return [
        Fact("generations", f"{last} of {children} children for each heap"),
        Fact(
            "fitness by generation",
            ", ".join(
                f"{generation}: best {course[generation].max()}, "
                f"mean {course[generation].mean():.1f}"
                for generation in shown
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
