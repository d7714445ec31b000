"""Quixo's line evaluation with evolved weights, played by alpha-beta."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.brains import Brain
from agents.core import Analysis, Fact, Limit
from agents.evolution.generations import ancestry, generations, whole
from agents.evolution.quixo_kernel import Pushes, breed, duel
from agents.learning.lessons import begin, number, resumed
from agents.search.alphabeta import AlphaBeta
from agents.search.evaluations import weighted_lines
from agents.training import Checkpoint, stretch_seed
from engine.core import Game, Options, State
from engine.quixo import Push, QuixoState, table_of

KEY = "quixo-evolved"
REFERENCE = "alphabeta:depth=1"  # c·3^c at the same depth
SIZE = 5
MEASURED = 400  # games for each point of the curve
FAMILY = 3  # parents and two children each


def train(
    game: Game[Any, Any], options: Options, seed: int, resume: Brain | None = None
) -> Iterator[Checkpoint]:
    """Evolve the weights by tournaments in which c·3^c takes part."""
    total, parents = whole(options, "generations"), whole(options, "parents")
    brain = begin(KEY, game, options, seed, REFERENCE)
    genes = np.zeros((FAMILY * parents, 2, SIZE + 1))
    if resume is not None:
        brain = resumed(resume, brain, total)
        genes = brain.array("genes", genes.shape, np.float64).copy()
    pushes, model = pushes_of(SIZE), c3c()
    games, sight, sigma = whole(options, "games"), whole(options, "sight"), number(options["sigma"])

    def stretch(count: int, seed: int) -> None:
        breed(pushes, genes, model, parents, games, sight, sigma, count, seed)

    def measure() -> dict[str, float]:
        seed = stretch_seed(brain.seed, total + 1)  # the same openings for every point
        results = duel(pushes, weights(genes), model, MEASURED, sight, seed)
        shares = (result / MEASURED for result in results)
        return dict(zip(("wins", "draws", "losses"), shares, strict=True))

    yield from generations(brain, total, lambda: {"genes": genes}, stretch, measure, stretches=15)


@cache
def pushes_of(size: int) -> Pushes:
    """The board's pushes and lines as arrays."""
    table = table_of(size)

    def each(name: str) -> NDArray[np.int64]:
        return np.array([getattr(slide, name) for slide in table.slides.values()], np.int64)

    return Pushes(
        source=each("source"),
        stay=each("stay"),
        sliding=each("sliding"),
        up=each("up"),
        down=each("down"),
        entry=each("entry"),
        lines=np.array(table.lines, np.int64),
    )


def c3c() -> NDArray[np.float64]:
    """[2, count] -> c·3^c for either side: what there is to beat."""
    return np.array([[count * 3.0**count for count in range(SIZE + 1)]] * 2)


def weights(genes: NDArray[np.float64]) -> NDArray[np.float64]:
    """[2, count] -> the weights the parents agree on: for the side to move, and for the other."""
    return np.asarray(c3c() * np.exp(genes[: len(genes) // FAMILY].mean(axis=0)))


@dataclass(frozen=True, eq=False)
class QuixoEvolved:
    """Alpha-beta that judges lines by evolved weights."""

    search: AlphaBeta
    weights: NDArray[np.float64]
    brain: Brain

    @classmethod
    def of(cls, game: Game[Any, Any], brain: Brain, limit: Limit) -> QuixoEvolved:
        genes = brain.array("genes", (None, 2, SIZE + 1), np.float64)
        own, theirs = (tuple(side) for side in weights(genes).tolist())
        search = AlphaBeta(game, limit, weighted_lines(SIZE, own, theirs))
        return cls(search, weights(genes), brain)

    def analyse(
        self, state: QuixoState, *, limit: Limit, rng: Random, history: Sequence[State[Any]] = ()
    ) -> Analysis[Push]:
        analysis = self.search.analyse(state, limit=limit, rng=rng, history=history)
        return replace(analysis, evidence=(*analysis.evidence, *self._heritage()))

    def _heritage(self) -> list[Fact]:
        sides = ("the side to move", "the other side")
        return [
            *(
                Fact(
                    f"lines of 1 to 4, {side}",
                    " ".join(f"{weight:.0f}" for weight in row[1:SIZE]),
                )
                for side, row in zip(sides, self.weights, strict=True)
            ),
            Fact("c·3^c says", " ".join(f"{weight:.0f}" for weight in c3c()[0][1:SIZE])),
            *ancestry(self.brain),
        ]
