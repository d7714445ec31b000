"""The exhibit of Monte Carlo tree search: its results after 1, 2, 5 … games, and its tree."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count
from sys import intern
from typing import Any

from agents.exhibits import Offer, Sample, SampledNode, Samples

MAX_TREE_NODES = 600  # shown, not counting the children of the last one opened
PROVEN_WORDS = {1: "win", 0: "draw", -1: "loss"}


def milestones() -> Iterator[int]:
    """1, 2, 5, 10, 20, 50 …: the numbers of games after which results are recorded."""
    return (times * 10**power for power in count() for times in (1, 2, 5))


@dataclass(frozen=True, slots=True)
class TreeChild:
    """A child in a search tree: the moves that lead to it and the results of its games."""

    node: Any
    moves: tuple[Any, ...]
    visits: int
    mean: float  # for the side that moves to it
    proven: str


def tree_nodes(
    state: Any, root: Any, children_of: Callable[[Any, Any], Iterable[TreeChild]]
) -> tuple[SampledNode, ...]:
    """The tree below a state, the most visited positions opened first.

    `children_of(state, node)` takes the state on this path, since transpositions and mirror images
    share a node. A position is opened with all of its children, and never below itself.
    """
    tree: list[SampledNode] = []
    waiting = [(0, -1, state, root, frozenset({root}))]
    while waiting and len(tree) < MAX_TREE_NODES:
        _, above, position, node, path = heappop(waiting)
        for child in sorted(children_of(position, node), key=lambda child: -child.visits):
            moves = tuple(intern(str(move)) for move in child.moves)  # equal strings pickle once
            tree.append(SampledNode(above, moves, child.visits, child.mean, child.proven))
            if child.node not in path:
                after, below = position.play(child.moves[0]), path | {child.node}
                heappush(waiting, (-child.visits, len(tree) - 1, after, child.node, below))
    return tuple(tree)


def samples_of(
    stages: dict[int, tuple[Sample, ...]], simulations: int, tree: tuple[SampledNode, ...]
) -> Samples:
    """The exhibit, with the results at each milestone and offers of longer searches."""
    return Samples(
        tree=tree,
        stages=tuple(stages.items()),
        more=tuple(
            Offer(label, (("simulations", str(number)),))
            for label, number in (
                ("100 more", simulations + 100),
                ("ten times as many", simulations * 10),
            )
        ),
    )
