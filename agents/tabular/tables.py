"""A small game as arrays, for the exact solver, tabular learners and kernels."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.core import Agent, Limit
from agents.errors import TooLargeError
from engine.catalog import load_game
from engine.core import Game

BUDGET = 200_000  # states


@dataclass(frozen=True, eq=False)
class Tables:
    """The reachable states, numbered from the root, state 0; moves as in `Game.all_moves`."""

    game: Game[Any, Any]
    states: tuple[Any, ...]
    number: dict[Any, int]  # state -> its number
    move_number: dict[Any, int]  # move -> its number
    successor: NDArray[np.int32]  # [state, move] -> state, -1 where illegal
    over: NDArray[np.bool_]  # [state]
    outcome: NDArray[np.int8]  # [state] -> +1, 0, -1 for the side to move; 0 where not over
    mover: NDArray[np.int8]  # [state] -> seat

    @property
    def legal(self) -> NDArray[np.bool_]:
        """[state, move] -> whether it is legal."""
        return self.successor >= 0

    def canonical(self) -> NDArray[np.int32]:
        """[state] -> the lowest number of the states symmetric to it."""
        images = [
            [self.number[symmetry.state(state)] for state in self.states]
            for symmetry in self.game.symmetries
        ]
        return np.asarray(np.array(images, np.int32).min(axis=0))

    def policy(self, agent: Agent[Any, Any], limit: Limit | None = None) -> NDArray[np.float64]:
        """[state, move] -> the chance that the agent plays it; 0 in finished states."""
        chances = np.zeros(self.successor.shape)
        for at, state in enumerate(self.states):
            if not self.over[at]:
                # The seed does not matter: chances are read, not drawn from.
                analysis = agent.analyse(state, limit=limit or Limit(), rng=Random(0))
                for candidate in analysis.candidates:
                    chances[at, self.move_number[candidate.move]] = candidate.chance
        return chances


def why_too_many(game: Game[Any, Any], most: int, to: str) -> str | None:
    """Why a game has more than `most` states, too many `to` solve or learn, or None.

    Answers by `Game.states`, without counting.
    """
    if game.states is None:
        return f"nobody has said how many positions it has, and {most:,} are the most to {to}"
    if game.states > most:
        return f"{game.states:,} positions are too many to {to}, {most:,} at most"
    return None


def tabulate(game: Game[Any, Any], root: Any = None, budget: int = BUDGET) -> Tables:
    """The tables of a game from its start or another root (cached); raises TooLargeError."""
    return _tabulate(game.spec, str(game.start if root is None else root), budget)


@lru_cache(maxsize=16)
def _tabulate(spec: str, root: str, budget: int) -> Tables:
    game = load_game(spec)
    move_number = {move: at for at, move in enumerate(game.all_moves)}
    states = [game.parse_state(root)]
    number = {states[0]: 0}
    edges: list[tuple[int, int, int]] = []  # state, move, state
    for at, state in enumerate(states):  # grows while it runs: breadth first
        for move in state.legal_moves():
            after = state.play(move)
            if (reached := number.setdefault(after, len(states))) == len(states):
                states.append(after)
                if len(states) > budget:
                    raise TooLargeError(spec, budget)
            edges.append((at, move_number[move], reached))
    successor = np.full((len(states), len(move_number)), -1, dtype=np.int32)
    came_from, moves, went_to = np.array(edges, dtype=np.int32).T
    successor[came_from, moves] = went_to
    return Tables(game, tuple(states), number, move_number, successor, *_endings(states))


def _endings(states: Iterable[Any]) -> tuple[NDArray[np.bool_], NDArray[np.int8], NDArray[np.int8]]:
    outcomes = [(state.outcome(), state.to_move) for state in states]
    over = np.array([outcome is not None for outcome, _ in outcomes])
    score = [outcome.score(seat) if outcome else 0 for outcome, seat in outcomes]
    mover = [int(seat) for _, seat in outcomes]
    return over, np.array(score, dtype=np.int8), np.array(mover, dtype=np.int8)
