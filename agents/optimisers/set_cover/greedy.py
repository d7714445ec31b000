"""Greedy: take the set that has most of what is still missing, again and again."""

from __future__ import annotations

from dataclasses import dataclass

from agents.optimisers.entry import Arrays
from agents.optimisers.set_cover.ledger import (
    COVERED,
    ENDED,
    EXPANDED,
    GENERATED,
    NODES,
    LedgerLists,
    ledger_of,
    new_ledger,
    taken,
)
from engine.problems.set_cover import SetCover


def greedy_cover(problem: SetCover) -> tuple[int, ...]:
    """The greedy cover; of equals the first set."""
    missing, chosen = problem.everything, []
    while missing:
        chosen.append(_largest(problem, missing))
        missing &= ~problem.masks[chosen[-1]]
    return tuple(chosen)


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
            choice = _largest(problem, missing)
            missing &= ~problem.masks[choice]
            lists.tally[EXPANDED] += 1
            lists.tally[GENERATED] += 1
            node = lists.node(node, choice, missing.bit_count())
        return lists.arrays()


def _largest(problem: SetCover, missing: int) -> int:
    gains = [(mask & missing).bit_count() for mask in problem.masks]
    return gains.index(max(gains))
