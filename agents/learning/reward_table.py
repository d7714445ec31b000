"""A table of rewards: the sum that each move of each state has earned; the highest is played.

The course's rule rewards only the last move of a game (`credit=0`), which never distinguishes
openings; passing on a share of the reward to the moves before it does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.compute.kernels import kernel
from agents.compute.rng import Luck, random, seed_stream
from agents.core import Candidate, Fact, Measure
from agents.formats import signed
from agents.learning.common import TableAgent, comparison, greedy_chances, tries_text
from agents.tabular.graph import Edges, Graph, draw, graph_of
from agents.training.brains import Brain
from agents.training.loop import Lessons, Points, begin, course, kernel_seed, resumed
from agents.training.opponents import Opponents
from agents.training.trainer import Checkpoint
from engine.core import Game, State
from engine.options import Values

KEY = "reward-table"
REFERENCE = "opportunist"
POINTS = Points(evenly=2_000)
SAYS = "Pay is all that a move has earned here: it is no value, and grows with every game."
WIN, LOSS = 2.0, -1.0  # the reward of the last move


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
    """Play games; after each, reward the learner's last move, and the moves before it by shares."""
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
    """A random edge with chance epsilon, else a random one of those that have earned most."""
    here, end = board.first[state], board.first[state + 1]
    if random(luck) < epsilon:
        return int(here + random(luck) * (end - here))
    best, alike = here, 1
    for edge in range(here + 1, end):
        if earned[edge] > earned[best]:
            best, alike = edge, 1
        elif earned[edge] == earned[best]:
            alike += 1
            if random(luck) * alike < 1.0:  # reservoir sampling: each of them as likely
                best = edge
    return int(best)


def train(
    opponents: Opponents,
    game: Game[Any, Any],
    options: Values,
    seed: int,
    resume: Brain | None = None,
) -> Iterator[Checkpoint]:
    """Train a table with the sum earned by every legal move of every state."""
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

    def learn_games(first: int, games: int) -> None:
        learn(graph.board, odds, earned, tried, first, games, root, credit, epsilon, graph.cap)

    def measure() -> dict[str, float]:
        return opponents.results(
            REFERENCE, game, graph.spread_out(greedy_chances(graph, earned, tried))
        )

    lessons = Lessons(learn_games, measure, lambda: {"earned": earned, "tried": tried})
    return course(brain, total, POINTS, lessons)


def read(brain: Brain, graph: Graph) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
    """(earned, tried) by edge; raises UnsuitableBrainError."""
    edges = (len(graph.state),)
    return brain.array("earned", edges, np.float64), brain.array("tried", edges, np.int32, low=0)


@dataclass(frozen=True, eq=False)
class RewardTable(TableAgent):
    """Plays the move that has earned most."""

    name = "pay"
    says = SAYS
    measure = Measure.PAY

    @classmethod
    def of(cls, opponents: Opponents, game: Game[Any, Any], brain: Brain) -> RewardTable:
        graph = graph_of(game)
        return cls(opponents, graph, brain, *read(brain, graph))

    def candidate(
        self, move: Any, chance: float, numbers: Mapping[Any, float], tried: Mapping[Any, int]
    ) -> Candidate[Any]:
        earned = numbers[move]
        share = (1 + earned / self.highest(numbers)) / 2
        return Candidate(move, chance=chance, share=share, figure=earned, line=(move,))

    def reason(
        self,
        state: State[Any],
        move: Any,
        numbers: Mapping[Any, float],
        tried: Mapping[Any, int],
    ) -> str:
        text = f"{move} has earned {signed(numbers[move])} in {tries_text(tried[move])} here"
        if not tried[move]:
            text = f"{move} was never tried here and has earned nothing"
        return f"{text}; {comparison(move, numbers, 'moves earned')}"

    def evidence(self, numbers: Mapping[Any, float], tried: Mapping[Any, int]) -> list[Fact]:
        earned = [Fact(f"earned by {move}", round(pay, 2)) for move, pay in numbers.items()]
        return [Fact("times met", sum(tried.values())), *earned]

    def highest(self, numbers: Mapping[Any, float]) -> float:
        return max(map(abs, numbers.values()), default=0.0) or 1.0
