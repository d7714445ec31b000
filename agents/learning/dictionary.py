"""What a learner remembers where no table fits: Q of the positions it happened to meet."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np

from agents.training.brains import Brain
from engine.core import Game

REMEMBERED = 4_000  # moves kept at a checkpoint: those tried most, the rest hardly ever come again

Cell = tuple[str, int]  # a canonical state's text, and the number of a move in it


@dataclass(frozen=True, slots=True)
class Folded:
    """A state as the dictionary knows it, turned so that symmetric states look the same."""

    text: str
    moves: dict[int, Any]  # number of the turned move -> the move as it is played here

    @property
    def cells(self) -> list[Cell]:
        return [(self.text, number) for number in self.moves]


def fold(game: Game[Any, Any], state: Any) -> Folded:
    """The state and its moves, seen from the side from which its text comes first."""
    text, symmetry = min(
        ((str(symmetry.state(state)), symmetry) for symmetry in game.symmetries),
        key=lambda seen: seen[0],
    )
    order = _order(game)
    return Folded(text, {order[symmetry.move(move)]: move for move in state.legal_moves()})


@lru_cache(maxsize=8)
def _order(game: Game[Any, Any]) -> dict[Any, int]:
    return {move: at for at, move in enumerate(game.all_moves)}


@dataclass(slots=True)
class Dictionary:
    """Q and how often it was tried, for the cells it has met. Grows while it learns."""

    q: dict[Cell, float] = field(default_factory=dict)
    tried: dict[Cell, int] = field(default_factory=dict)

    @classmethod
    def of(cls, brain: Brain) -> Dictionary:
        """Raises UnsuitableBrainError."""
        q = brain.array("q", (None,), np.float64)
        cells = (len(q),)
        letters = brain.array("texts", (None,), np.uint8, high=127)
        texts = bytes(letters).decode("ascii").split("\n")
        last = len(texts) - 1
        position = brain.array("position", cells, np.int32, low=0, high=last).tolist()
        move = brain.array("move", cells, np.int32, low=0).tolist()
        tried = brain.array("tried", cells, np.int32, low=0).tolist()
        names = [(texts[at], number) for at, number in zip(position, move, strict=True)]
        return cls(dict(zip(names, q.tolist(), strict=True)), dict(zip(names, tried, strict=True)))

    def highest(self, here: Folded) -> float:
        return max((self.q.get(cell, 0.0) for cell in here.cells), default=0.0)

    def greedy(self, here: Folded) -> list[int]:
        """The numbers of the moves with the highest Q; what was never tried counts 0."""
        best = self.highest(here)
        return [move for text, move in here.cells if self.q.get((text, move), 0.0) == best]

    def learn(self, cell: Cell, target: float, alpha: float) -> None:
        """Q(s, a) <- (1 - alpha) Q(s, a) + alpha target."""
        self.q[cell] = (1 - alpha) * self.q.get(cell, 0.0) + alpha * target
        self.tried[cell] = self.tried.get(cell, 0) + 1

    def forget(self) -> None:
        """Keep only what was tried most."""
        kept = sorted(self.q, key=lambda cell: (-self.tried[cell], cell))[:REMEMBERED]
        self.q = {cell: self.q[cell] for cell in kept}
        self.tried = {cell: self.tried[cell] for cell in kept}

    def arrays(self) -> dict[str, Any]:
        texts = sorted({text for text, _ in self.q})
        place = {text: at for at, text in enumerate(texts)}
        return {
            "texts": np.frombuffer("\n".join(texts).encode("ascii"), np.uint8),
            "position": np.array([place[text] for text, _ in self.q], np.int32),
            "move": np.array([move for _, move in self.q], np.int32),
            "q": np.array(list(self.q.values()), np.float64),
            "tried": np.array(list(self.tried.values()), np.int32),
        }
