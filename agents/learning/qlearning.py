"""Q-learning (Watkins 1989) over every state of a small game, by self-play or against anyone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from random import Random
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.core import Analysis, Candidate, Effort, Fact, Limit, conclude
from agents.exhibits import Numbers
from agents.formats import signed
from agents.learning import lasting
from agents.learning.memory import beside, edges_met, known, schooling, tries
from agents.learning.numbers import numbers_of, positions_met
from agents.learning.qkernel import learn
from agents.learning.unmet import guess, improvise
from agents.tabular.graph import Graph, graph_of
from agents.tabular.policies import odds_of
from agents.training.brains import Brain
from agents.training.loop import Lessons, Points, against, begin, course, kernel_seed, resumed
from agents.training.trainer import Checkpoint
from engine.core import Game, State
from engine.options import Values

KEY = "qlearning"
REFERENCE = "random"
GAMES = 2_000_000  # where the options name no number
POINTS = Points(evenly=50_000)
SAYS = "Q is what the games that went on with a move came to, as it has learned: 1 won, −1 lost."
# Where play can go round in circles games are longer and an exact look takes a while.
GAMES_IN_CIRCLES, POINTS_IN_CIRCLES = 1_000_000, Points(evenly=200_000)
NEVER = float("inf")


def train(
    game: Game[Any, Any], options: Values, seed: int, resume: Brain | None = None
) -> Iterator[Checkpoint]:
    """Learn a table with a number for every legal move of every state."""
    graph = graph_of(game)
    edges = len(graph.state)
    total, points = _plan(game, options)
    brain = begin(KEY, game, options, seed, REFERENCE)
    q, tried = np.zeros(edges, np.float32), np.zeros(edges, np.int32)
    if resume is not None:
        brain = resumed(resume, brain, total)
        old_q, old_tried = read(brain, graph)
        q, tried = q + old_q, tried + old_tried
    odds = odds_of(options.text("opponent"), game)
    alpha, gamma, epsilon = (options.number(name) for name in ("alpha", "gamma", "epsilon"))
    # Alpha falls against another's chance moves, so that their noise dies down.
    half = options.number("half") if len(odds) else NEVER
    spread, anywhere = options.text("shape") == "spread", options.text("starts") == "anywhere"
    pays = np.array([options.number("draw_first"), options.number("draw_second")])
    drawn = pays[graph.tables.mover[graph.state]]  # [edge] -> pay of a draw
    root = kernel_seed(seed)

    def stretch(first: int, games: int) -> None:
        learn(
            graph.board, odds, q, tried, drawn, first, games, root,
            alpha, half, gamma, epsilon, spread, anywhere, graph.cap,
        )  # fmt: skip

    def measure() -> dict[str, float]:
        return against(REFERENCE, game, graph.spread_out(chances(graph, q, tried)))

    lessons = Lessons(stretch, measure, lambda: {"q": q, "tried": tried})
    return course(brain, total, points, lessons)


def _plan(game: Game[Any, Any], options: Values) -> tuple[int, Points]:
    """How many games, and where its curve has points."""
    usual, points = (GAMES, POINTS)
    if game.ply_limit is not None:
        usual, points = (GAMES_IN_CIRCLES, POINTS_IN_CIRCLES)
    return options.optional_integer("games") or usual, points


def seconds(game: Game[Any, Any], options: Values) -> float:
    """About how long training takes."""
    return lasting.seconds(game, options, *_plan(game, options))


def read(brain: Brain, graph: Graph) -> tuple[NDArray[np.float32], NDArray[np.int32]]:
    """(q, tried) by edge; raises UnsuitableBrainError."""
    edges = (len(graph.state),)
    return brain.array("q", edges, np.float32), brain.array("tried", edges, np.int32, low=0)


def chances(graph: Graph, q: NDArray[np.float32], tried: NDArray[np.int32]) -> NDArray[np.float64]:
    """[edge] -> how it plays: the highest Q, and plain sense where it has never been."""
    met = graph.total(tried) > 0
    return np.where(met[graph.state], graph.evenly(graph.best_of(q)), graph.sensible)


@dataclass(frozen=True, eq=False)
class QLearner:
    """Plays the move with the highest Q."""

    graph: Graph
    brain: Brain
    q: NDArray[np.float32]  # [edge]
    tried: NDArray[np.int32]  # [edge]
    chances: NDArray[np.float64]  # [edge]
    looks: bool  # one move ahead where it has never been

    @classmethod
    def of(cls, game: Game[Any, Any], brain: Brain, looks: bool = True) -> QLearner:
        graph = graph_of(game)
        q, tried = read(brain, graph)
        return cls(graph, brain, q, tried, chances(graph, q, tried), looks)

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
        edges = edges_met(self.graph, self.tried, state)
        if edges is None:
            facts = schooling(self.brain)
            said = improvise(state, limit, rng, facts) if self.looks else guess(state, rng, facts)
            return replace(said, exhibit=self._numbers(state, {}, {}) if show else None)
        moves = state.legal_moves()
        q = dict(zip(moves, self.q[edges].tolist(), strict=True))
        tried = dict(zip(moves, self.tried[edges].tolist(), strict=True))
        met = sum(tried.values())
        candidates = [
            Candidate(
                move, known(q[move], tried[move]), chance, share=tried[move] / met, line=(move,)
            )
            for move, chance in zip(moves, self.chances[edges].tolist(), strict=True)
        ]
        return conclude(
            candidates,
            lambda move: explain(move, q, tried),
            rng,
            evidence=[
                Fact("times met", met),
                Fact("moves tried", f"{sum(map(bool, tried.values()))} of {len(moves)}"),
                *schooling(self.brain),
            ],
            effort=Effort(nodes=1, seconds=perf_counter() - begun),
            exhibit=self._numbers(state, q, tried) if show else None,
        )

    def _numbers(
        self, state: State[Any], q: Mapping[Any, float], tried: Mapping[Any, int]
    ) -> Numbers:
        game = self.graph.tables.game
        return numbers_of(game, self.brain, state, q, tried, self._known, name="Q", says=SAYS)

    @cached_property
    def _known(self) -> str:
        return positions_met(self.graph, self.graph.total(self.tried) > 0)


def explain(move: Any, q: dict[Any, float], tried: dict[Any, int]) -> str:
    """Why this move, from the numbers alone."""
    told = f"{move} is worth {signed(q[move])} here after {tries(tried[move])}"
    if not tried[move]:
        told = f"{move} was never tried here and counts {signed(q[move])}"
    return f"{told}; {beside(move, q, 'moves are worth')}"
