"""A Nim player of eleven genes, which weigh what a move leaves behind, evolved like the three."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.core import Analysis, Candidate, Fact, Limit, Measure, conclude
from agents.evolution.generations import (
    Ancestors,
    ancestry_facts,
    earlier_generations,
    population_callbacks,
)
from agents.evolution.restarts import Restarts, check_named, named_opponents
from agents.evolution.rules_fitness import rivals_of
from agents.evolution.trait_kernel import (
    GENES,
    NAMES,
    breed,
    choices,
    crowd_of,
    traits_of,
    traits_of_move,
)
from agents.exhibits import GENERATIONS, Course, CourseLine, Gene, Genes
from agents.formats import signed
from agents.learner import Learner
from agents.tabular.exact import Policy
from agents.tabular.graph import graph_of
from agents.training.brains import Brain
from agents.training.loop import Callbacks, Points, generator_at, kernel_seed
from agents.training.opponents import SELF, Opponents
from engine.core import Game, State
from engine.nim import NimState, Take
from engine.options import Values

GAMES_PER_SECOND = 400_000
STATES_PER_SECOND = 2_000_000  # of an opponent met exactly
SAYS = {
    "zero": "leave a nim-sum of zero",
    "ones": "leave an odd number of heaps of one",
    "equal": "leave the two largest heaps equal",
    "plain": "leave no heap above one",
    "all": "take all it may",
}
PHASES = ("early", "late")
END_GAME = "end game"


@dataclass(frozen=True)
class TraitEvolution(Learner):
    """Evolves a population whose better half has children; the best of it plays."""

    key = "es-rules"
    reference = "random:by=heap"
    points = Points(evenly=5)

    def callbacks(
        self, game: Game[Any, Any], options: Values, seed: int, brain: Brain | None
    ) -> Callbacks:
        population = generator_at(seed, 0).random((options.integer("population"), GENES))
        passed = np.zeros(1, np.int64)  # the generation at which it won enough
        ancestors = Ancestors()
        if brain is not None:
            population = brain.array("population", (None, GENES), np.float64).copy()
            ancestors = Ancestors.of(brain, population.shape, np.uint8)
            if "passed" in brain.arrays:
                passed = brain.array("passed", (1,), np.int64, low=0).copy()
        board, traits, root = graph_of(game).board, traits_of(game), kernel_seed(seed)
        mutation = options.number("mutation")
        survivors_mutate = options.text("mutants") == "survivors"
        check_named(self.opponents, game, options)
        rivals = rivals_of(self.opponents, game, named_opponents(options), options.text("fitness"))
        restarts = Restarts.of(self.opponents, game, options)

        def evolve_generations(first: int, count: int) -> None:
            for begun, many in restarts.stretches(first, count):
                if not passed[0] and restarts.begins_attempt(begun):
                    if restarts.enough(trait_policy(game, population[0])):
                        passed[0] = begun
                    else:
                        population[:] = generator_at(seed, begun).random(population.shape)
                if passed[0]:  # the rest of the generations change nothing
                    return
                breed(
                    population, board, traits, mutation, survivors_mutate, rivals,
                    begun, many, root,
                )  # fmt: skip

        def measure() -> dict[str, float]:
            return self.opponents.results(self.reference, game, trait_policy(game, population[0]))

        more = {"passed": passed} if restarts.until else {}
        return population_callbacks(evolve_generations, measure, population, ancestors, more)

    def seconds(self, game: Game[Any, Any], options: Values) -> float:
        """Every pair of a generation plays twice; each other opponent is met exactly."""
        generations, population = options.integer("generations"), options.integer("population")
        specs = named_opponents(options)
        games = generations * population**2 * (SELF in specs)
        others = len([spec for spec in specs if spec != SELF])
        states = generations * population * others * (game.states or 0)
        return games / GAMES_PER_SECOND + states / STATES_PER_SECOND

    def agent(self, game: Game[Any, Any], brain: Brain, options: Values) -> TraitGenome:
        population = brain.array("population", (None, GENES), np.float64)
        return TraitGenome(self.opponents, game, population[0], brain)


def trait_policy(game: Game[Any, Any], genome: NDArray[np.float64]) -> Policy:
    """[state, move] -> chance."""
    graph = graph_of(game)
    return graph.to_policy(choices(graph.board, traits_of(game), genome))


@dataclass(frozen=True, eq=False)
class TraitGenome:
    """Plays the move whose traits have the largest sum of weights."""

    opponents: Opponents
    game: Game[Any, Any]
    genes: NDArray[np.float64]  # 0 to 1
    brain: Brain

    @cached_property
    def weights(self) -> tuple[dict[str, float], dict[str, float]]:
        """[phase] -> the weight of each trait, from -1 to 1."""
        weights = (2.0 * self.genes[:-1] - 1.0).tolist()
        early, late = weights[: len(NAMES)], weights[len(NAMES) :]
        return dict(zip(NAMES, early, strict=True)), dict(zip(NAMES, late, strict=True))

    def phase(self, state: NimState) -> int:
        """0 before the end game, 1 in it."""
        return int(crowd_of(state) <= self.genes[-1])

    def judged(self, state: NimState, move: Take) -> float:
        """The sum of the weights of the move's traits, added in the kernel's order."""
        total = 0.0
        for name, has in zip(NAMES, traits_of_move(state, move), strict=True):
            total += float(has) * self.weights[self.phase(state)][name]
        return total

    def analyse(
        self,
        state: NimState,
        *,
        limit: Limit,
        rng: Random,
        history: Sequence[State[Any]] = (),
        show: bool = False,
    ) -> Analysis[Take]:
        sums = {move: self.judged(state, move) for move in state.legal_moves()}
        best = [move for move in sums if sums[move] == max(sums.values())]
        spread = max(sums.values()) - min(sums.values()) or 1.0
        analysis = conclude(
            [
                Candidate(
                    move,
                    chance=(move in best) / len(best),
                    share=(total - min(sums.values())) / spread,
                    line=(move,),
                )
                for move, total in sums.items()
            ],
            lambda move: self._reason(state, move, sums),
            rng,
            evidence=[
                Fact("part of the game", ("before the end game", END_GAME)[self.phase(state)]),
                *(Fact(f"sum of {move}", round(total, 2)) for move, total in sums.items()),
                *ancestry_facts(self.brain),
            ],
            measure=Measure.CHANCE,
        )
        if not show:
            return analysis
        return replace(analysis, exhibit=self._exhibit(state, analysis))

    def _reason(self, state: NimState, move: Take, sums: dict[Take, float]) -> str:
        weights = self.weights[self.phase(state)]
        traits = dict(zip(NAMES, traits_of_move(state, move), strict=True))
        told = [f"{SAYS[name]} ({signed(weights[name])})" for name in NAMES if traits[name]]
        where = "In the end game" if self.phase(state) else "Before the end game"
        what = " and ".join(told) if told else "do nothing that it has a gene for (0)"
        others = [total for other, total in sums.items() if other != move]
        if not others:
            return f"{where}: {move} is the only move."
        rest = (
            f"the best of the others has {signed(max(others))}"
            if max(others) < sums[move]
            else f"{sum(total == sums[move] for total in sums.values())} moves have as much"
        )
        return f"{where}: to {what} adds up to {signed(sums[move])}; {rest}."

    def _exhibit(self, state: NimState, analysis: Analysis[Take]) -> Genes:
        phase = self.phase(state)
        traits = dict(zip(NAMES, traits_of_move(state, analysis.choice), strict=True))
        genes = [
            Gene(
                f"{word} {name}",
                f"{'in' if number else 'before'} the end game: {SAYS[name]}",
                signed(self.weights[number][name]),
                number == phase and traits[name],
            )
            for number, word in enumerate(PHASES)
            for name in NAMES
        ]
        share = float(self.genes[-1])
        says = "the end game begins when no more of the heaps than this hold more than one"
        wins = self.brain.curve[-1].metrics["wins"] if self.brain.curve else None
        return Genes(
            title="Its genes",
            sentence=analysis.reason,
            genes=(*genes, Gene(END_GAME, says, f"{share:.0%}", spoke=True)),
            courses=self._courses(),
            consequence=(
                ""
                if wins is None
                else f"With these genes it wins {wins:.1%} of its games against {self.brain.rival}."
            ),
            ancestors=earlier_generations(self.brain),
            columns=("gene", "rewards a move, or a fine if negative, that does this", "weight"),
        )

    def _courses(self) -> tuple[Course, ...]:
        if len(self.brain.curve) < 2:
            return ()
        plays = tuple((point.step, point.metrics["wins"]) for point in self.brain.curve)
        return (
            Course(
                title=f"How it came to be: games won against {self.brain.rival}, computed exactly",
                unit=GENERATIONS,
                lines=(CourseLine("the one that plays", "first", plays),),
            ),
        )
