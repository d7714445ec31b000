"""What the tabular learners share: the agent that plays by a table, evidence, training time."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from random import Random
from time import perf_counter
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from agents.core import Analysis, Candidate, Effort, Fact, Limit, Measure, conclude
from agents.exhibits import LearnedNumber, Numbers
from agents.formats import signed
from agents.learning.fallback import one_move_ahead, random_move
from agents.tabular.graph import Graph
from agents.training.brains import Brain
from agents.training.curves import curve_of
from agents.training.loop import Points
from agents.training.opponents import Opponents
from engine.core import Game, State
from engine.options import Values

# Seconds, as measured.
SECONDS_PER_GAME = 2e-6
SECONDS_PER_STATE = 2.5e-6  # of a point of the curve, exactly measured
SECONDS_PER_CYCLIC_STATE = 8e-6  # the same where play can return to a state


@dataclass(frozen=True, eq=False)
class TableAgent(ABC):
    """Plays the move with the highest learned number, and by the fallback in states never met."""

    opponents: Opponents
    graph: Graph
    brain: Brain
    numbers: NDArray[Any]  # [edge]
    tried: NDArray[np.int32]  # [edge] -> how often in training
    looks: bool = True  # one move ahead in states never met, rather than playing at random

    name: ClassVar[str]  # of the numbers
    says: ClassVar[str]  # what they mean
    measure: ClassVar[Measure] = Measure.VALUE
    depth: ClassVar[int] = 0  # 1 where the numbers are those of the next states

    def analyse(
        self,
        state: State[Any],
        *,
        limit: Limit,
        rng: Random,
        history: Sequence[State[Any]] = (),
        show: bool = False,
    ) -> Analysis[Any]:
        begun = perf_counter()
        facts = training_facts(self.brain)
        at = self.graph.tables.number.get(state)  # None: no play from the start leads to it
        edges = slice(0) if at is None else self.graph.edges(at)
        if not self.tried[edges].any():
            fallback = one_move_ahead if self.looks else random_move
            analysis = fallback(state, limit, rng, facts)
            return replace(analysis, exhibit=self._exhibit(state, {}, {}) if show else None)
        moves = state.legal_moves()
        numbers = dict(zip(moves, self.numbers[edges].tolist(), strict=True))
        tried = dict(zip(moves, self.tried[edges].tolist(), strict=True))
        nodes = len(moves) if self.depth else 1
        return conclude(
            [
                self.candidate(move, chance, numbers, tried)
                for move, chance in zip(moves, self.chances[edges].tolist(), strict=True)
            ],
            lambda move: self.reason(state, move, numbers, tried),
            rng,
            evidence=[*self.evidence(numbers, tried), *facts],
            effort=Effort(nodes, self.depth, perf_counter() - begun),
            measure=self.measure,
            exhibit=self._exhibit(state, numbers, tried) if show else None,
        )

    @abstractmethod
    def candidate(
        self, move: Any, chance: float, numbers: Mapping[Any, float], tried: Mapping[Any, int]
    ) -> Candidate[Any]: ...

    @abstractmethod
    def reason(
        self,
        state: State[Any],
        move: Any,
        numbers: Mapping[Any, float],
        tried: Mapping[Any, int],
    ) -> str: ...

    @abstractmethod
    def evidence(
        self, numbers: Mapping[Any, float], tried: Mapping[Any, int]
    ) -> Iterable[Fact]: ...

    @cached_property
    def chances(self) -> NDArray[np.float64]:
        return greedy_chances(self.graph, self.numbers, self.tried)

    @cached_property
    def coverage(self) -> str:
        """A sentence on how many of the positions that are not over it has met."""
        met, playing = self.graph.total(self.tried) > 0, ~self.graph.tables.over
        return f"It has met {(met & playing).sum():,} of the {playing.sum():,} positions there are."

    def highest(self, numbers: Mapping[Any, float]) -> float:
        """The end of the scale on which the exhibit draws the numbers."""
        return 1.0

    def _exhibit(
        self, state: State[Any], numbers: Mapping[Any, float], tried: Mapping[Any, int]
    ) -> Numbers:
        return numbers_of(
            self.opponents,
            self.graph.tables.game,
            self.brain,
            state,
            numbers,
            tried,
            self.coverage,
            name=self.name,
            says=self.says,
            high=self.highest(numbers),
        )


def greedy_chances(
    graph: Graph, numbers: NDArray[Any], tried: NDArray[np.int32]
) -> NDArray[np.float64]:
    """[edge] -> its chance: that of the highest numbers, or the fallback's in states never met."""
    met = graph.total(tried) > 0
    return np.where(met[graph.state], graph.evenly(graph.best_of(numbers)), graph.sensible)


def training_facts(brain: Brain) -> list[Fact]:
    """Evidence on how the agent was trained."""
    return [
        Fact("games learned from", brain.steps),
        Fact("trained against", str(brain.parameters.get("opponent", "self"))),
    ]


def clipped(number: float, tried: int) -> float | None:
    """A learned number as a move's value; None where it was never tried."""
    return min(1.0, max(-1.0, number)) if tried else None


def tries_text(number: int) -> str:
    """A count as text: `one try`, `1,234 tries`."""
    return "one try" if number == 1 else f"{number:,} tries"


def comparison(move: object, figures: Mapping[Any, float], what: str) -> str:
    """A move compared with the others as text: `the next best, a1, −0.30.`"""
    own = figures[move]
    others = {other: figure for other, figure in figures.items() if other != move}
    if not others:
        return "it is the only legal move."
    rival = max(others, key=lambda other: others[other])
    if others[rival] == own:
        alike = sum(figure == own for figure in figures.values())
        return f"{alike} of {len(figures)} {what} the same, so it was drawn."
    if signed(others[rival]) == signed(own):
        return f"just ahead of {rival}."
    return f"the next best, {rival}, {signed(others[rival])}."


def numbers_of(
    opponents: Opponents,
    game: Game[Any, Any],
    brain: Brain,
    state: State[Any],
    figures: Mapping[Any, float],
    tried: Mapping[Any, int],
    coverage: str,
    *,
    name: str,
    says: str,
    high: float = 1.0,
) -> Numbers:
    """The exhibit of a position's numbers, highest first; None for moves never tried."""
    numbers = [
        LearnedNumber(
            str(move), figures.get(move, 0.0) if tried.get(move) else None, tried.get(move, 0)
        )
        for move in state.legal_moves()
    ]

    def order(number: LearnedNumber) -> tuple[bool, float]:
        return number.value is None, -(number.value or 0.0)

    return Numbers(
        numbers=tuple(sorted(numbers, key=order)),
        name=name,
        says=says,
        high=high,
        known=coverage,
        course=curve_of(opponents, brain, game),
    )


def seconds(
    opponents: Opponents, game: Game[Any, Any], options: Values, games: int, points: Points
) -> float:
    """The time of training by so many games, with the tabulation of the opponent.

    Raises for an opponent that cannot be tabulated.
    """
    per_state = SECONDS_PER_STATE if game.ply_limit is None else SECONDS_PER_CYCLIC_STATE
    measurements = points.up_to(games) + 1
    learning = games * SECONDS_PER_GAME + measurements * per_state * (game.states or 0)
    return learning + opponents.seconds(options.text("opponent"), game)
