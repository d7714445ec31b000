"""The course's search: breadth first, with the largest sets forced first.

A state is (taken, rest, bar); the bar starts at the number of things. The children of a state are
all sets of the rest with exactly as many things as the bar, and where there is none, the same
state with the bar one lower. It is not A*, and its covers need not be the smallest.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from agents.compute.kernels import kernel
from agents.optimisers.entry import Arrays, cover_search
from agents.optimisers.set_cover.best_first_kernel import same
from agents.optimisers.set_cover.ledger import (
    COVERED,
    ENDED,
    EXPANDED,
    FULL,
    GENERATED,
    GOAL,
    LEDGER_LENGTHS,
    MAX_NODES,
    NODES,
    NONE,
    STEPS,
    STUCK,
    WAITING,
    Ledger,
    expanded,
    ledger_of,
    new_ledger,
)
from agents.optimisers.set_cover.sets import Sets, Words, counted, sets_of
from engine.problems.set_cover import SetCover

LENGTHS = LEDGER_LENGTHS | {"covered": NODES, "bars": NODES}


@kernel
def was_taken(ledger: Ledger, node: int, choice: int) -> bool:
    while node != NONE:
        if ledger.took[node] == choice:
            return True
        node = ledger.parent[node]
    return False


@kernel
def append(ledger: Ledger, parent: int, choice: int) -> int:
    """Add a node to the end of the queue; choice is NONE where only the bar drops."""
    tally = ledger.tally
    made = tally[NODES]
    tally[NODES] += 1
    tally[GENERATED] += 1
    ledger.parent[made], ledger.took[made] = parent, choice
    ledger.depth[made], ledger.ahead[made] = ledger.depth[parent] + (choice != NONE), NONE
    return int(made)


@kernel
def expand(
    sets: Sets, ledger: Ledger, covered: Words, bars: NDArray[np.int16], most: int, kept: int
) -> None:
    """Expand up to `most` nodes; return early at a cover, or when the arrays have no room.

    It gives up at `kept` nodes.
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
                    made = append(ledger, node, choice)
                    covered[made], bars[made] = covered[node] | sets.masks[choice], bar
            if tally[NODES] == before and bar > 1:
                made = append(ledger, node, NONE)
                covered[made], bars[made] = covered[node], bar - 1
        tally[STEPS] += 1
        tally[WAITING] = tally[NODES] - tally[STEPS]
        ledger.order[node], ledger.waiting[node] = node, tally[WAITING]
        ledger.least[node] = NONE


@dataclass(frozen=True, slots=True)
class CourseCover:
    """The search as the course published it, with its steps recorded."""

    proves: bool = False

    def begin(self, problem: SetCover) -> Arrays:
        return {
            **new_ledger()._asdict(),
            "covered": np.zeros((1, len(sets_of(problem).everything)), np.int64),
            "bars": np.array([problem.things], np.int16),
        }

    def advance(self, problem: SetCover, state: Arrays, most: int) -> Arrays:
        sets = sets_of(problem)

        def fill(arrays: Arrays, left: int) -> None:
            expand(sets, ledger_of(arrays), arrays["covered"], arrays["bars"], left, MAX_NODES)

        return expanded(state, LENGTHS, len(sets.masks), most, fill)


ENTRIES = (
    cover_search(
        key="course",
        title="The course’s",
        order=5,
        description=(
            "Breadth first, with the largest sets forced first, as students published it. "
            "Not A*, and not always the fewest."
        ),
        make=lambda _: CourseCover(),
    ),
)
