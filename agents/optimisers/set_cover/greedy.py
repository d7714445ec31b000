"""Greedy: of all sets take the one with most of what is still missing, again and again."""

from __future__ import annotations

from dataclasses import dataclass

from agents.optimisers.entry import Arrays
from agents.optimisers.set_cover.ledger import (
    COVERED,
    ENDED,
    EXPANDED,
    GENERATED,
    NODES,
    Notes,
    ledger_of,
    new_ledger,
    taken,
)
from engine.problems.set_cover import SetCover


def greedy_cover(problem: SetCover) -> tuple[int, ...]:
    """The cover that greed finds; of equals the first."""
    missing, chosen = problem.everything, []
    while missing:
        chosen.append(_largest(problem, missing))
        missing &= ~problem.masks[chosen[-1]]
    return tuple(chosen)


@dataclass(frozen=True, slots=True)
class Greedy:
    """Takes what covers most and never looks back. h is the number of things still missing."""

    proves: bool = False

    def begin(self, problem: SetCover) -> Arrays:
        notes = Notes(new_ledger()._asdict())
        notes.estimate(0, problem.things)
        return notes.arrays()

    def advance(self, problem: SetCover, state: Arrays, most: int) -> Arrays:
        notes = Notes(state)
        node = notes.tally[NODES] - 1
        missing = problem.missing(taken(ledger_of(state), node))
        until = notes.tally[EXPANDED] + most
        while notes.tally[EXPANDED] < until and not notes.tally[ENDED]:
            notes.step(node, 0)
            if not missing:
                notes.end(COVERED, node)
                break
            choice = _largest(problem, missing)
            missing &= ~problem.masks[choice]
            notes.tally[EXPANDED] += 1
            notes.tally[GENERATED] += 1
            node = notes.node(node, choice, missing.bit_count())
        return notes.arrays()


def _largest(problem: SetCover, missing: int) -> int:
    gains = [(mask & missing).bit_count() for mask in problem.masks]
    return gains.index(max(gains))
