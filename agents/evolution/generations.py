"""What every evolution shares: how long it lasts, who lived on the way, where it has led."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import DTypeLike, NDArray

from agents.core import Fact
from agents.exhibits import GENERATIONS, Course, CourseLine, Offer
from agents.training.brains import Brain
from agents.training.loop import Arrays
from agents.training.trainer import SEED
from engine.options import Kind, Option, Role

IN_FULL = 255  # a share of 1 as it is kept of ancestors: a byte, so right to within 1/510


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


@dataclass(slots=True)
class Ancestors:
    """Who lived at the points of the curve: what an exhibit shows and no training needs."""

    generation: list[int] = field(default_factory=list)
    lived: list[NDArray[Any]] = field(default_factory=list)

    @classmethod
    def of(cls, brain: Brain, shape: tuple[int | None, ...], dtype: DTypeLike) -> Ancestors:
        """Those in a brain; none in one that has not kept any. Raises UnsuitableBrainError."""
        if "ancestors" not in brain.arrays:
            return cls()
        generation = brain.array("generation", (None,), np.int32, low=1)
        lived = brain.array("ancestors", (len(generation), *shape), dtype)
        return cls(generation.tolist(), list(lived))

    def note(self, generation: int, living: NDArray[Any]) -> None:
        self.generation.append(generation)
        self.lived.append(living.copy())

    def arrays(self) -> Arrays:
        """`generation` [point] and `ancestors` [point, …]; nothing before the first point."""
        if not self.generation:
            return {}
        return {
            "generation": np.array(self.generation, np.int32),
            "ancestors": np.array(self.lived),
        }


def in_bytes(shares: NDArray[np.float64]) -> NDArray[np.uint8]:
    """Shares from 0 to 1 as whole parts of IN_FULL."""
    return np.rint(shares * IN_FULL).astype(np.uint8)


def ancestry(brain: Brain) -> list[Fact]:
    """Where an evolved agent comes from."""
    facts = [Fact("generations", brain.steps)]
    if brain.curve:
        first, last = brain.curve[0], brain.curve[-1]
        facts.append(
            Fact(
                f"wins against {brain.reference}",
                f"{first.metrics['wins']:.1%} after {first.step}, "
                f"{last.metrics['wins']:.1%} after {last.step} generations",
            )
        )
    return facts


def younger(brain: Brain) -> tuple[Offer, ...]:
    """The same agent as it was at the points of its curve, bred again as this one was.

    Nobody who was bred from another seed: their past is kept where they were trained.
    """
    settings = tuple((name, str(value)) for name, value in brain.parameters.items())
    if brain.seed != SEED or any("," in text for _, text in settings):  # which no spec can hold
        return ()
    return tuple(
        Offer(
            f"generation {point.step}",
            (*settings, ("generations", str(point.step)), ("brain", "")),
        )
        for point in brain.curve
    )


def curve(
    brain: Brain, title: str, told: Mapping[str, tuple[str, str]], *, stacked: bool = False
) -> Course:
    """Some figures of its curve, each with its name and what its colour means."""
    return Course(
        title=title,
        unit=GENERATIONS,
        lines=tuple(
            CourseLine(name, tone, tuple((point.step, point.metrics[key]) for point in brain.curve))
            for key, (name, tone) in told.items()
        ),
        stacked=stacked,
    )


Chromosome = NDArray[np.float64]  # [gene]
DIGITS = (
    9  # kept of every figure, so that the last bits of another machine's algebra change nothing
)


@dataclass(frozen=True, eq=False)
class Lineage:
    """Where the evolution stands: the parent, how far children stray, where it has been going."""

    parent: Chromosome
    sigma: float
    path: Chromosome  # an even mean of the last steps, of the length of a random walk's

    def bred(
        self, children: int, fitness: Callable[[NDArray[np.float64]], Chromosome], luck: Generator
    ) -> Lineage:
        """The lineage one generation on; fitness([child, gene]) -> [child], more is better."""
        half = luck.standard_normal((children // 2, len(self.parent)))
        strides = np.concatenate((half, -half))
        order = np.argsort(-fitness(self.parent + self.sigma * strides), kind="stable")
        shares = recombination(len(strides) // 2)
        step = shares @ strides[order[: len(shares)]]
        return self._moved(step, 1 / float(shares @ shares))

    def _moved(self, step: Chromosome, parents: float) -> Lineage:
        """`parents` is how many the shares amount to."""
        genes = len(step)
        memory = (parents + 2) / (genes + parents + 5)
        path = (1 - memory) * self.path + np.sqrt(memory * (2 - memory) * parents) * step
        walked = float(np.linalg.norm(path)) / (np.sqrt(genes) * (1 - 1 / (4 * genes)))
        sigma = self.sigma * np.exp(memory / (1 + memory) * (walked - 1))
        parent = self.parent + self.sigma * step
        return Lineage(parent.round(DIGITS), round(float(sigma), DIGITS), path.round(DIGITS))


def recombination(parents: int) -> Chromosome:
    """[rank] -> how much each of the better half gives to the next parent; they sum to 1."""
    shares = np.log(parents + 0.5) - np.log(np.arange(1, parents + 1))
    return np.asarray(shares / shares.sum())
