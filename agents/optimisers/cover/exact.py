"""Exact: the fewest sets for certain, with a bound from below as long as it runs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from agents.optimisers.cover.exact_kernel import Stack, branch
from agents.optimisers.cover.greedy import greedy_cover
from agents.optimisers.cover.growing import LEDGER_LENGTHS
from agents.optimisers.cover.ledger import (
    BOUND,
    COVERED,
    ENDED,
    NONE,
    ledger_of,
    new_ledger,
)
from agents.optimisers.cover.sets import sets_of
from agents.optimisers.entry import Arrays
from engine.problems.set_cover import SetCover

RECORDED = 10_000  # steps; those after are counted, and no longer kept


@dataclass(frozen=True, slots=True)
class Exact:
    """Begins with what greed finds, and asks level by level whether fewer will do.

    `best` in its state is the smallest cover known, `tally[BOUND]` what any cover needs at least.
    """

    proves: bool = True

    def begin(self, problem: SetCover) -> Arrays:
        sets, best = sets_of(problem), np.array(greedy_cover(problem), np.int16)
        deep, many = len(best) + 1, len(sets.masks)
        ledger = new_ledger()
        ledger.tally[BOUND] = 1
        if len(best) == 1:
            ledger.tally[ENDED] = COVERED
        stack = Stack(
            np.zeros((deep, len(sets.everything)), np.int64),
            np.zeros((deep, sets.rows.shape[1]), np.int64),
            np.zeros((deep, many), np.int16),
            np.zeros(deep, np.int32),
            np.zeros(deep, np.int32),
            np.zeros(deep, np.int16),
            np.full(deep, NONE, np.int32),
            np.array([0, 1], np.int64),
        )
        stack.missing[0], stack.open[0] = sets.everything, -1
        return {**ledger._asdict(), **stack._asdict(), "best": best}

    def advance(self, problem: SetCover, state: Arrays, most: int) -> Arrays:
        kept = {name: array.copy() for name, array in state.items()}
        for name in LEDGER_LENGTHS:
            room = RECORDED - len(kept[name])
            kept[name] = np.concatenate([kept[name], np.zeros(room, kept[name].dtype)])
        ledger = ledger_of(kept)
        stack = Stack(**{name: kept[name] for name in Stack._fields})
        best = branch(sets_of(problem), ledger, stack, kept["best"], most)
        recorded = {name: kept[name][: ledger.tally[at]] for name, at in LEDGER_LENGTHS.items()}
        return kept | recorded | {"best": best}
