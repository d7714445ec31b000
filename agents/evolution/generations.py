"""What the evolved agents share: recorded ancestors, facts, curves and an evolution strategy."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import DTypeLike, NDArray

from agents.core import Fact
from agents.entry import only
from agents.exhibits import Offer
from agents.tabular.tables import why_too_many
from agents.training.brains import Brain
from agents.training.loop import Arrays, Callbacks
from agents.training.trainer import SEED
from engine.core import Game
from engine.options import Kind, Option, Role

MAX_STATES = 50_000  # of a game: more would take too long to evolve on
QUANTA = 255  # a share of 1 in the bytes of ancestors, so an error of at most 1/510
DIGITS = 9  # of every figure, so that rounding errors of other machines change nothing

Chromosome = NDArray[np.float64]  # [gene]


def generations_option(default: int) -> Option:
    return Option(
        "generations",
        Kind.INTEGER,
        default,
        "how many generations it evolves",
        low=1,
        high=100_000,
        role=Role.LENGTH,
    )


def count_option(name: str, default: int, what: str, high: int = 10_000) -> Option:
    return Option(name, Kind.INTEGER, default, what, low=1, high=high)


def only_small_nim(game: Game[Any, Any]) -> str | None:
    """Why an agent that evolves on tabulated Nim cannot play a game, or None."""
    return only("nim")(game) or why_too_many(game, MAX_STATES, "evolve on")


@dataclass(slots=True)
class Ancestors:
    """The populations at the points of the curve, for exhibits; training does not need them."""

    generation: list[int] = field(default_factory=list)
    recorded: list[NDArray[Any]] = field(default_factory=list)

    @classmethod
    def of(cls, brain: Brain, shape: tuple[int | None, ...], dtype: DTypeLike) -> Ancestors:
        """Those recorded in a brain, if any; raises UnsuitableBrainError."""
        if "ancestors" not in brain.arrays:
            return cls()
        generation = brain.array("generation", (None,), np.int32, low=1)
        recorded = brain.array("ancestors", (len(generation), *shape), dtype)
        return cls(generation.tolist(), list(recorded))

    def record(self, generation: int, living: NDArray[Any]) -> None:
        self.generation.append(generation)
        self.recorded.append(living.copy())

    def arrays(self) -> Arrays:
        """`generation` [point] and `ancestors` [point, …]; nothing before the first point."""
        if not self.generation:
            return {}
        return {
            "generation": np.array(self.generation, np.int32),
            "ancestors": np.array(self.recorded),
        }


def population_callbacks(
    evolve: Callable[[int, int], None],
    measure: Callable[[], Mapping[str, float]],
    population: NDArray[np.float64],
    ancestors: Ancestors,
    more: Arrays | None = None,
) -> Callbacks:
    """The callbacks of a run that evolves a population of shares, and more, in place."""
    return Callbacks(
        evolve,
        measure,
        lambda: {"population": population} | (more or {}) | ancestors.arrays(),
        lambda generation: ancestors.record(generation, quantised(population)),
    )


def quantised(shares: NDArray[np.float64]) -> NDArray[np.uint8]:
    """Shares from 0 to 1 as bytes."""
    return np.rint(shares * QUANTA).astype(np.uint8)


def ancestry_facts(brain: Brain) -> list[Fact]:
    """Evidence on how the agent evolved."""
    facts = [Fact("generations", brain.steps)]
    if brain.curve:
        first, last = brain.curve[0], brain.curve[-1]
        facts.append(
            Fact(
                f"wins against {brain.rival}",
                f"{first.metrics['wins']:.1%} after {first.step}, "
                f"{last.metrics['wins']:.1%} after {last.step} generations",
            )
        )
    return facts


def earlier_generations(brain: Brain) -> tuple[Offer, ...]:
    """Offers of the same agent at the points of its curve, evolved anew with the same settings.

    None for a brain of another seed, which no spec can reproduce.
    """
    settings = tuple((name, str(value)) for name, value in brain.parameters.items())
    if brain.seed != SEED or any("," in text for _, text in settings):  # it would end an option
        return ()
    return tuple(
        Offer(
            f"generation {point.step}", (*settings, ("generations", str(point.step)), ("brain", ""))
        )
        for point in brain.curve
    )


@dataclass(frozen=True, eq=False)
class Lineage:
    """An evolution strategy with cumulative step-size adaptation (Hansen and Ostermeier 2001)."""

    parent: Chromosome
    sigma: float  # the standard deviation of children
    path: Chromosome  # the exponential mean of the last steps, scaled to a random walk's

    def next_generation(
        self, children: int, fitness: Callable[[NDArray[np.float64]], Chromosome], rng: Generator
    ) -> Lineage:
        """The next generation; fitness([child, gene]) -> [child], more is better."""
        half = rng.standard_normal((children // 2, len(self.parent)))
        steps = np.concatenate((half, -half))  # in mirrored pairs
        order = np.argsort(-fitness(self.parent + self.sigma * steps), kind="stable")
        shares = recombination(len(steps) // 2)
        step = shares @ steps[order[: len(shares)]]
        return self._moved(step, 1 / float(shares @ shares))

    def _moved(self, step: Chromosome, parents: float) -> Lineage:
        """The lineage after a step; `parents` is the effective number of parents."""
        genes = len(step)
        memory = (parents + 2) / (genes + parents + 5)
        path = (1 - memory) * self.path + np.sqrt(memory * (2 - memory) * parents) * step
        walked = float(np.linalg.norm(path)) / (np.sqrt(genes) * (1 - 1 / (4 * genes)))
        sigma = self.sigma * np.exp(memory / (1 + memory) * (walked - 1))
        parent = self.parent + self.sigma * step
        return Lineage(parent.round(DIGITS), round(float(sigma), DIGITS), path.round(DIGITS))


def recombination(parents: int) -> Chromosome:
    """[rank] -> the weight of each of the better half in the next parent; they sum to 1."""
    shares = np.log(parents + 0.5) - np.log(np.arange(1, parents + 1))
    return np.asarray(shares / shares.sum())
