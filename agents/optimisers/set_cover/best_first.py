"""Best-first searches with room to grow: the state between two slices is trimmed arrays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from agents.optimisers.entry import Arrays
from agents.optimisers.set_cover.best_first_kernel import (
    DEEP,
    ESTIMATE,
    SHALLOW,
    Frontier,
    expand,
    pop,
    rehash,
)
from agents.optimisers.set_cover.ledger import (
    ENDED,
    EXPANDED,
    LEDGER_LENGTHS,
    MOST_NODES,
    NODES,
    NONE,
    WAITING,
    grown,
    ledger_of,
    new_ledger,
    trimmed,
)
from agents.optimisers.set_cover.sets import (
    AVERAGE,
    GAIN,
    GAINS,
    LARGEST,
    NO_ESTIMATE,
    estimated,
    sets_of,
)
from engine.problems.set_cover import SetCover

LENGTHS = LEDGER_LENGTHS | {"covered": NODES, "closed": NODES, "heap": WAITING}


@dataclass(frozen=True, slots=True)
class BestFirst:
    """Takes up what has the least f; which that is makes it one search or another."""

    f_is: int
    estimate: int = NO_ESTIMATE
    rarest: bool = False
    early: bool = False  # the first cover made will do
    proves: bool = True

    def begin(self, problem: SetCover) -> Arrays:
        sets, ledger = sets_of(problem), new_ledger()
        if self.estimate != NO_ESTIMATE:
            ledger.ahead[0] = estimated(sets, sets.everything, self.estimate)
        return {
            **ledger._asdict(),
            "covered": np.zeros((1, len(sets.everything)), np.int64),
            "closed": np.zeros(1, np.uint8),
            "heap": np.zeros(1, np.int32),
        }

    def advance(self, problem: SetCover, state: Arrays, most: int) -> Arrays:
        sets = sets_of(problem)
        until = int(state["tally"][EXPANDED]) + most
        state = {**state, "tally": state["tally"].copy()}
        tally = state["tally"]
        while tally[EXPANDED] < until and not tally[ENDED]:
            roomy = grown(state, LENGTHS, len(sets.masks))
            ledger = ledger_of(roomy)
            frontier = Frontier(
                roomy["covered"], roomy["heap"], roomy["closed"], _slots(len(ledger.parent))
            )
            rehash(frontier, int(tally[NODES]))
            expand(
                sets,
                ledger,
                frontier,
                self.f_is,
                self.estimate,
                self.rarest,
                self.early,
                until - int(tally[EXPANDED]),
                MOST_NODES,
            )
            state = trimmed(roomy, LENGTHS)
        return state

    def front(self, state: Arrays, most: int) -> tuple[int, ...]:
        """The nodes that would be taken up next, without those reached by fewer sets since."""
        ledger = ledger_of(state | {"tally": state["tally"].copy()})
        heap, covered = state["heap"].copy(), state["covered"]
        found: list[int] = []
        while len(found) < most and ledger.tally[WAITING]:
            node = pop(ledger, heap, self.f_is)
            if not (covered[node + 1 :] == covered[node]).all(axis=1).any():
                found.append(node)
        return tuple(found)


def _slots(nodes: int) -> NDArray[np.int32]:
    return np.full(1 << (2 * nodes - 1).bit_length(), NONE, np.int32)


ESTIMATES = {"largest": LARGEST, "gain": GAIN, "gains": GAINS, "average": AVERAGE}
ADMISSIBLE = ("largest", "gain", "gains")


def astar(estimate: str, branch: str) -> BestFirst:
    """The search with one of these estimates, branching on all sets or on the rarest thing."""
    return BestFirst(
        ESTIMATE,
        ESTIMATES[estimate],
        rarest=branch == "rarest",
        proves=estimate in ADMISSIBLE,
    )


def breadth_first() -> BestFirst:
    """It may stop at the first cover it makes: nothing that waits has fewer sets."""
    return BestFirst(SHALLOW, early=True)


def depth_first() -> BestFirst:
    """It stops at the first cover it makes, whatever that is."""
    return BestFirst(DEEP, early=True, proves=False)
