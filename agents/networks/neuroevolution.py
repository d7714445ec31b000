"""A network whose weights evolve: one genome, two evolution strategies, no gradient.

The network is the others' with one layer only (the second passes on what it gets) and without a
value: 289 weights for tic-tac-toe. An individual is as fit as its results against random moves.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.compute.kernels import kernel
from agents.compute.rng import Stream, new_stream, seed_stream
from agents.entry import Entry, Technique
from agents.evolution.generations import count_option, generations_option
from agents.learner import Learner
from agents.networks.common import SEARCH, refuses_large, weights_only
from agents.networks.evolution_strategies import (
    Distribution,
    Genes,
    Parents,
    Weighting,
    adapt,
    drawn,
    mutated,
    weighting,
)
from agents.networks.layers import Layers, Shape, Weights, forward, new_layers, views
from agents.networks.measurement import exact_metrics
from agents.networks.player import NetworkPlayer
from agents.networks.rules import (
    DRAWN,
    INPUTS,
    OPEN,
    Rules,
    active_inputs,
    is_legal,
    played,
    result_of,
    rules_of,
)
from agents.networks.self_play import random_move
from agents.networks.source import source_of
from agents.training.brains import Brain
from agents.training.loop import Arrays, Callbacks, Points, generator_at, kernel_seed
from agents.training.opponents import Opponents
from engine.core import Game
from engine.options import Kind, Option, Values

HIDDEN = 10  # units
CMA, PLUS = "cma", "plus"
PARENTS, CHILDREN = 10, 24  # of (μ+λ); CMA-ES has as many children
FIRST_SIGMA = {CMA: 0.5, PLUS: 0.1}
MAX_GENES = 700
# Seconds, as measured: of a game, and of a generation by the square of its genes.
GAME_SECONDS, MATRIX_SECONDS = 1e-6, 2.2e-8


def genes_of(rules: Rules) -> int:
    moves = len(rules.moves)
    return rules.inputs * HIDDEN + HIDDEN + HIDDEN * moves + moves


def shape_of(rules: Rules) -> Shape:
    return Shape(rules.inputs, HIDDEN, len(rules.moves))


def empty_weights(shape: Shape) -> tuple[NDArray[np.float32], Weights]:
    """A network whose second layer passes on the first, to write genomes into."""
    flat = np.zeros(shape.weights, np.float32)
    parts = views(flat, shape)
    parts.second[:] = np.eye(shape.hidden)
    return flat, parts


@kernel
def express(genes: Genes, weights: Weights) -> None:
    """Write a genome into a network: first layer, its bias, policy, its bias."""
    at = 0
    for part in (weights.first.reshape(-1), weights.first_bias):
        for place in range(len(part)):
            part[place] = genes[at]
            at += 1
    for part in (weights.policy.reshape(-1), weights.policy_bias):
        for place in range(len(part)):
            part[place] = genes[at]
            at += 1


@kernel
def fitness_of(
    genes: Genes,
    games: int,
    seed: int,
    generation: int,
    rules: Rules,
    weights: Weights,
    layers: Layers,
    rng: Stream,
) -> float:
    """The mean result against random moves, in both seats; the same luck for a whole generation."""
    express(genes, weights)
    total = 0.0
    for game in range(games):
        seed_stream(rng, seed, (generation << 20) + game)
        own, other, ply = rules.start, 0, 0
        while result_of(own, other, rules) == OPEN and ply < rules.plies:
            move = random_move(own, other, rng, rules)
            if ply % 2 == game % 2:
                count = active_inputs(own, other, rules, layers.active)
                forward(count, weights, layers)
                for each in range(len(rules.moves)):
                    better = layers.logits[each] > layers.logits[move]
                    if better and is_legal(own, other, each, rules):
                        move = each
            own, other = played(own, other, move, rules)
            ply += 1
        result = result_of(own, other, rules)
        if result not in (OPEN, DRAWN):
            total += result if (ply - game) % 2 == 0 else -result
    return total / games


@kernel
def ranking(fitness: NDArray[np.float64]) -> NDArray[np.int64]:
    """Numbers of the individuals, the fittest first, the earlier of equals first."""
    ranked = np.arange(len(fitness))
    for at in range(1, len(ranked)):
        moving, place = ranked[at], at
        while place > 0 and fitness[ranked[place - 1]] < fitness[moving]:
            ranked[place] = ranked[place - 1]
            place -= 1
        ranked[place] = moving
    return ranked


@kernel
def cma_generations(
    first: int,
    count: int,
    games: int,
    seed: int,
    distribution: Distribution,
    constants: Weighting,
    rules: Rules,
    weights: Weights,
    layers: Layers,
    rng: Stream,
) -> None:
    """The generations from number `first` on."""
    genes = len(distribution.mean)
    normals, steps = np.zeros((CHILDREN, genes)), np.zeros((CHILDREN, genes))
    fitness, child_genes = np.zeros(CHILDREN), np.zeros(genes)
    for generation in range(first, first + count):
        seed_stream(rng, seed, generation)
        for child in range(CHILDREN):
            drawn(distribution, normals[child], steps[child], rng)
        for child in range(CHILDREN):
            for gene in range(genes):
                child_genes[gene] = (
                    distribution.mean[gene] + distribution.sigma[0] * steps[child, gene]
                )
            fitness[child] = fitness_of(
                child_genes, games, seed + 1, generation, rules, weights, layers, rng
            )
        adapt(distribution, constants, ranking(fitness), normals, steps)


@kernel
def plus_generations(
    first: int,
    count: int,
    games: int,
    seed: int,
    parents: Parents,
    rules: Rules,
    weights: Weights,
    layers: Layers,
    rng: Stream,
) -> None:
    """The generations from number `first` on: the fittest of parents and children live."""
    old, genes = parents.genes.shape
    living, sigma = np.zeros((old + CHILDREN, genes)), np.zeros(old + CHILDREN)
    fitness = np.zeros(old + CHILDREN)
    for generation in range(first, first + count):
        seed_stream(rng, seed, generation)
        living[:old], sigma[:old] = parents.genes, parents.sigma
        for child in range(CHILDREN):
            sigma[old + child] = mutated(parents, child, living[old + child], rng)
        for each in range(old + CHILDREN):
            fitness[each] = fitness_of(
                living[each], games, seed + 1, generation, rules, weights, layers, rng
            )
        ranked = ranking(fitness)
        for rank in range(old):
            parents.genes[rank] = living[ranked[rank]]
            parents.sigma[rank] = sigma[ranked[rank]]


@dataclass(frozen=True)
class Neuroevolution(Learner):
    """Breeds the weights of a small network."""

    key = "neuroevolution"
    points = Points(20)

    def callbacks(
        self, game: Game[Any, Any], options: Values, seed: int, brain: Brain | None
    ) -> Callbacks:
        rules = rules_of(game, options.text("inputs"))
        shape, games = shape_of(rules), options.integer("games")
        flat, weights = empty_weights(shape)
        layers, rng, root = new_layers(shape), new_stream(), kernel_seed(seed)
        state = _state(options.text("optimiser"), genes_of(rules), seed, brain)

        def evolve(first: int, count: int) -> None:
            if isinstance(state, Distribution):
                constants = weighting(len(state.mean), CHILDREN)
                cma_generations(
                    first, count, games, root, state, constants, rules, weights, layers, rng
                )
            else:
                plus_generations(first, count, games, root, state, rules, weights, layers, rng)

        def measure() -> dict[str, float]:
            express(_best(state), weights)
            found = exact_metrics(game, rules, weights, shape)
            return {"right": found["right"], "searched": found["searched"]}

        def arrays() -> Arrays:
            express(_best(state), weights)
            return {"weights": flat, **state._asdict()}

        return Callbacks(evolve, measure, arrays)

    def agent(self, game: Game[Any, Any], brain: Brain, options: Values) -> NetworkPlayer:
        rules = rules_of(game, str(brain.parameters.get("inputs", options.text("inputs"))))
        shape = shape_of(rules)
        flat = brain.array("weights", (shape.weights,), np.float32)
        simulations = options.optional_integer("search") or 0
        return NetworkPlayer(game, rules, shape, flat, simulations, brain, has_value=False)

    def seconds(self, game: Game[Any, Any], options: Values) -> float:
        genes = genes_of(rules_of(game, options.text("inputs")))
        games = CHILDREN * options.integer("games")
        return options.integer("generations") * (games * GAME_SECONDS + genes**2 * MATRIX_SECONDS)


def _best(state: Distribution | Parents) -> Genes:
    """The genome that plays: the mean of the distribution, or the fittest parent."""
    return state.mean if isinstance(state, Distribution) else state.genes[0]


def _state(optimiser: str, genes: int, seed: int, brain: Brain | None) -> Distribution | Parents:
    """The first generation, or that of a brain; raises UnsuitableBrainError."""
    shapes: dict[str, tuple[int, ...]]
    if optimiser == CMA:
        shapes = {"mean": (genes,), "path": (genes,), "matrix": (genes, genes), "sigma": (1,)}
    else:
        shapes = {"genes": (PARENTS, genes), "sigma": (PARENTS,)}
    if brain is not None:
        found = [brain.array(name, shape, np.float64).copy() for name, shape in shapes.items()]
    else:
        found = [np.zeros(shape) for shape in shapes.values()]
        found[-1][:] = FIRST_SIGMA[optimiser]
        if optimiser == CMA:
            found[2][:] = np.eye(genes)
        else:
            found[0][:] = generator_at(seed, 0).standard_normal((PARENTS, genes)) / HIDDEN
    return Distribution(*found) if optimiser == CMA else Parents(*found)


def refuses(game: Game[Any, Any]) -> str | None:
    if (why := refuses_large(game)) is not None:
        return why
    genes = genes_of(rules_of(game))
    return None if genes <= MAX_GENES else f"{genes} weights are too many, {MAX_GENES} at most"


def entry(opponents: Opponents) -> Entry:
    learner = Neuroevolution(opponents)
    return learner.entry(
        title="Evolved network",
        technique=Technique.NETWORKS,
        order=4,
        description=(
            "A very small network whose weights were bred, not taught: those that won more against "
            "random moves had children. It finds wins, and overlooks most threats."
        ),
        options=(
            generations_option(400),
            Option(
                "optimiser",
                Kind.CHOICE,
                CMA,
                "who has children: cma draws them from one cloud that it shapes (CMA-ES), plus "
                "changes the fittest of parents and children (μ+λ)",
                choices=(CMA, PLUS),
            ),
            count_option("games", 100, "games that decide how fit an individual is"),
            INPUTS,
            SEARCH,
        ),
        refuses=refuses,
        ships=weights_only,
        source=source_of(learner),
    )
