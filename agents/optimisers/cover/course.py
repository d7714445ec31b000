"""The course's search: breadth first, with the largest sets forced first.

A state is (taken, rest, bar), the bar begins at the number of things. The children of a state are
all sets of the rest with exactly as many things as the bar says, and where there is none, the same
with a lower bar. First in, first out. It is not A*, and what it finds need not be the fewest.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np

from agents.optimisers.cover.ledger import (
    COVERED,
    ENDED,
    EXPANDED,
    FULL,
    GENERATED,
    MOST_NODES,
    NODES,
    STUCK,
    Notes,
    ledger_of,
    new_ledger,
    taken,
)
from agents.optimisers.entry import Arrays
from engine.problems.set_cover import SetCover

SHARE = 10  # of what kernels keep: lists of numbers take ten times the room


@dataclass(frozen=True, slots=True)
class CourseCover:
    """The search as the course published it, here with what it takes up recorded."""

    proves: bool = False

    def begin(self, problem: SetCover) -> Arrays:
        return {
            **new_ledger()._asdict(),
            "queue": np.zeros(1, np.int32),  # nodes, first in first
            "bars": np.array([problem.things], np.int16),  # of those
        }

    def advance(self, problem: SetCover, state: Arrays, most: int) -> Arrays:
        notes, ledger = Notes(state), ledger_of(state)
        queue = deque(
            (node, bar, taken(ledger, node))
            for node, bar in zip(state["queue"].tolist(), state["bars"].tolist(), strict=True)
        )
        sizes = [mask.bit_count() for mask in problem.masks]
        until = notes.tally[EXPANDED] + most
        while notes.tally[EXPANDED] < until and not notes.tally[ENDED]:
            if not queue or notes.tally[NODES] > MOST_NODES // SHARE:
                notes.end(FULL if queue else STUCK)
                break
            node, bar, chosen = queue.popleft()
            if not problem.missing(chosen):
                notes.step(node, len(queue))
                notes.end(COVERED, node)
                break
            fitting = [at for at, size in enumerate(sizes) if size == bar and at not in chosen]
            for choice in fitting:
                queue.append((notes.node(node, choice), bar, (*chosen, choice)))
            if not fitting and bar > 1:
                queue.append((node, bar - 1, chosen))
            notes.tally[EXPANDED] += 1
            notes.tally[GENERATED] += max(1, len(fitting))
            notes.step(node, len(queue))
        return {
            **notes.arrays(),
            "queue": np.array([node for node, _, _ in queue], np.int32),
            "bars": np.array([bar for _, bar, _ in queue], np.int16),
        }
