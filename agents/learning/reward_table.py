"""A table of rewards: the sum that each move of each state has earned; the highest is played.

The course's rule rewards only the last move of a game (`credit=0`), which never distinguishes
openings; passing on a share of the reward to the moves before it does.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.compute.kernels import kernel
from agents.compute.rng import Stream, random, seed_stream
from agents.core import Candidate, Fact, Measure
from agents.entry import Entry, Technique, only
from agents.formats import signed
from agents.learning.common import (
    UNMET,
    EdgeAgent,
    EdgeLearner,
    Row,
    comparison,
    epsilon_option,
    tries_text,
)
from agents.tabular.graph import Edges, draw
from agents.training.loop import Points, games_option, share_option
from agents.training.opponents import Opponents, opponent_option
from engine.core import Game, State
from engine.entry import Preset
from engine.options import Values

PUBLISHED = (("credit", "0"), ("epsilon", "0"), ("unmet", "random"))
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
    max_plies: int,
) -> None:
    """Play games; after each, reward the learner's last move, and the moves before it by shares."""
    rng = np.zeros(1, np.uint64)
    path = np.empty(max_plies, np.int32)  # [ply] -> edge
    for game in range(first, first + games):
        seed_stream(rng, seed, game)
        seat = int(random(rng) < 0.5)
        state = plies = 0
        while not board.over[state] and plies < max_plies:
            if plies % 2 == seat:
                path[plies] = choose(board, earned, state, epsilon, rng)
            else:
                path[plies] = draw(board, odds, state, rng)
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
    board: Edges, earned: NDArray[np.float64], state: int, epsilon: float, rng: Stream
) -> int:
    """A random edge with chance epsilon, else a random one of those that have earned most."""
    here, end = board.first[state], board.first[state + 1]
    if random(rng) < epsilon:
        return int(here + random(rng) * (end - here))
    best, alike = here, 1
    for edge in range(here + 1, end):
        if earned[edge] > earned[best]:
            best, alike = edge, 1
        elif earned[edge] == earned[best]:
            alike += 1
            if random(rng) * alike < 1.0:  # reservoir sampling: each of them as likely
                best = edge
    return int(best)


@dataclass(frozen=True, eq=False)
class RewardTable(EdgeAgent):
    """Plays the move that has earned most."""

    name = "pay"
    says = "Pay is all that a move has earned here: it is no value, and grows with every game."
    measure = Measure.PAY

    def candidate(self, move: Any, row: Row) -> Candidate[Any]:
        earned = row.numbers[move]
        share = (1 + earned / self.highest(row)) / 2
        return Candidate(move, chance=row.chances[move], share=share, figure=earned, line=(move,))

    def reason(self, state: State[Any], move: Any, row: Row) -> str:
        tried = row.tried[move]
        text = f"{move} has earned {signed(row.numbers[move])} in {tries_text(tried)} here"
        if not tried:
            text = f"{move} was never tried here and has earned nothing"
        return f"{text}; {comparison(move, row.numbers)}"

    def evidence(self, state: State[Any], row: Row) -> list[Fact]:
        earned = [Fact(f"earned by {move}", round(pay, 2)) for move, pay in row.numbers.items()]
        return [Fact("times met", sum(row.tried.values())), *earned]

    def highest(self, row: Row) -> float:
        return max(map(abs, row.numbers.values()), default=0.0) or 1.0


@dataclass(frozen=True)
class Rewards(EdgeLearner):
    """Learns the sum earned by every legal move of every state."""

    key = "reward-table"
    remembered = (UNMET.name,)
    reference = "opportunist"
    points = Points(evenly=2_000)
    alone = False
    number, dtype, player = "earned", np.float64, RewardTable
    update = staticmethod(learn)

    def parameters(self, game: Game[Any, Any], options: Values) -> tuple[Any, ...]:
        return options.number("credit"), options.number("epsilon")


def entry(opponents: Opponents) -> Entry:
    return Rewards(opponents).entry(
        title="Reward table",
        technique=Technique.LEARNING,
        order=2,
        description=(
            "Pays the moves of a won game, fines those of a lost one, and plays the best paid. "
            "It trained against someone who takes every win, so it has learned to block."
        ),
        options=(
            games_option(100_000),
            opponent_option("opportunist"),
            share_option("credit", 0.3, "share of a move's pay that the move before it gets"),
            epsilon_option(0.3),
            UNMET,
        ),
        presets=(Preset("published", "as the course published it", PUBLISHED),),
        refuses=only("tictactoe"),
    )
