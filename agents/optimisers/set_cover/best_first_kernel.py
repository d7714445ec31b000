"""Best-first search over covers: expand the node with the least f, then the least h, then the
oldest. With f = g that is breadth first, with f = -g depth first, with f = g + h A*."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.compute.kernels import kernel
from agents.optimisers.set_cover.ledger import (
    COVERED,
    ENDED,
    EXPANDED,
    FULL,
    GENERATED,
    GOAL,
    NODES,
    NONE,
    REOPENED,
    STEPS,
    STUCK,
    WAITING,
    Ledger,
)
from agents.optimisers.set_cover.sets import NO_ESTIMATE, Sets, Words, estimated

# f: g, -g or g + h.
SHALLOW, DEEP, ESTIMATE = range(3)
HASH_FACTOR = 0x9E3779B97F4A7C1  # odd; spreads similar words


class Frontier(NamedTuple):
    """The open nodes, and a table of all nodes by what they cover."""

    covered: Words  # [node, word] -> things
    heap: NDArray[np.int32]  # open nodes, the next one first
    closed: NDArray[np.uint8]  # [node] -> whether it was expanded
    slots: NDArray[np.int32]  # [hash of the things covered] -> node, NONE: free


@kernel
def rank(ledger: Ledger, node: int, f_is: int) -> int:
    """f of a node."""
    if f_is == SHALLOW:
        return int(ledger.depth[node])
    if f_is == DEEP:
        return -int(ledger.depth[node])
    return int(ledger.depth[node]) + int(ledger.ahead[node])


@kernel
def before(ledger: Ledger, one: int, other: int, f_is: int) -> bool:
    """Whether one is expanded before the other."""
    difference = rank(ledger, one, f_is) - rank(ledger, other, f_is)
    if difference == 0:
        difference = ledger.ahead[one] - ledger.ahead[other]
    return difference < 0 or (difference == 0 and one < other)


@kernel
def push(ledger: Ledger, heap: NDArray[np.int32], node: int, f_is: int) -> None:
    at = ledger.tally[WAITING]
    ledger.tally[WAITING] += 1
    while at > 0 and before(ledger, node, heap[(at - 1) // 2], f_is):
        heap[at] = heap[(at - 1) // 2]
        at = (at - 1) // 2
    heap[at] = node


@kernel
def pop(ledger: Ledger, heap: NDArray[np.int32], f_is: int) -> int:
    first = heap[0]
    ledger.tally[WAITING] -= 1
    waiting = ledger.tally[WAITING]
    node, at = heap[waiting], 0
    while 2 * at + 1 < waiting:
        child = 2 * at + 1
        if child + 1 < waiting and before(ledger, heap[child + 1], heap[child], f_is):
            child += 1
        if before(ledger, node, heap[child], f_is):
            break
        heap[at] = heap[child]
        at = child
    heap[at] = node
    return int(first)


@kernel
def same(one: Words, other: Words) -> bool:
    for at in range(len(one)):  # noqa: SIM110 - numba compiles no generator
        if one[at] != other[at]:
            return False
    return True


@kernel
def slot_of(frontier: Frontier, covered: Words) -> int:
    """The slot of the node that covers these things, or the free one it would get."""
    mixed = np.int64(0)
    for word in covered:
        mixed = (mixed ^ word) * HASH_FACTOR
        mixed ^= mixed >> 29
    last = len(frontier.slots) - 1  # a power of two less one
    slot = mixed & last
    while frontier.slots[slot] != NONE:
        if same(frontier.covered[frontier.slots[slot]], covered):
            break
        slot = (slot + 1) & last
    return int(slot)


@kernel
def rehash(frontier: Frontier, nodes: int) -> None:
    """Fill the table; of nodes that cover the same the last, which has the fewest sets."""
    for node in range(nodes):
        frontier.slots[slot_of(frontier, frontier.covered[node])] = node


@kernel
def rarest_missing(sets: Sets, covered: Words) -> int:
    """The missing thing that is in the fewest sets: one of those has to be taken."""
    for thing in sets.rarest:
        if not covered[thing >> 6] >> (thing & 63) & 1:
            return int(thing)
    return NONE


@kernel
def children(
    sets: Sets,
    ledger: Ledger,
    frontier: Frontier,
    node: int,
    f_is: int,
    estimate: int,
    rarest: bool,
    early: bool,
) -> None:
    """Generate the children of a node, except those already reached by as few sets."""
    tally, here = ledger.tally, frontier.covered[node]
    row = sets.rows[rarest_missing(sets, here)]
    child = np.empty(len(here), np.int64)
    for choice in range(len(sets.masks)):
        if rarest and not row[choice >> 6] >> (choice & 63) & 1:
            continue
        for word in range(len(here)):
            child[word] = here[word] | sets.masks[choice, word]
        if same(child, here):
            continue
        tally[GENERATED] += 1
        slot = slot_of(frontier, child)
        known = frontier.slots[slot]
        if known != NONE:
            if ledger.depth[known] <= ledger.depth[node] + 1:
                continue
            tally[REOPENED] += frontier.closed[known]
        made = tally[NODES]
        tally[NODES] += 1
        ledger.parent[made], ledger.took[made] = node, choice
        ledger.depth[made], ledger.ahead[made] = ledger.depth[node] + 1, NONE
        if estimate != NO_ESTIMATE:
            ledger.ahead[made] = estimated(sets, sets.everything & ~child, estimate)
        frontier.covered[made], frontier.closed[made] = child, 0
        frontier.slots[slot] = made
        push(ledger, frontier.heap, made, f_is)
        if early and same(child, sets.everything):
            tally[GOAL], tally[ENDED] = made, COVERED
            return


@kernel
def expand(
    sets: Sets,
    ledger: Ledger,
    frontier: Frontier,
    f_is: int,
    estimate: int,
    rarest: bool,
    early: bool,
    most: int,
    kept: int,
) -> None:
    """Expand up to `most` nodes; return early at a cover, or when the arrays have no room.

    It gives up at `kept` nodes. For `rarest` and `early` see `BestFirst`.
    """
    tally = ledger.tally
    until = tally[EXPANDED] + most
    while tally[EXPANDED] < until and tally[ENDED] == 0:
        if tally[WAITING] == 0:
            tally[ENDED] = STUCK
            return
        if tally[NODES] >= kept:
            tally[ENDED] = FULL
            return
        room = len(ledger.parent) - tally[NODES]
        if room < len(sets.masks) or tally[STEPS] == len(ledger.order):
            return
        node = pop(ledger, frontier.heap, f_is)
        here = frontier.covered[node]
        if frontier.slots[slot_of(frontier, here)] != node:
            continue  # since reached by fewer sets
        if same(here, sets.everything):
            tally[GOAL], tally[ENDED] = node, COVERED
        else:
            tally[EXPANDED] += 1
            frontier.closed[node] = 1
            children(sets, ledger, frontier, node, f_is, estimate, rarest, early)
        step = tally[STEPS]
        ledger.order[step], ledger.waiting[step] = node, tally[WAITING]
        ledger.least[step] = NONE
        if tally[WAITING] > 0:
            ledger.least[step] = rank(ledger, frontier.heap[0], f_is)
        tally[STEPS] += 1
