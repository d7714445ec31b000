"""A (1+λ) evolution strategy that is run for every move of Nim."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from random import Random
from string import ascii_lowercase
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.core import Analysis, Candidate, Effort, Fact, Limit, Measure, conclude, even_chances
from agents.entry import Entry, Technique, only
from agents.evolution.generations import count_option
from agents.evolution.move_kernel import evolve
from agents.exhibits import Course, CourseLine, Gene, Genes
from agents.training.loop import share_option
from engine.core import State
from engine.entry import Preset
from engine.nim import NimState, Take
from engine.nim_theory import nim_sum, remainders
from engine.options import Kind, Option

EVALUATIONS = 1000  # children of each heap's individual
SHOWN_WEIGHTS = 5  # of an individual, in the exhibit
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
    """The fitness of a move, from 0 to HIGHEST: all that the evolution knows of Nim."""
    after = state.play(move)
    large = [heap for heap, left in enumerate(remainders(state)) if left >= 2]
    if state.rules.last == "loses" and len(large) == 1 and move.heap == large[0]:
        left = remainders(after)
        return 3 if max(left) <= 1 and sum(left) % 2 == 1 else 2
    return 1 if nim_sum(after) == 0 else 0


@dataclass(frozen=True, slots=True)
class EsMove:
    """Evolves one individual per heap for every move, or the fittest alone; the fittest plays."""

    children: int
    sigma: float
    rate: float
    drawn: bool = False  # counts are drawn by weight, not those of the largest
    alone: bool = False  # one line of descent, not one for each heap

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
        children, rounds = self._budget(limit, 1 if self.alone else int((most > 0).sum()))
        chosen, course, tried, weights = evolve(
            table, most, children, rounds, self.sigma, self.rate,
            self.drawn, self.alone, rng.getrandbits(32),
        )  # fmt: skip
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
            evidence=[*_population(state, bred, fitness_of), *self._progress(course, chosen)],
            effort=Effort(nodes=nodes, seconds=perf_counter() - begun),
            measure=Measure.FITNESS,
        )
        if not show:
            return analysis
        genes = _genes(bred, fitness_of, analysis.choice, weights)
        exhibit = Genes("What it bred", analysis.reason, genes, _courses(course, chosen >= 0))
        return replace(analysis, exhibit=exhibit)

    def _budget(self, limit: Limit, individuals: int) -> tuple[int, int]:
        """(children, generations) within the limit: every child counts as one position."""
        rounds = EVALUATIONS // self.children
        if limit.nodes is not None:
            rounds = min(rounds, limit.nodes // (self.children * individuals))
        return self.children, rounds

    def _progress(self, course: NDArray[np.int64], chosen: NDArray[np.int64]) -> list[Fact]:
        """Evidence on the best and the mean fitness of the population at some generations."""
        last = len(course) - 1
        some = sorted({at for at in (0, 1, 2, 5, 10, 50, last) if at <= last})
        each = f"{last} of {self.children} children"
        if self.alone:
            line = course[:, chosen.argmax()]
            told = [f"{generation}: {line[generation]}" for generation in some]
        else:
            each += " for each heap"
            told = [f"{at}: best {course[at].max()}, mean {course[at].mean():.1f}" for at in some]
        return [Fact("generations", each), Fact("fitness by generation", ", ".join(told))]


def _population(state: NimState, bred: list[Take], fitness_of: dict[Take, int]) -> list[Fact]:
    """Evidence on the individual of each heap."""
    by_heap = {move.heap: move for move in bred}
    facts = []
    for heap, objects in enumerate(state.heaps):
        text = (
            "less fit at the start: no children"
            if objects
            else f"fitness {EMPTY}: {MEANING[EMPTY]}"
        )
        if (move := by_heap.get(heap)) is not None:
            fit = fitness_of[move]
            text = f"takes {move.count}, fitness {fit}: {MEANING[fit]}"
        facts.append(Fact(f"heap {ascii_lowercase[heap]}", text))
    return facts


def _genes(
    bred: list[Take],
    fitness_of: dict[Take, int],
    choice: Take,
    weights: NDArray[np.float64],
) -> tuple[Gene, ...]:
    """The final individual of each line, with its weights, for the exhibit."""
    return tuple(
        Gene(
            f"heap {ascii_lowercase[move.heap]}",
            f"takes {move.count}: {MEANING[fitness_of[move]]}. "
            f"{weights_text(weights[move.heap, : _counts(fitness_of, move.heap)])}",
            f"fitness {fitness_of[move]}",
            move == choice,
        )
        for move in bred
    )


def _counts(moves: Iterable[Take], heap: int) -> int:
    """The number of counts that may be taken from a heap."""
    return sum(move.heap == heap for move in moves)


def weights_text(weights: NDArray[np.float64]) -> str:
    """`Weights: take 3 0.512, take 1 0.430 and 2 smaller`, the largest first."""
    order = np.argsort(-weights, kind="stable")
    shown = ", ".join(f"take {count + 1} {weights[count]:.3f}" for count in order[:SHOWN_WEIGHTS])
    more = len(weights) - SHOWN_WEIGHTS
    return f"Weights: {shown}{f' and {more} smaller' if more > 0 else ''}."


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
    lines = [CourseLine("fittest", "first", best)]
    if living.shape[1] > 1:
        lines.append(CourseLine("mean of the heaps", "muted", mean))
    after = f"After generation {last} nothing changed any more, to the last, {len(living) - 1}."
    return (Course("Fitness by generation", "generations", tuple(lines), shares=False, note=after),)


def _reason(state: NimState, move: Take, fit: int, course: NDArray[np.int64]) -> str:
    heaps = state.play(move).heaps_text
    if fit == 0:
        return f"None of the moves it bred stands out, so it picked {move} by chance."
    generation = int(np.argmax(course[:, move.heap] >= fit))
    when = f"in generation {generation}" if generation else "from the start"
    fittest = f"{move} is the fittest move it bred, found {when}"
    return f"{fittest}: it leaves {heaps}, fitness {fit}, {MEANING[fit]}."


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
            Option(
                "take",
                Kind.CHOICE,
                "largest",
                "the count of its largest weight, or one drawn by weight, which begin at random",
                choices=("largest", "drawn"),
            ),
            Option(
                "parents",
                Kind.CHOICE,
                "heaps",
                "who has children: one individual for each heap, or the fittest of them alone",
                choices=("heaps", "one"),
            ),
        ),
        presets=(
            Preset(
                "published", "as the course published it", (("take", "drawn"), ("parents", "one"))
            ),
        ),
        make=lambda game, options: EsMove(
            options.integer("children"),
            options.number("sigma"),
            options.number("rate"),
            options.text("take") == "drawn",
            options.text("parents") == "one",
        ),
        refuses=only("nim"),
        shows=True,
    ),
)
