"""A Nim player of three genes, evolved by playing each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from string import ascii_lowercase
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.core import Analysis, Candidate, Fact, Limit, Measure, conclude
from agents.entry import Entry, Technique
from agents.evolution.generations import (
    Ancestors,
    ancestry_facts,
    count_option,
    generations_option,
    only_small_nim,
    population_callbacks,
)
from agents.evolution.restarts import (
    OPPONENTS_OPTION,
    RESTART,
    UNTIL,
    Restarts,
    check_named,
    named_opponents,
)
from agents.evolution.rules_exhibit import SAYS, genes_of
from agents.evolution.rules_fitness import LENGTHS, Genome, breed, heaps_of, rivals_of
from agents.evolution.trait_rules import TraitEvolution, TraitGenome
from agents.formats import portion
from agents.learner import Learner
from agents.tabular.exact import Policy
from agents.tabular.graph import graph_of
from agents.training.brains import Brain
from agents.training.loop import Callbacks, Points, generator_at, kernel_seed, share_option
from agents.training.opponents import SELF, Opponents
from engine.core import Game, State
from engine.entry import Preset
from engine.nim import NimState, Take
from engine.options import Kind, Option, Role, Values

GENES = 3
TRAITS = "traits"  # the value of the option `genes` for eleven of them
GAMES_PER_SECOND = 700_000
STATES_PER_SECOND = 5_000_000  # of an opponent met exactly
PUBLISHED = (
    ("mutants", "survivors"),
    ("plays", "best"),
    ("generations", "2000"),
    ("until", "random:by=heap>0.65+nim-sum:leave=nonzero>0.4"),
)


@dataclass(frozen=True)
class RuleEvolution(Learner):
    """Evolves a population whose better half has children."""

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
        start = game.start
        heaps, most = np.array(start.heaps, np.int64), start.rules.most(max(start.heaps))
        misere, mutation = start.rules.last == "loses", options.number("mutation")
        survivors_mutate = options.text("mutants") == "survivors"
        best = options.text("plays") == "best"
        check_named(self.opponents, game, options)
        rivals = rivals_of(self.opponents, game, named_opponents(options), options.text("fitness"))
        restarts = Restarts.of(self.opponents, game, options)
        root = kernel_seed(seed)

        def evolve_generations(first: int, count: int) -> None:
            for begun, many in restarts.stretches(first, count):
                if not passed[0] and restarts.begins_attempt(begun):
                    if restarts.enough(policy(game, player(population, best))):
                        passed[0] = begun
                    else:
                        population[:] = generator_at(seed, begun).random(population.shape)
                if passed[0]:  # the rest of the generations change nothing
                    return
                breed(
                    population, heaps, most, misere, mutation, survivors_mutate, rivals,
                    graph_of(game).board, heaps_of(game), begun, many, root,
                )  # fmt: skip

        def measure() -> dict[str, float]:
            genome = player(population, best)
            genes = {"odd": genome.odd, "first": genome.first, "all": genome.all}
            return self.opponents.results(self.reference, game, policy(game, genome)) | genes

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

    def agent(self, game: Game[Any, Any], brain: Brain, options: Values) -> RuleGenome:
        """With the genes of the brain, some of them changed to so many per cent."""
        population = brain.array("population", (None, GENES), np.float64)
        evolved = player(population, brain.parameters.get("plays") == "best")
        percents = {name: options.optional_integer(name) for name in SAYS}
        changed = {name: part / 100 for name, part in percents.items() if part is not None}
        return RuleGenome(self.opponents, game, replace(evolved, **changed), evolved, brain)


def player(population: NDArray[np.float64], best: bool) -> Genome:
    """The genome that plays, of a population with the best first."""
    return Genome.of(population[0] if best else consensus(population))


def consensus(population: NDArray[np.float64]) -> NDArray[np.float64]:
    """The median of the better half, gene by gene: ranks within it are mostly chance."""
    return np.asarray(np.median(population[: len(population) // 2], axis=0))


def policy(game: Game[Any, Any], genome: Genome) -> Policy:
    """[state, move] -> chance."""
    tables = graph_of(game).tables
    chances = np.zeros(tables.successor.shape)
    for at, state in enumerate(tables.states):
        if not tables.over[at]:
            for move, chance in genome.chances(state).items():
                chances[at, tables.move_number[move]] = chance
    return chances


@dataclass(frozen=True, eq=False)
class RuleGenome:
    """Plays by three evolved genes, which can be changed."""

    opponents: Opponents
    game: Game[Any, Any]
    genome: Genome  # as it plays
    evolved: Genome
    brain: Brain

    def analyse(
        self,
        state: NimState,
        *,
        limit: Limit,
        rng: Random,
        history: Sequence[State[Any]] = (),
        show: bool = False,
    ) -> Analysis[Take]:
        chances = self.genome.chances(state)
        candidates = [
            Candidate(move, chance=chances.get(move, 0.0), line=(move,))
            for move in state.legal_moves()
        ]
        odd = sum(objects % 2 for objects in state.heaps)
        analysis = conclude(
            candidates,
            lambda move: self._reason(state, move),
            rng,
            evidence=[
                Fact("heaps with an odd count", f"{odd} of {len(state.heaps)}"),
                Fact("gene odd", round(self.genome.odd, 3)),
                Fact("gene first", round(self.genome.first, 3)),
                Fact("gene all", round(self.genome.all, 3)),
                *ancestry_facts(self.brain),
            ],
            measure=Measure.CHANCE,
        )
        if not show:
            return analysis
        genes = genes_of(
            self.opponents,
            self.game,
            self.brain,
            self.genome,
            self.evolved,
            self.spoke(state, analysis.choice),
            analysis.reason,
        )
        return replace(analysis, exhibit=genes)

    def spoke(self, state: NimState, move: Take) -> tuple[str, ...]:
        """The genes that decided this move: one on the heap, one on the count."""
        odd = sum(objects % 2 for objects in state.heaps)
        heaps = self.genome.heaps(state)
        where = "odd" if odd / len(state.heaps) > self.genome.odd else "first"
        asked = {where: where == "odd" or len(heaps) > 1}
        asked["all"] = state.rules.most(state.heaps[move.heap]) > 1
        return tuple(name for name, spoke in asked.items() if spoke)

    def _reason(self, state: NimState, move: Take) -> str:
        genome, name = self.genome, ascii_lowercase[move.heap]
        odd = sum(objects % 2 for objects in state.heaps)
        share = f"{odd} of {len(state.heaps)} rows are odd"
        if odd / len(state.heaps) > genome.odd:
            where = f"{share}, more than its gene of {genome.odd:.0%}, so it plays on the first"
        elif len(self.genome.heaps(state)) == 1:
            where = f"{share} and only one row is left, so it plays on that"
        else:
            side = "first" if move.heap < max(genome.heaps(state)) else "last"
            chance = genome.heaps(state)[move.heap]
            where = f"{share}, so it plays on the {side} row, as {portion(chance)} of the time"
        took = genome.all if move.count > 1 else 1 - genome.all
        if state.rules.most(state.heaps[move.heap]) == 1:
            one = "which holds one" if state.heaps[move.heap] == 1 else "and takes one, as it must"
            return f"{where}: {name}, {one}."
        much = "all it may" if move.count > 1 else "one"
        return f"{where}: {name}, and takes {much}, as {portion(took)} of the time."


def _gene(name: str, says: str) -> Option:
    return Option(
        name,
        Kind.INTEGER,
        None,
        f"its gene {name} in per cent: {says}; none: as it evolved",
        low=0,
        high=100,
        optional=True,
        role=Role.PLAYING,
    )


@dataclass(frozen=True)
class Genomes(Learner):
    """Three genes or eleven, by the option `genes`; of a brain, by how it was trained."""

    key = RuleEvolution.key

    def _of(self, genes: object) -> RuleEvolution | TraitEvolution:
        return (TraitEvolution if genes == TRAITS else RuleEvolution)(self.opponents)

    def callbacks(
        self, game: Game[Any, Any], options: Values, seed: int, brain: Brain | None
    ) -> Callbacks:
        return self._of(options.text("genes")).callbacks(game, options, seed, brain)

    def plan(self, game: Game[Any, Any], options: Values) -> tuple[int, Points]:
        return self._of(options.text("genes")).plan(game, options)

    def reference_for(self, game: Game[Any, Any]) -> str:
        return RuleEvolution.reference

    def seconds(self, game: Game[Any, Any], options: Values) -> float:
        return self._of(options.text("genes")).seconds(game, options)

    def agent(
        self, game: Game[Any, Any], brain: Brain, options: Values
    ) -> RuleGenome | TraitGenome:
        return self._of(brain.parameters.get("genes")).agent(game, brain, options)

    def suits(self, game: Game[Any, Any], options: Values) -> None:
        """Raises for opponents or conditions that will not do."""
        check_named(self.opponents, game, options)


def entry(opponents: Opponents) -> Entry:
    learner = Genomes(opponents)
    return learner.entry(
        title="Evolved rules",
        technique=Technique.EVOLUTION,
        order=2,
        description=(
            "Plays by three numbers that won most games against a hundred others like them. "
            "Three numbers cannot say much about Nim, and it shows."
        ),
        options=(
            generations_option(100),
            count_option("population", 100, "individuals; every pair plays twice", high=1000),
            share_option("mutation", 0.2, "chance that a gene is drawn anew"),
            Option(
                "mutants",
                Kind.CHOICE,
                "children",
                "whose genes those are: the children's, or the survivors' before they have any",
                choices=("children", "survivors"),
            ),
            Option(
                "plays",
                Kind.CHOICE,
                "median",
                "who plays: the median of the better half, gene by gene, or the best",
                choices=("median", "best"),
            ),
            Option(
                "genes",
                Kind.CHOICE,
                "three",
                "its genome: three genes, or eleven that weigh what a move leaves behind",
                choices=("three", TRAITS),
            ),
            OPPONENTS_OPTION,
            Option(
                "fitness",
                Kind.CHOICE,
                "wins",
                "what counts: games won, or longer or shorter wins more",
                choices=tuple(LENGTHS),
            ),
            UNTIL,
            RESTART,
            *(_gene(name, says) for name, says in SAYS.items()),
        ),
        presets=(Preset("published", "as the course published it", PUBLISHED),),
        refuses=only_small_nim,
        suits=learner.suits,
    )
