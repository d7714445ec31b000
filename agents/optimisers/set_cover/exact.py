"""Exact: the smallest cover by branch and bound, with a lower bound while it runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.compute.kernels import kernel
from agents.optimisers.entry import Arrays, cover_search
from agents.optimisers.set_cover.ledger import (
    BOUND,
    COVERED,
    ENDED,
    EXPANDED,
    GENERATED,
    GOAL,
    LEDGER_LENGTHS,
    NODES,
    NONE,
    STEPS,
    WAITING,
    Ledger,
    ledger_of,
    new_ledger,
)
from agents.optimisers.set_cover.sets import (
    Sets,
    Words,
    counted,
    fewest,
    gain_of,
    greedy_cover,
    sets_of,
)
from agents.quixo.bitboard import ones
from engine.problems.set_cover import SetCover

# Indices of `at`.
DEPTH, FRESH = range(2)
RECORDED_STEPS = 10_000  # those after are counted and not recorded


class Stack(NamedTuple):
    """The sequence of sets being tried; every array has a row for each depth."""

    missing: Words  # [depth, word] -> things
    open: Words  # [depth, word] -> sets that may still be taken
    choices: NDArray[np.int16]  # [depth, number] -> sets to try, the largest gain first
    many: NDArray[np.int32]  # [depth] -> how many of those there are
    tried: NDArray[np.int32]  # [depth] -> how many of those were tried
    path: NDArray[np.int16]  # [depth] -> the set being tried
    node: NDArray[np.int32]  # [depth] -> its number in the ledger, NONE: not recorded
    at: NDArray[np.int64]  # [DEPTH, FRESH]


@kernel
def list_choices(sets: Sets, stack: Stack, depth: int, level: int) -> int:
    """List the sets to try at this depth, if any; returns h, the sets still needed at least."""
    missing, free = stack.missing[depth], stack.open[depth]
    stack.many[depth] = stack.tried[depth] = 0
    wanted = counted(missing)
    if wanted == 0:
        return 0
    gains = np.zeros(sets.largest + 1, np.int64)
    each = np.zeros(len(sets.masks), np.int16)
    for choice in range(len(sets.masks)):
        if free[choice >> 6] >> (choice & 63) & 1:
            each[choice] = gain_of(sets.masks[choice], missing)
            gains[each[choice]] += 1
    needed = fewest(gains, wanted)
    if depth + needed > level:
        return needed
    rarest, least = 0, len(sets.masks) + 1
    for thing in range(len(sets.rows)):
        if missing[thing >> 6] >> (thing & 63) & 1:
            having = 0
            for word in range(len(free)):
                having += ones(sets.rows[thing, word] & free[word])
            if having < least:
                rarest, least = thing, having
    many = 0
    for choice in range(len(sets.masks)):
        word, bit = choice >> 6, choice & 63
        if sets.rows[rarest, word] & free[word] & (np.int64(1) << bit):
            place = many
            while place > 0 and each[stack.choices[depth, place - 1]] < each[choice]:
                stack.choices[depth, place] = stack.choices[depth, place - 1]
                place -= 1
            stack.choices[depth, place] = choice
            many += 1
    stack.many[depth] = many
    return needed


@kernel
def record(ledger: Ledger, stack: Stack, depth: int, needed: int) -> None:
    """Record a step, as long as there is room."""
    tally = ledger.tally
    waiting = 0
    for above in range(depth):
        waiting += stack.many[above] - stack.tried[above]
    tally[WAITING] = waiting
    stack.node[depth] = NONE
    if depth > 0 and stack.node[depth - 1] == NONE:
        return
    if tally[NODES] == len(ledger.parent) or tally[STEPS] == len(ledger.order):
        return
    made = 0
    if depth > 0:
        made = tally[NODES]
        tally[NODES] += 1
        ledger.parent[made] = stack.node[depth - 1]
        ledger.took[made] = stack.path[depth - 1]
    ledger.depth[made], ledger.ahead[made] = depth, needed
    stack.node[depth] = made
    step = tally[STEPS]
    ledger.order[step], ledger.waiting[step] = made, waiting
    ledger.least[step] = tally[BOUND]
    tally[STEPS] += 1


@kernel
def branch(
    sets: Sets, ledger: Ledger, stack: Stack, best: NDArray[np.int16], most: int
) -> NDArray[np.int16]:
    """Expand so many more; returns the smallest cover known by then, at first the given one."""
    tally, at = ledger.tally, stack.at
    until = tally[EXPANDED] + most
    while tally[EXPANDED] < until and tally[ENDED] == 0:
        depth = at[DEPTH]
        if at[FRESH]:
            at[FRESH] = 0
            tally[EXPANDED] += 1
            needed = list_choices(sets, stack, depth, tally[BOUND])
            record(ledger, stack, depth, needed)
            if needed == 0:
                tally[ENDED], tally[GOAL] = COVERED, stack.node[depth]
                return stack.path[:depth].copy()
        if stack.tried[depth] < stack.many[depth]:
            choice = stack.choices[depth, stack.tried[depth]]
            stack.tried[depth] += 1
            stack.open[depth, choice >> 6] &= ~(np.int64(1) << (choice & 63))
            stack.open[depth + 1] = stack.open[depth]
            stack.missing[depth + 1] = stack.missing[depth] & ~sets.masks[choice]
            stack.path[depth] = choice
            tally[GENERATED] += 1
            at[DEPTH], at[FRESH] = depth + 1, 1
        elif depth > 0:
            at[DEPTH] = depth - 1
        else:
            tally[BOUND] += 1
            if tally[BOUND] == len(best):
                tally[ENDED] = COVERED
                return best
            stack.open[0] = -1
            at[FRESH] = 1
    return best


@dataclass(frozen=True, slots=True)
class Exact:
    """Iterative deepening from one set up to one fewer than the greedy cover has.

    `best` in its state is the smallest cover known, `tally[BOUND]` the sets that any cover needs.
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
            room = RECORDED_STEPS - len(kept[name])
            kept[name] = np.concatenate([kept[name], np.zeros(room, kept[name].dtype)])
        ledger = ledger_of(kept)
        stack = Stack(**{name: kept[name] for name in Stack._fields})
        best = branch(sets_of(problem), ledger, stack, kept["best"], most)
        recorded = {name: kept[name][: ledger.tally[at]] for name, at in LEDGER_LENGTHS.items()}
        return kept | recorded | {"best": best}


ENTRIES = (
    cover_search(
        key="exact",
        title="Exact",
        order=6,
        description=(
            "Asks whether one set is enough, then two, then three, and rules out the rest. "
            "While it runs it shows how many are needed at least."
        ),
        make=lambda _: Exact(),
    ),
)
