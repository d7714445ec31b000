"""A table of rewards: for every state seen, what each move has earned; it plays the highest.

The course's rule pays the last move of a game and no other (`credit=0`). Then nothing ever tells
one opening from another; passing on a share of the pay to the moves before it does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from random import Random
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.compute.kernels import kernel
from agents.compute.rng import Luck, random, seed_stream
from agents.core import Analysis, Candidate, Effort, Fact, Limit, Measure, conclude
from agents.exhibits import Numbers
from agents.formats import signed
from agents.learning.fallback import improvise
from agents.learning.memory import beside, edges_met, numbers_of, positions_met, schooling, tries
from agents.tabular.graph import Edges, Graph, draw, graph_of
from agents.training.brains import Brain
from agents.training.loop import Lessons, Points, begin, course, kernel_seed, resumed
from agents.training.opponents import Opponents
from agents.training.trainer import Checkpoint
from engine.core import Game, State
from engine.options import Values

WIN, LOSS = 2.0, -1.0


@kernel
def learn(
    board: Edges,
    odds: NDArray[np.float64],
    earned: NDArray[np.float64],
    tried: NDArray[np.int32],
    first: int,
    games: int,
    seed: int,
    credit: float,
    epsilon: float,
    cap: int,
) -> None:
    """After each game the learner's last move is paid; each move before it a share of that."""
    luck = np.zeros(1, np.uint64)
    path = np.empty(cap, np.int32)  # [ply] -> edge
    for game in range(first, first + games):
        seed_stream(luck, seed, game)
        seat = int(random(luck) < 0.5)
        state = plies = 0
        while not board.over[state] and plies < cap:
            if plies % 2 == seat:
                path[plies] = choose(board, earned, state, epsilon, luck)
            else:
                path[plies] = draw(board, odds, state, luck)
            state = board.after[path[plies]]
            plies += 1
        last = plies - 1 if (plies - 1) % 2 == seat else plies - 2
        result = board.outcome[state] if (plies - last) % 2 == 0 else -board.outcome[state]
        pay = WIN if result > 0 else LOSS if result < 0 else 0.0
        for ply in range(last, -1, -2):
            earned[path[ply]] += pay
            tried[path[ply]] += 1
            pay *= credit


@kernel
def choose(
    board: Edges, earned: NDArray[np.float64], state: int, epsilon: float, luck: Luck
) -> int:
    """The edge that has earned most, a random one of several; any with chance epsilon."""
    here, end = board.first[state], board.first[state + 1]
    if random(luck) < epsilon:
        return int(here + random(luck) * (end - here))
    best, alike = here, 1
    for edge in range(here + 1, end):
        if earned[edge] > earned[best]:
            best, alike = edge, 1
        elif earned[edge] == earned[best]:
            alike += 1
            if random(luck) * alike < 1.0:  # each of them with the same chance
                best = edge
    return int(best)


KEY = "reward-table"
REFERENCE = "opportunist"
POINTS = Points(evenly=2_000)
SAYS = "Pay is all that a move has earned here: it is no value, and grows with every game."


def train(
    opponents: Opponents,
    game: Game[Any, Any],
    options: Values,
    seed: int,
    resume: Brain | None = None,
) -> Iterator[Checkpoint]:
    """Learn what every move earned, one number per legal move of every state."""
    graph = graph_of(game)
    total = options.integer("games")
    brain = begin(KEY, game, options, seed, REFERENCE)
    earned, tried = np.zeros(len(graph.state)), np.zeros(len(graph.state), np.int32)
    if resume is not None:
        brain = resumed(resume, brain, total)
        old_earned, old_tried = read(brain, graph)
        earned, tried = earned + old_earned, tried + old_tried
    odds = opponents.odds(options.text("opponent"), game, alone=False)
    credit, epsilon = options.number("credit"), options.number("epsilon")
    root = kernel_seed(seed)

    def stretch(first: int, games: int) -> None:
        learn(graph.board, odds, earned, tried, first, games, root, credit, epsilon, graph.cap)

    def measure() -> dict[str, float]:
        return opponents.results(REFERENCE, game, graph.spread_out(chances(graph, earned, tried)))

    lessons = Lessons(stretch, measure, lambda: {"earned": earned, "tried": tried})
    return course(brain, total, POINTS, lessons)


def read(brain: Brain, graph: Graph) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
    """(earned, tried) by edge; raises UnsuitableBrainError."""
    edges = (len(graph.state),)
    return brain.array("earned", edges, np.float64), brain.array("tried", edges, np.int32, low=0)


def chances(
    graph: Graph, earned: NDArray[np.float64], tried: NDArray[np.int32]
) -> NDArray[np.float64]:
    """[edge] -> how it plays: what has earned most, and plain sense where it has never been."""
    met = graph.total(tried) > 0
    return np.where(met[graph.state], graph.evenly(graph.best_of(earned)), graph.sensible)


@dataclass(frozen=True, eq=False)
class RewardTable:
    """Plays the move that has earned most."""

    opponents: Opponents
    graph: Graph
    brain: Brain
    earned: NDArray[np.float64]  # [edge]
    tried: NDArray[np.int32]  # [edge]
    chances: NDArray[np.float64]  # [edge]

    @classmethod
    def of(cls, opponents: Opponents, game: Game[Any, Any], brain: Brain) -> RewardTable:
        graph = graph_of(game)
        earned, tried = read(brain, graph)
        return cls(opponents, graph, brain, earned, tried, chances(graph, earned, tried))

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
            said = improvise(state, limit, rng, schooling(self.brain))
            return replace(said, exhibit=self._numbers(state, {}, {}) if show else None)
        moves = state.legal_moves()
        earned = dict(zip(moves, self.earned[edges].tolist(), strict=True))
        tried = dict(zip(moves, self.tried[edges].tolist(), strict=True))
        met = sum(tried.values())
        most = max(map(abs, earned.values())) or 1.0
        candidates = [
            Candidate(
                move,
                chance=chance,
                share=(1 + earned[move] / most) / 2,
                figure=earned[move],
                line=(move,),
            )
            for move, chance in zip(moves, self.chances[edges].tolist(), strict=True)
        ]
        return conclude(
            candidates,
            lambda move: explain(move, earned, tried),
            rng,
            evidence=[
                Fact("times met", met),
                *(Fact(f"earned by {move}", round(pay, 2)) for move, pay in earned.items()),
                *schooling(self.brain),
            ],
            effort=Effort(nodes=1, seconds=perf_counter() - begun),
            measure=Measure.PAY,
            exhibit=self._numbers(state, earned, tried) if show else None,
        )

    def _numbers(
        self, state: State[Any], earned: Mapping[Any, float], tried: Mapping[Any, int]
    ) -> Numbers:
        return numbers_of(
            self.opponents,
            self.graph.tables.game,
            self.brain,
            state,
            earned,
            tried,
            self._known,
            name="pay",
            says=SAYS,
            high=max(map(abs, earned.values()), default=0.0) or 1.0,
        )

    @cached_property
    def _known(self) -> str:
        return positions_met(self.graph, self.graph.total(self.tried) > 0)


def explain(move: Any, earned: dict[Any, float], tried: dict[Any, int]) -> str:
    """Why this move, from the numbers alone."""
    told = f"{move} has earned {signed(earned[move])} in {tries(tried[move])} here"
    if not tried[move]:
        told = f"{move} was never tried here and has earned nothing"
    return f"{told}; {beside(move, earned, 'moves earned')}"
