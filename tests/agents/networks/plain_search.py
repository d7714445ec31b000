"""Tree search written plainly, as a second implementation: nodes are objects, states the engine's.

Without an evaluation the network is uniform and has no value, so that only the search is compared.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import sqrt
from typing import Any

import numpy as np

EXPLORATION, URGENCY = 1.5, 0.2
Evaluate = Callable[[Any], tuple[Mapping[Any, float], float]]  # state -> (policy, value)


def uniform(state: Any) -> tuple[Mapping[Any, float], float]:
    moves = state.legal_moves()
    return {move: float(np.float32(1 / len(moves))) for move in moves}, 0.0  # kernel's precision


class Node:
    """A state in the tree, with its results for the side to move there."""

    def __init__(self, state: Any, path: tuple[Any, ...], game: Any) -> None:
        self.state, self.path, self.game = state, (*path, state), game
        self.visits, self.total = 0, 0.0
        self.children: dict[Any, Node] = {}
        self.proven: float | None = None
        outcome = state.outcome()
        if outcome is not None:
            self.proven = float(outcome.score(state.to_move))
        elif game.repetition and self.path.count(state) >= game.repetition:
            self.proven = 0.0

    def expand(self, evaluate: Evaluate) -> float:
        """Play every move; the value of the state to the network."""
        self.policy, value = evaluate(self.state)
        for move in self.state.legal_moves():
            self.children[move] = Node(self.state.play(move), self.path, self.game)
        self.prove()
        return value

    def prove(self) -> None:
        known = [child.proven for child in self.children.values()]
        if -1.0 in known:
            self.proven = 1.0
        elif known and None not in known:
            self.proven = max(-value for value in known if value is not None)

    def choose(self) -> Node:
        best, highest = None, float("-inf")
        for move, child in self.children.items():
            if child.proven == 1.0:
                continue
            q = self.total / max(1, self.visits) - URGENCY
            if child.proven is not None:
                q = -child.proven
            elif child.visits:
                q = -child.total / child.visits
            share = self.policy[move] / (1 + child.visits)
            score = q + EXPLORATION * sqrt(self.visits) * share
            if score > highest:
                best, highest = child, score
        assert best is not None
        return best


def searched(game: Any, state: Any, simulations: int, evaluate: Evaluate = uniform) -> Node:
    """The root after so many simulations, or once it is proven."""
    root = Node(state, (), game)
    root.total = root.expand(evaluate)
    root.visits = 1
    for _ in range(simulations):
        if root.proven is not None:
            break
        line = [root]
        while line[-1].children and line[-1].proven is None:
            line.append(line[-1].choose())
        leaf, value = line[-1], 0.0
        if leaf.proven is None:
            value = leaf.expand(evaluate)
        value = value if leaf.proven is None else leaf.proven
        for at, node in enumerate(reversed(line)):
            if at:
                node.prove()
                value = -value if node.proven is None else node.proven
            node.visits += 1
            node.total += value
    return root
