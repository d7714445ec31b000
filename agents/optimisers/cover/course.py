"""The course's search: breadth first, with the largest sets forced first.

A state is (taken, rest, bar), the bar begins at the number of things. The children of a state are
all sets of the rest with exactly as many things as the bar says, and where there is none, the same
with a lower bar. First in, first out. It is not A*, and what it finds need not be the fewest.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from agents.optimisers.cover.course_kernel import queue_up
from agents.optimisers.cover.growing import LEDGER_LENGTHS, grown, trimmed
from agents.optimisers.cover.ledger import (
    ENDED,
    EXPANDED,
    MOST_NODES,
    NODES,
    ledger_of,
    new_ledger,
)
from agents.optimisers.cover.sets import sets_of
from agents.optimisers.entry import Arrays
from engine.problems.set_cover import SetCover

LENGTHS = LEDGER_LENGTHS | {"covered": NODES, "bars": NODES}


@dataclass(frozen=True, slots=True)
class CourseCover:
    """The search as the course published it, here with what it takes up recorded."""

    proves: bool = False

    def begin(self, problem: SetCover) -> Arrays:
        return {
            **new_ledger()._asdict(),
            "covered": np.zeros((1, len(sets_of(problem).everything)), np.int64),
            "bars": np.array([problem.things], np.int16),
        }

    def advance(self, problem: SetCover, state: Arrays, most: int) -> Arrays:
        sets = sets_of(problem)
        state = {**state, "tally": state["tally"].copy()}
        tally = state["tally"]
        until = int(tally[EXPANDED]) + most
        while tally[EXPANDED] < until and not tally[ENDED]:
            roomy = grown(state, LENGTHS, len(sets.masks))
            left = until - int(tally[EXPANDED])
            queue_up(sets, ledger_of(roomy), roomy["covered"], roomy["bars"], left, MOST_NODES)
            state = trimmed(roomy, LENGTHS)
        return state
