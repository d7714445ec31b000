"""Greedy: take the set that has most of what is still missing, again and again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from agents.optimisers.entry import Arrays, SearchEntry
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
    ledger_of,
    new_ledger,
    taken,
)
from agents.optimisers.set_cover.sets import largest_gain
from engine.problems.entry import ProblemShape
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
        lists = LedgerLists(state)
        node = lists.tally[NODES] - 1
        missing = problem.missing(taken(ledger_of(state), node))
        until = lists.tally[EXPANDED] + most
        while lists.tally[EXPANDED] < until and not lists.tally[ENDED]:
            lists.step(node, 0)
            if not missing:
                lists.end(COVERED, node)
                break
            choice = largest_gain(problem, missing)
            missing &= ~problem.masks[choice]
            lists.tally[EXPANDED] += 1
            lists.tally[GENERATED] += 1
            node = lists.node(node, choice, missing.bit_count())
        return lists.arrays()


class LedgerLists:
    """A ledger as lists, for searches written without kernels."""

    def __init__(self, state: Arrays) -> None:
        self._lists: dict[str, list[Any]] = {name: state[name].tolist() for name in Ledger._fields}
        self._types = {name: state[name].dtype for name in Ledger._fields}
        self.tally: list[int] = self._lists["tally"]

    def node(self, parent: int, took: int, ahead: int = NONE) -> int:
        """Add a child of a node; returns its number."""
        lists = self._lists
        lists["parent"].append(parent)
        lists["took"].append(took)
        lists["depth"].append(lists["depth"][parent] + 1)
        lists["ahead"].append(ahead)
        self.tally[NODES] += 1
        return self.tally[NODES] - 1

    def step(self, node: int, waiting: int, least: int = NONE) -> None:
        """Record that a node was taken from the frontier."""
        self._lists["order"].append(node)
        self._lists["waiting"].append(waiting)
        self._lists["least"].append(least)
        self.tally[STEPS] += 1
        self.tally[WAITING] = waiting

    def end(self, how: int, goal: int = NONE) -> None:
        self.tally[ENDED], self.tally[GOAL] = how, goal

    def arrays(self) -> Arrays:
        return {name: np.array(values, self._types[name]) for name, values in self._lists.items()}


ENTRIES = (
    SearchEntry(
        key="greedy",
        title="Greedy",
        shape=ProblemShape.COVER,
        order=3,
        description=(
            "Takes whatever covers most of what is missing. "
            "It never looks back, and is often one set short of the best."
        ),
        make=lambda _: Greedy(),
    ),
)
