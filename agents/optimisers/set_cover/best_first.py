"""Best-first searches over covers: breadth first, depth first and A*."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from agents.optimisers.entry import Arrays, cover_search
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
    LEDGER_LENGTHS,
    MAX_NODES,
    NODES,
    NONE,
    WAITING,
    expanded,
    ledger_of,
    new_ledger,
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
from engine.options import Kind, Option, Values
from engine.problems.set_cover import SetCover

LENGTHS = LEDGER_LENGTHS | {"covered": NODES, "closed": NODES, "heap": WAITING}
ESTIMATES = {"largest": LARGEST, "gain": GAIN, "gains": GAINS, "average": AVERAGE}
ADMISSIBLE = ("largest", "gain", "gains")


@dataclass(frozen=True, slots=True)
class BestFirst:
    """Expands the node with the least f."""

    f_is: int
    estimate: int = NO_ESTIMATE
    rarest: bool = False  # branch only on the sets that have the rarest missing thing
    early: bool = False  # end with the first cover generated, rather than the first expanded
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

        def fill(arrays: Arrays, left: int) -> None:
            ledger = ledger_of(arrays)
            frontier = Frontier(
                arrays["covered"], arrays["heap"], arrays["closed"], _slots(len(ledger.parent))
            )
            rehash(frontier, int(ledger.tally[NODES]))
            expand(
                sets,
                ledger,
                frontier,
                self.f_is,
                self.estimate,
                self.rarest,
                self.early,
                left,
                MAX_NODES,
            )

        return expanded(state, LENGTHS, len(sets.masks), most, fill)

    def front(self, state: Arrays, most: int) -> tuple[int, ...]:
        """The next nodes of the frontier, without those since reached by fewer sets."""
        ledger = ledger_of(state | {"tally": state["tally"].copy()})
        heap, covered = state["heap"].copy(), state["covered"]
        found: list[int] = []
        while len(found) < most and ledger.tally[WAITING]:
            node = pop(ledger, heap, self.f_is)
            if not (covered[node + 1 :] == covered[node]).all(axis=1).any():
                found.append(node)
        return tuple(found)


def _slots(nodes: int) -> NDArray[np.int32]:
    """An empty hash table, at most half of it used by so many nodes."""
    return np.full(1 << (2 * nodes - 1).bit_length(), NONE, np.int32)


def _astar(options: Values) -> BestFirst:
    estimate, rarest = options.text("estimate"), options.text("branch") == "rarest"
    proves = estimate in ADMISSIBLE
    return BestFirst(ESTIMATE, ESTIMATES[estimate], rarest=rarest, proves=proves)


ENTRIES = (
    cover_search(
        key="breadth-first",
        title="Breadth first",
        order=1,
        description=(
            "Tries all single sets, then all pairs, then all threes. "
            "The first cover it makes is the smallest there is, after looking at nearly everything."
        ),
        # Ended by the first cover generated: no node of the frontier has fewer sets.
        make=lambda _: BestFirst(SHALLOW, early=True),
    ),
    cover_search(
        key="depth-first",
        title="Depth first",
        order=2,
        description=(
            "Takes the first set that has anything missing, and goes on from there. "
            "It is soon done and takes far too many."
        ),
        make=lambda _: BestFirst(DEEP, early=True, proves=False),
    ),
    cover_search(
        key="astar",
        title="A*",
        order=4,
        description=(
            "Looks first where sets taken plus sets still needed are fewest. "
            "As long as its estimate never promises too much, its answer is the best there is."
        ),
        options=(
            Option(
                "estimate",
                Kind.CHOICE,
                "gains",
                "how it estimates what is needed yet: by the largest set, by the largest gain, by "
                "the largest gains together, or by the average gain, which promises too much",
                choices=tuple(ESTIMATES),
            ),
            Option(
                "branch",
                Kind.CHOICE,
                "all",
                "what it tries: all sets, or those with the rarest missing thing",
                choices=("all", "rarest"),
            ),
        ),
        make=_astar,
    ),
)
