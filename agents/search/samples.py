"""What Monte Carlo has to show: how the games it played out grew into an opinion, and a tree."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count
from sys import intern
from typing import Any

from agents.exhibits import Offer, Sample, SampledNode, Samples

MOST_NODES = 600  # of a tree that are shown, give or take the last one's answers

SURE = {1: "win", 0: "draw", -1: "loss"}


def milestones() -> Iterator[int]:
    """1, 2, 5, 10, 20, 50 …: after so many games it is worth a look."""
    return (times * 10**power for power in count() for times in (1, 2, 5))


@dataclass(frozen=True, slots=True)
class Met:
    """A node of someone's tree as an answer: the moves that lead to it, and how its games went."""

    node: Any
    moves: tuple[Any, ...]
    visits: int
    mean: float  # for whoever moves to it
    proven: str


def unfolded(
    state: Any, root: Any, answers: Callable[[Any, Any], Iterable[Met]]
) -> tuple[SampledNode, ...]:
    """The tree that grew from a state, the most visited positions opened first.

    `answers` names what was met below a node, given the state that stands for it on this path:
    a node may be shared by lines that come to the same, or to its mirror image. Of a position
    that is opened all answers are there; none is opened again below itself.
    """
    tree: list[SampledNode] = []
    waiting = [(0, -1, state, root, frozenset({root}))]
    while waiting and len(tree) < MOST_NODES:
        _, above, position, node, path = heappop(waiting)
        for met in sorted(answers(position, node), key=lambda met: -met.visits):
            moves = tuple(intern(str(move)) for move in met.moves)  # packed once, though met often
            tree.append(SampledNode(above, moves, met.visits, met.mean, met.proven))
            if met.node not in path:
                after, below = position.play(met.moves[0]), path | {met.node}
                heappush(waiting, (-met.visits, len(tree) - 1, after, met.node, below))
    return tuple(tree)


def samples_of(
    stages: dict[int, tuple[Sample, ...]], simulations: int, tree: tuple[SampledNode, ...]
) -> Samples:
    """The looks taken, what a longer look would be, and the tree that grew."""
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
