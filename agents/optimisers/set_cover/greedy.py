"""Greedy: take the set that has most of what is still missing, again and again."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from agents.optimisers.entry import Arrays, cover_search
from agents.optimisers.set_cover.ledger import (
    COVERED,
    ENDED,
    EXPANDED,
    GENERATED,
    GOAL,
    NODES,
    NONE,
    STEPS,
    WAITING,
    Ledger,
    new_ledger,
)
from agents.optimisers.set_cover.sets import largest_gain
from engine.problems.set_cover import SetCover


@dataclass(frozen=True, slots=True)
class Greedy:
    """Takes the set that covers most, without backtracking. h is the number of missing things."""

    proves: bool = False

    def begin(self, problem: SetCover) -> Arrays:
        ledger = new_ledger()
        ledger.ahead[0] = problem.things
        return ledger._asdict()

    def advance(self, problem: SetCover, state: Arrays, most: int) -> Arrays:
        tally, ahead = state["tally"].copy(), state["ahead"].tolist()
        chosen = state["took"][1:].tolist()
        missing = problem.missing(chosen)
        until = tally[EXPANDED] + most
        while tally[EXPANDED] < until and not tally[ENDED]:
            tally[STEPS] += 1
            if not missing:
                tally[ENDED], tally[GOAL] = COVERED, len(chosen)
                break
            chosen.append(largest_gain(problem, missing))
            missing &= ~problem.masks[chosen[-1]]
            ahead.append(missing.bit_count())
            for count in (EXPANDED, GENERATED, NODES):
                tally[count] += 1
        steps = int(tally[STEPS])
        if steps:
            tally[WAITING] = 0
        ledger = Ledger(  # every node is the child of the one before
            np.arange(-1, len(chosen), dtype=np.int32),
            np.array([NONE, *chosen], np.int16),
            np.arange(len(chosen) + 1, dtype=np.int16),
            np.array(ahead, np.int16),
            np.arange(steps, dtype=np.int32),
            np.zeros(steps, np.int32),
            np.full(steps, NONE, np.int16),
            tally,
        )
        return ledger._asdict()


ENTRIES = (
    cover_search(
        key="greedy",
        title="Greedy",
        order=3,
        description=(
            "Takes the set that covers most of what is missing. "
            "It never looks back, and often needs one set more than the best."
        ),
        make=lambda _: Greedy(),
    ),
)
