"""The nodes and steps of a search over covers, as arrays.

A node is a sequence of sets: its parent's, and one more. Nodes are numbered as they are generated.
A step takes one node from the frontier.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.optimisers.entry import Arrays

# Indices of `tally`.
NODES, STEPS, EXPANDED, GENERATED, WAITING, GOAL, REOPENED, BOUND, ENDED = range(9)
# Values of tally[ENDED].
RUNNING, COVERED, STUCK, FULL = range(4)
NONE = -1
MAX_NODES = 4_000_000  # of one search: about 200 MB
MIN_ROOM = 4_096  # nodes by which the arrays grow
# The arrays of a ledger, each with the index of the tally that is its length.
LEDGER_LENGTHS = {
    "parent": NODES,
    "took": NODES,
    "depth": NODES,
    "ahead": NODES,
    "order": STEPS,
    "waiting": STEPS,
    "least": STEPS,
}


class Ledger(NamedTuple):
    """The arrays that every search over covers has in its state."""

    parent: NDArray[np.int32]  # [node] -> node, NONE for the start
    took: NDArray[np.int16]  # [node] -> the set taken last, NONE where none was
    depth: NDArray[np.int16]  # [node] -> g, sets taken
    ahead: NDArray[np.int16]  # [node] -> h, the estimate of sets still needed; NONE: no estimate
    order: NDArray[np.int32]  # [step] -> the node taken from the frontier
    waiting: NDArray[np.int32]  # [step] -> nodes in the frontier after it
    least: NDArray[np.int16]  # [step] -> the least f of those, NONE where there is none
    tally: NDArray[np.int64]  # [NODES … ENDED]


def new_ledger() -> Ledger:
    """A ledger with the start alone."""
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
    """The sets of a node, in the order in which they were taken."""
    sets: list[int] = []
    while node != NONE:
        if ledger.took[node] != NONE:
            sets.append(int(ledger.took[node]))
        node = int(ledger.parent[node])
    return tuple(reversed(sets))


def expanded(
    state: Arrays,
    lengths: Mapping[str, int],
    sets: int,
    most: int,
    expand: Callable[[Arrays, int], None],
) -> Arrays:
    """The state after at most so many more expansions by `expand(arrays, most)`.

    That writes into arrays with spare room and returns when the room is used up; it is called with
    larger ones until it has expanded enough. `lengths` has the index of each array's length.
    """
    tally = state["tally"].copy()
    until = int(tally[EXPANDED]) + most
    while tally[EXPANDED] < until and not tally[ENDED]:
        room = max(MIN_ROOM, sets) + int(tally[NODES])
        arrays = {
            name: np.concatenate(
                [state[name], np.zeros((room, *state[name].shape[1:]), state[name].dtype)]
            )
            for name in lengths
        } | {"tally": tally}
        expand(arrays, until - int(tally[EXPANDED]))
        state = {name: arrays[name][: tally[at]] for name, at in lengths.items()}
    return {**state, "tally": tally}
