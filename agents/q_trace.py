"""One training game of the Q-learner, update by update: the game its kernel plays next.

The same steps as `qlearning.learn` in Python, with the same random numbers, so that what is shown
is what the learner does; a test compares the tables afterwards.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.compute.rng import new_stream, random, seed_stream
from agents.errors import UnsuitableAgentError
from agents.learning.qlearning import END, KEY, SQUARES, QLearner, QTable, any_state, share
from agents.roster import load_agent, read_agent
from agents.tabular.graph import Edges, draw, graph_of
from agents.training.loop import kernel_seed
from engine.core import Game, Seat

MAX_AHEAD = 10_000  # games after those of a brain


@dataclass(frozen=True, slots=True)
class Update:
    """One update: Q(s, a) before and after, and what it was made of."""

    ply: int  # of the game, from 0
    before: float
    reward: float
    best_next: float  # max Q(s', .); 0 where the game ends before the learner moves again
    after: float
    ends: bool  # there is no s'


@dataclass(frozen=True, slots=True)
class Ply:
    """One move of the game."""

    state: str
    move: str
    learns: bool  # whether the learner made it
    explored: bool  # drawn at random, not the highest Q
    why_not: str = ""  # why Q was not updated


@dataclass(frozen=True, slots=True)
class Episode:
    """One game, and its updates in the order in which they were made: from the last move back."""

    number: int  # in its training, from 1
    alpha: float
    gamma: float
    epsilon: float
    plies: tuple[Ply, ...]
    end: str  # the last state
    result: int  # for the first seat
    updates: tuple[Update, ...]


class Replay:
    """The state of a training: its table, to go on from."""

    def __init__(self, spec: str, game: Game[Any, Any], ahead: int) -> None:
        """Raises UnsuitableAgentError where the agent has no table of Q."""
        agent = load_agent(spec, game).agent
        if not isinstance(agent, QLearner):
            raise UnsuitableAgentError(f"{spec} keeps no table of Q for this game")
        brain, self.game, self.graph = agent.brain, game, graph_of(game)
        _, usual = read_agent(KEY, game)
        options = usual.but(dict(brain.parameters))
        self.learner = QTable(agent.opponents)
        self.table = {name: array.copy() for name, array in agent.brain.arrays.items()}
        self.odds = agent.opponents.odds(options.text("opponent"), game, self.learner.alone)
        self.seed, self.first = kernel_seed(brain.seed), brain.steps
        self.parameters = self.learner.parameters(game, options)
        self.learn(min(ahead, MAX_AHEAD))

    def learn(self, games: int) -> None:
        """Let the kernel learn from the next games."""
        if games:
            span = (self.first, games, self.seed)
            most = self.graph.max_plies
            parts = (*self.table.values(), *span, *self.parameters, most)
            self.learner.update(self.graph.board, self.odds, *parts)
            self.first += games

    def next_game(self) -> Episode:
        """The next game; the table is changed by it."""
        drawn, alpha, half, gamma, epsilon, shape, anywhere = self.parameters
        board, q, tried = self.graph.board, self.table["q"], self.table["tried"]
        rng, alone = new_stream(), len(self.odds) == 0
        seed_stream(rng, self.seed, self.first)
        rate = alpha / (1.0 + self.first / half)
        seat = int(random(rng) < 0.5)
        state = any_state(board, rng) if anywhere and random(rng) < 0.5 else 0
        begun, path, explored = state, list[int](), list[bool]()
        while not board.over[state] and len(path) < self.graph.max_plies:
            own = alone or len(path) % 2 == seat
            if not own:
                edge, at_random = draw(board, self.odds, state, rng), False
            elif at_random := random(rng) < epsilon:
                here, end = board.first[state], board.first[state + 1]
                edge = int(here + random(rng) * (end - here))
            else:
                edge = _greedy(board, q, state)
            path.append(edge)
            explored.append(at_random)
            state = int(board.after[edge])
        plies, over = len(path), bool(board.over[state])
        updates, why_not = [], [""] * plies
        for ply in range(plies - 1, -1, -1):
            edge = path[ply]
            if not alone and ply % 2 != seat:
                continue
            if ply + 1 == plies and not over:
                why_not[ply] = "not learned from: the game was cut off"
                continue
            if (
                alone
                and ply + 1 < plies
                and q[path[ply + 1]] < _highest(board, q, board.after[edge])
            ):
                why_not[ply] = "not learned from: the reply was explored"
                continue
            result = int(board.outcome[state]) * (1 if (plies - ply) % 2 == 0 else -1)
            drew = result == 0 and over
            pay = float(drawn[edge]) if drew else float(result)
            reward = pay * share(ply, plies, END if drew and shape == SQUARES else shape)
            future = _highest(board, q, board.after[path[ply + 1]]) if ply + 1 < plies else 0.0
            before = float(q[edge])
            tried[edge] += 1
            q[edge] = (1.0 - rate) * before + rate * (reward + gamma * future)
            ends = ply + 2 >= plies
            updates.append(Update(ply, before, reward, future, float(q[edge]), ends))
        self.first += 1
        return Episode(
            number=self.first,
            alpha=float(rate),
            gamma=float(gamma),
            epsilon=float(epsilon),
            plies=self._plies(begun, path, explored, why_not, seat, alone=alone),
            end=str(self.graph.tables.states[state]),
            result=self._result(state),
            updates=tuple(updates),
        )

    def _plies(
        self,
        begun: int,
        path: list[int],
        explored: list[bool],
        why_not: list[str],
        seat: int,
        *,
        alone: bool,
    ) -> tuple[Ply, ...]:
        found, at = [], begun
        for ply, edge in enumerate(path):
            state = self.graph.tables.states[at]
            move = state.legal_moves()[edge - int(self.graph.board.first[at])]
            own = alone or ply % 2 == seat
            found.append(Ply(str(state), str(move), own, explored[ply], why_not[ply]))
            at = int(self.graph.board.after[edge])
        return tuple(found)

    def _result(self, state: int) -> int:
        outcome = self.graph.tables.states[state].outcome()
        return 0 if outcome is None else outcome.score(Seat.FIRST)


def _greedy(board: Edges, q: NDArray[np.float32], state: int) -> int:
    """The first edge with the highest Q."""
    here, end = int(board.first[state]), int(board.first[state + 1])
    return here + int(np.argmax(q[here:end]))


def _highest(board: Edges, q: NDArray[np.float32], state: int) -> float:
    """max Q(s, .), and 0 where the game is over."""
    here, end = int(board.first[state]), int(board.first[state + 1])
    return float(q[here:end].max()) if here < end else 0.0


def next_episode(spec: str, game: Game[Any, Any], ahead: int) -> Episode:
    """The game that this agent's training plays `ahead` games after those of its brain."""
    return Replay(spec, game, ahead).next_game()
