"""What the tabular learners share: their training, the agent that plays by a table, evidence."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from random import Random
from time import perf_counter
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import DTypeLike, NDArray

from agents.core import Agent, Analysis, Candidate, Effort, Fact, Limit, Measure, conclude
from agents.exhibits import Exhibit, LearnedNumber, Numbers
from agents.formats import signed
from agents.learner import Learner
from agents.learning.fallback import one_move_ahead, random_move
from agents.search.guided import searched
from agents.tabular.graph import Graph, graph_of
from agents.training.brains import Brain
from agents.training.curve_exhibit import curve_of
from agents.training.loop import Arrays, Callbacks, kernel_seed, share_option
from agents.training.opponents import Opponents
from engine.core import Game, State
from engine.options import Kind, Option, Role, Values

# Seconds, as measured.
SECONDS_PER_GAME = 2e-6
SECONDS_PER_STATE = 2.5e-6  # of a point of the curve, exactly measured
SECONDS_PER_CYCLIC_STATE = 8e-6  # the same where play can return to a state


UNMET = Option(
    "unmet",
    Kind.CHOICE,
    "trained",
    "in a position it never met: look one move ahead, or play at random; or as when it was "
    "trained, which is to look if nothing was said",
    choices=("trained", "look", "random"),
    role=Role.PLAYING,
)


def looks_ahead(options: Values, brain: Brain | None = None) -> bool:
    """Whether to look one move ahead in a position never met, rather than to play at random."""
    chosen = options.get(UNMET.name, UNMET.default)
    if chosen == UNMET.default and brain is not None:
        chosen = brain.parameters.get(UNMET.name)
    return chosen != "random"


def alpha_option(default: float) -> Option:
    return share_option("alpha", default, "learning rate: how far one result moves a value")


def gamma_option(default: float) -> Option:
    return share_option("gamma", default, "what a result is worth one turn earlier")


def epsilon_option(default: float) -> Option:
    return share_option("epsilon", default, "chance of a random move while it trains")


@dataclass(frozen=True)
class TabularLearner(Learner):
    """Learns a table over every state of a small game, in a kernel; its curve is exact."""

    alone: ClassVar[bool] = True  # can train against itself
    # update(board, odds, *table, first, games, seed, *parameters, max_plies): play and learn.
    update: ClassVar[Callable[..., None]]

    @abstractmethod
    def table(self, game: Game[Any, Any]) -> Arrays:
        """The arrays before the first game."""

    @abstractmethod
    def parameters(self, game: Game[Any, Any], options: Values) -> tuple[Any, ...]:
        """What the kernel needs besides the game, the opponent's odds and the table."""

    @abstractmethod
    def chances(
        self, game: Game[Any, Any], table: Arrays, looks: bool = True
    ) -> NDArray[np.float64]:
        """[edge] -> the chance that it is played by this table; `looks` as in `TableAgent`."""

    def read(self, game: Game[Any, Any], brain: Brain) -> Arrays:
        """The table in a brain, whose counts are not negative; raises UnsuitableBrainError."""
        return {
            name: brain.array(
                name, fresh.shape, fresh.dtype, low=0 if fresh.dtype.kind == "i" else -np.inf
            )
            for name, fresh in self.table(game).items()
        }

    def callbacks(
        self, game: Game[Any, Any], options: Values, seed: int, brain: Brain | None
    ) -> Callbacks:
        table = self.table(game) if brain is None else self.read(game, brain)
        table = {name: array.copy() for name, array in table.items()}
        odds = self.opponents.odds(options.text("opponent"), game, self.alone)
        graph, root = graph_of(game), kernel_seed(seed)
        parameters = self.parameters(game, options)
        looks = looks_ahead(options)

        def learn_games(first: int, games: int) -> None:
            span = (first, games, root)
            self.update(graph.board, odds, *table.values(), *span, *parameters, graph.max_plies)

        def measure() -> dict[str, float]:
            policy = graph.to_policy(self.chances(game, table, looks))
            return self.opponents.results(self.reference, game, policy)

        return Callbacks(learn_games, measure, lambda: table)

    def seconds(self, game: Game[Any, Any], options: Values) -> float:
        """The time of the games, of the curve and of the tabulation of the opponent.

        Raises for an opponent that cannot be tabulated.
        """
        games, points = self.plan(game, options)
        per_state = SECONDS_PER_STATE if game.ply_limit is None else SECONDS_PER_CYCLIC_STATE
        measurements = points.up_to(games) + 1
        learning = games * SECONDS_PER_GAME + measurements * per_state * (game.states or 0)
        return learning + self.opponents.seconds(options.text("opponent"), game)


class Row(NamedTuple):
    """What was learned of a state, by its legal moves in their order."""

    numbers: Mapping[Any, float]
    tried: Mapping[Any, int]
    chances: Mapping[Any, float]


@dataclass(frozen=True, eq=False)
class TableAgent(ABC):
    """Plays by what was learned of the moves, and by the fallback in states never met."""

    opponents: Opponents
    game: Game[Any, Any]
    brain: Brain
    looks: bool  # one move ahead in states never met, rather than playing at random

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
        row = self.row(state)
        exhibit = self.exhibit(state, row) if show else None
        if not any(row.tried.values()):
            fallback = one_move_ahead if self.looks else random_move
            return replace(fallback(state, limit, rng, self.facts()), exhibit=exhibit)
        nodes = len(row.chances) if self.depth else 1
        return conclude(
            [self.candidate(move, row) for move in row.chances],
            lambda move: self.reason(state, move, row),
            rng,
            evidence=[*self.evidence(state, row), *self.facts()],
            effort=Effort(nodes, self.depth, perf_counter() - begun),
            measure=self.measure,
            exhibit=exhibit,
        )

    def worths(self, state: State[Any]) -> dict[Any, float]:
        """What moves are worth to the side to move, -1 to 1, for a search; empty if never met."""
        row = self.row(state)
        if not any(row.tried.values()):
            return {}
        return {move: min(1.0, max(-1.0, number)) for move, number in row.numbers.items()}

    @abstractmethod
    def row(self, state: State[Any]) -> Row:
        """What was learned of this state; nothing where no play from the start leads to it."""

    @abstractmethod
    def candidate(self, move: Any, row: Row) -> Candidate[Any]: ...

    @abstractmethod
    def reason(self, state: State[Any], move: Any, row: Row) -> str: ...

    @abstractmethod
    def evidence(self, state: State[Any], row: Row) -> Iterable[Fact]: ...

    @property
    @abstractmethod
    def coverage(self) -> str:
        """A sentence on how much of the game it has met."""

    def facts(self) -> list[Fact]:
        """Evidence on how the agent was trained."""
        return [
            Fact("games learned from", self.brain.steps),
            Fact("trained against", str(self.brain.parameters.get("opponent", "self"))),
        ]

    def highest(self, row: Row) -> float:
        """The end of the scale on which the exhibit draws the numbers."""
        return 1.0

    def exhibit(self, state: State[Any], row: Row) -> Exhibit:
        """The numbers of the position, highest first; None for moves never tried."""
        numbers = [
            LearnedNumber(str(move), row.numbers[move] if tried else None, tried)
            for move in state.legal_moves()
            for tried in (row.tried.get(move, 0),)
        ]

        def order(number: LearnedNumber) -> tuple[bool, float]:
            return number.value is None, -(number.value or 0.0)

        return Numbers(
            numbers=tuple(sorted(numbers, key=order)),
            name=self.name,
            says=self.says,
            high=self.highest(row),
            known=self.coverage,
            course=curve_of(self.opponents, self.brain, self.game),
        )


@dataclass(frozen=True, eq=False)
class EdgeAgent(TableAgent):
    """Plays the edge with the highest learned number."""

    graph: Graph
    numbers: NDArray[Any]  # [edge]
    tried: NDArray[np.int32]  # [edge] -> how often in training

    def row(self, state: State[Any]) -> Row:
        at = self.graph.tables.number.get(state)
        if at is None:
            return Row({}, {}, {})
        edges = self.graph.edges(at)
        return row_of(state, self.numbers[edges], self.tried[edges], self.chances[edges])

    @cached_property
    def chances(self) -> NDArray[np.float64]:
        return greedy_chances(self.graph, self.numbers, self.tried, self.looks)

    @cached_property
    def coverage(self) -> str:
        met, playing = self.graph.total(self.tried) > 0, ~self.graph.tables.over
        return f"It has met {(met & playing).sum():,} of the {playing.sum():,} positions there are."


@dataclass(frozen=True)
class EdgeLearner(TabularLearner):
    """Learns a number for every edge, and how often it was tried."""

    number: ClassVar[str]  # the name of the array
    dtype: ClassVar[DTypeLike]
    player: ClassVar[type[EdgeAgent]]

    def table(self, game: Game[Any, Any]) -> Arrays:
        edges = len(graph_of(game).state)
        return {self.number: np.zeros(edges, self.dtype), "tried": np.zeros(edges, np.int32)}

    def by_edge(self, game: Game[Any, Any], table: Arrays) -> tuple[NDArray[Any], NDArray[Any]]:
        """([edge] -> its number, [edge] -> how often it was tried)."""
        return table[self.number], table["tried"]

    def chances(
        self, game: Game[Any, Any], table: Arrays, looks: bool = True
    ) -> NDArray[np.float64]:
        return greedy_chances(graph_of(game), *self.by_edge(game, table), looks)

    def agent(self, game: Game[Any, Any], brain: Brain, options: Values) -> Agent[Any, Any]:
        by_edge = self.by_edge(game, self.read(game, brain))
        looks = looks_ahead(options, brain)
        player = self.player(self.opponents, game, brain, looks, graph_of(game), *by_edge)
        return searched(game, player, options) if "search" in options else player


def row_of(
    state: State[Any], numbers: NDArray[Any], tried: NDArray[Any], chances: NDArray[Any]
) -> Row:
    """The row of a state from the figures of its edges."""
    columns = (numbers.tolist(), tried.tolist(), chances.tolist())
    return Row(*(dict(zip(state.legal_moves(), column, strict=True)) for column in columns))


def greedy_chances(
    graph: Graph, numbers: NDArray[Any], tried: NDArray[np.int32], looks: bool
) -> NDArray[np.float64]:
    """[edge] -> its chance: that of the highest numbers, or the fallback's in states never met."""
    met = graph.total(tried) > 0
    fallback = graph.fallback if looks else graph.evenly(np.ones(len(numbers), np.bool_))
    return np.where(met[graph.state], graph.evenly(graph.best_of(numbers)), fallback)


def clipped(number: float, tried: int) -> float | None:
    """A learned number as a move's value; None where it was never tried."""
    return min(1.0, max(-1.0, number)) if tried else None


def tries_text(number: int) -> str:
    """A count as text: `one try`, `1,234 tries`."""
    return "one try" if number == 1 else f"{number:,} tries"


def comparison(move: object, figures: Mapping[Any, float]) -> str:
    """A move compared with the others as text: `the next best, a1, −0.30.`"""
    own = figures[move]
    others = {other: figure for other, figure in figures.items() if other != move}
    if not others:
        return "it is the only legal move."
    rival = max(others, key=lambda other: others[other])
    if others[rival] == own:
        alike = sum(figure == own for figure in figures.values())
        return f"{alike} of {len(figures)} moves look equal, and it picked one."
    if signed(others[rival]) == signed(own):
        return f"just ahead of {rival}."
    return f"the next best, {rival}, {signed(others[rival])}."
