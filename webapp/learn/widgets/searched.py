"""A small search, recorded: the tree of a position as lessons walk through it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from agents.search.trace import Algorithm, Order, Plan, moves_in, record
from agents.search.trace_view import Spot, Unfolded
from engine.match import Match
from webapp.learn.positions import Position, read_position

WHOLE = 20  # plies: deeper than any tree that a lesson looks at


@dataclass(frozen=True, slots=True)
class Searched:
    """A position and the search from it, to the end."""

    position: Position
    tree: Unfolded

    @property
    def root(self) -> Spot:
        return self.tree.spots(())[0]


@lru_cache(maxsize=32)
def searched(about: str, algorithm: Algorithm, order: Order = Order.BOARD) -> Searched:
    """The textbook search of what a text names."""
    position = read_position(about)
    plan = Plan(algorithm, WHOLE, order)
    recording = record(Match.begin(position.game, position.state), plan)
    moves = moves_in(order, position.game)
    prunes = algorithm is Algorithm.ALPHABETA
    upto = len(recording.end) - 1
    return Searched(position, Unfolded(recording, position.state, moves, upto, prunes))


@lru_cache(maxsize=64)
def counted_nodes(about: str, order: Order) -> dict[Algorithm, int]:
    """How many positions each algorithm looks at."""
    looked = searched(about, Algorithm.ALPHABETA, order).tree.recording.looked_at
    return {algorithm: count or 0 for algorithm, count in looked.items()}
