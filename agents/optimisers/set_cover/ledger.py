"""What a search over covers has made and taken up so far, as arrays.

A node is a number of sets taken one after the other: the node it was made from, and one more set.
Nodes are numbered as they are made. A step takes one of them up.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.optimisers.entry import Arrays

# Places of `tally`.
NODES, STEPS, EXPANDED, GENERATED, WAITING, GOAL, REOPENED, BOUND, ENDED = range(9)
# What ENDED may be.
RUNNING, COVERED, STUCK, FULL = range(4)
NONE = -1
MOST_NODES = 4_000_000  # kept by one search: about 200 MB


class Ledger(NamedTuple):
    """The arrays that every search over covers has in its state."""

    parent: NDArray[np.int32]  # [node] -> node, NONE for the start
    took: NDArray[np.int16]  # [node] -> the set taken last, NONE where none was
    depth: NDArray[np.int16]  # [node] -> g, sets taken
    ahead: NDArray[np.int16]  # [node] -> h, what is estimated to be needed yet; NONE: no estimate
    order: NDArray[np.int32]  # [step] -> the node taken up
    waiting: NDArray[np.int32]  # [step] -> nodes that wait after it
    least: NDArray[np.int16]  # [step] -> the least f of those, NONE where there is none
    tally: NDArray[np.int64]  # [NODES … ENDED]


def new_ledger() -> Ledger:
    """Only the start, which nothing was taken for."""
    return Ledger(
        np.array([NONE], np.int32),
        np.array([NONE], np.int16),
        np.zeros(1, np.int16),
        np.array([NONE], np.int16),
        np.zeros(0, np.int32),
        np.zeros(0, np.int32),
        np.zeros(0, np.int16),
        np.array([1, 0, 0, 0, 1, NONE, 0, 0, RUNNING], np.int64),
    )


def ledger_of(state: Arrays) -> Ledger:
    """The ledger in a search's state."""
    return Ledger(**{name: state[name] for name in Ledger._fields})


def taken(ledger: Ledger, node: int) -> tuple[int, ...]:
    """The sets that lead to a node, in the order in which they were taken."""
    sets: list[int] = []
    while node != NONE:
        if ledger.took[node] != NONE:
            sets.append(int(ledger.took[node]))
        node = int(ledger.parent[node])
    return tuple(reversed(sets))


class Notes:
    """A ledger that grows, for searches written without kernels."""

    def __init__(self, state: Arrays) -> None:
        self._lists: dict[str, list[Any]] = {name: state[name].tolist() for name in Ledger._fields}
        self._types = {name: state[name].dtype for name in Ledger._fields}
        self.tally: list[int] = self._lists["tally"]

    def node(self, parent: int, took: int, ahead: int = NONE) -> int:
        """The number of a node made from another one."""
        lists = self._lists
        lists["parent"].append(parent)
        lists["took"].append(took)
        lists["depth"].append(lists["depth"][parent] + 1)
        lists["ahead"].append(ahead)
        self.tally[NODES] += 1
        return self.tally[NODES] - 1

    def estimate(self, node: int, ahead: int) -> None:
        self._lists["ahead"][node] = ahead

    def step(self, node: int, waiting: int, least: int = NONE) -> None:
        """That a node was taken up, and what waits after it."""
        self._lists["order"].append(node)
        self._lists["waiting"].append(waiting)
        self._lists["least"].append(least)
        self.tally[STEPS] += 1
        self.tally[WAITING] = waiting

    def end(self, how: int, goal: int = NONE) -> None:
        self.tally[ENDED], self.tally[GOAL] = how, goal

    def arrays(self) -> Arrays:
        return {name: np.array(values, self._types[name]) for name, values in self._lists.items()}


LEAST_ROOM = 4_096
# The arrays of a ledger, each with the place of the tally that says how long it is.
LEDGER_LENGTHS = {
    "parent": NODES,
    "took": NODES,
    "depth": NODES,
    "ahead": NODES,
    "order": STEPS,
    "waiting": STEPS,
    "least": STEPS,
}


def grown(state: Arrays, lengths: Mapping[str, int], sets: int) -> Arrays:
    """These arrays with room for as many nodes again; the tally is shared, and nothing else."""
    room = max(LEAST_ROOM, sets) + int(state["tally"][NODES])
    padded = {
        name: np.concatenate(
            [state[name], np.zeros((room, *state[name].shape[1:]), state[name].dtype)]
        )
        for name in lengths
    }
    return padded | {"tally": state["tally"]}


def trimmed(state: Arrays, lengths: Mapping[str, int]) -> Arrays:
    """Each array as long as the tally says."""
    tally = state["tally"]
    return {name: state[name][: tally[at]] for name, at in lengths.items()} | {"tally": tally}
