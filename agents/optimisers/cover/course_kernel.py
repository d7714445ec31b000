"""One step of the course's search after the other. Nodes are numbered as they come into the queue,
so the number of steps taken is the number of the node whose turn it is."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from agents.compute.kernels import kernel
from agents.optimisers.cover.best_first_kernel import same
from agents.optimisers.cover.ledger import (
    COVERED,
    ENDED,
    EXPANDED,
    FULL,
    GENERATED,
    GOAL,
    NODES,
    NONE,
    STEPS,
    STUCK,
    WAITING,
    Ledger,
)
from agents.optimisers.cover.sets import Sets, Words, counted


@kernel
def was_taken(ledger: Ledger, node: int, choice: int) -> bool:
    while node != NONE:
        if ledger.took[node] == choice:
            return True
        node = ledger.parent[node]
    return False


@kernel
def enter(ledger: Ledger, parent: int, choice: int) -> int:
    """The number of a new node at the end of the queue; NONE for a choice: only the bar drops."""
    tally = ledger.tally
    made = tally[NODES]
    tally[NODES] += 1
    tally[GENERATED] += 1
    ledger.parent[made], ledger.took[made] = parent, choice
    ledger.depth[made], ledger.ahead[made] = ledger.depth[parent] + (choice != NONE), NONE
    return int(made)


@kernel
def queue_up(
    sets: Sets, ledger: Ledger, covered: Words, bars: NDArray[np.int16], most: int, kept: int
) -> None:
    """Take up nodes until so many were expanded, a cover is there, or the arrays have no room.

    With `kept` nodes it gives up, wherever the arrays end.
    """
    tally = ledger.tally
    until = tally[EXPANDED] + most
    while tally[EXPANDED] < until and tally[ENDED] == 0:
        node = tally[STEPS]
        if node == tally[NODES]:
            tally[ENDED] = STUCK
            return
        if tally[NODES] >= kept:
            tally[ENDED] = FULL
            return
        if len(ledger.parent) - tally[NODES] < len(sets.masks):
            return
        if same(covered[node], sets.everything):
            tally[GOAL], tally[ENDED] = node, COVERED
        else:
            tally[EXPANDED] += 1
            before, bar = tally[NODES], bars[node]
            for choice in range(len(sets.masks)):
                if counted(sets.masks[choice]) == bar and not was_taken(ledger, node, choice):
                    made = enter(ledger, node, choice)
                    covered[made], bars[made] = covered[node] | sets.masks[choice], bar
            if tally[NODES] == before and bar > 1:
                made = enter(ledger, node, NONE)
                covered[made], bars[made] = covered[node], bar - 1
        tally[STEPS] += 1
        tally[WAITING] = tally[NODES] - tally[STEPS]
        ledger.order[node], ledger.waiting[node] = node, tally[WAITING]
        ledger.least[node] = NONE
