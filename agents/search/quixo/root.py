"""Thinking about one Quixo position: deeper and deeper, then a value for every other move too."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Timer
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.core import Limit
from agents.quixo.bitboard import masks_of_lines, slides_of
from agents.quixo.endgames import Endgames, no_endgames
from agents.search.quixo import kernel as kernels
from agents.search.quixo.branches import Branch, branches_of, key_of, taken
from agents.search.quixo.kernel import FARTHEST, SURE, WIN, Workspace
from agents.search.quixo.lines import LineEvaluation
from agents.search.quixo.tablebase import best_reply, holds, look_up
from agents.search.quixo.threads import in_company
from engine.core import Game
from engine.quixo import PLY_LIMIT, Push, QuixoState

DEEPEST = FARTHEST - 2
BEST_SHARE = 0.85  # of the time or the positions; the rest goes to the value of the other moves
ALL_ALIKE = 4  # plies to which every move is searched as deep as the best one
MOST_MOVES = 44  # a search looks at so many positions at a time
SLOTS = 1 << 21  # of 16 bytes
SLOTS_A_SECOND = 1 << 20  # twice what a fast machine fills
EXACT_LINE = 8  # plies shown of what is looked up, which may go on for seventy


@dataclass(slots=True)
class Findings:
    """What a search has found out: the branches at the root, the best of them, and how deep."""

    state: QuixoState
    branches: list[Branch]
    best: Branch
    search: Workspace
    depth: int = 0  # to which every branch has been compared with the best
    sway: int = 0  # how much of a value is due to who moves last before the horizon
    course: list[tuple[int, Branch, int, int]] = field(default_factory=list)
    # after each depth: that depth, the best branch, its value then, the positions so far

    @property
    def positions(self) -> int:
        return int(self.search.counts[0])


def _compile(search: Workspace) -> None:
    """See to it that no compiling goes off the time to think: a stopped search is soon over."""
    search.stop[0] = 1
    kernels.negamax(0, 0, 1, -WIN, WIN, 0, 0, search)
    search.counts[0] = 0


def stop_flag() -> NDArray[np.int8]:
    """A flag for `think`: setting its element 1 from another thread ends the search."""
    return np.zeros(2, np.int8)


def think(
    game: Game[QuixoState, Push],
    state: QuixoState,
    evaluation: LineEvaluation,
    *,
    limit: Limit,
    history: Sequence[Any] = (),
    contempt: float = 0.0,
    slots: int = SLOTS,
    exact: bool = False,
    stop: NDArray[np.int8] | None = None,
    endgames: Endgames | None = None,
    threads: int = 1,
) -> Findings:
    """Search a position that is not over as far as the limit allows, or until stopped.

    In company only under a clock: what ends by a count has the same answer each time.
    """
    before = history[:-1] if history and history[-1] == state else history
    past = past_of(state, before)
    search = new_search(state.table.size, evaluation, _slots(limit, slots))._replace(
        path=path_to(state, past),
        stop=stop_flag() if stop is None else stop,
        draw=evaluation.score(-contempt),
        plies=max(1, PLY_LIMIT - len(before)),
        exact=exact,
        endgames=endgames or no_endgames(),
    )
    branches = branches_of(game, state, past, len(before), search.draw)
    thought = Findings(state, branches, branches[0], search)
    if holds(search.endgames, state):
        thought.best = look_up(branches, past, search.plies, search.draw, search.endgames)
        thought.depth = 1
        return thought
    _compile(search)
    nodes = kernels.MOST_POSITIONS if limit.nodes is None else limit.nodes
    by_clock = limit.seconds is not None and limit.nodes is None
    with (
        ended_after(_part(limit.seconds, BEST_SHARE), search.stop),
        in_company(threads if by_clock else 1, state, len(past), search),
    ):
        _deepen(thought, limit.depth or DEEPEST, int(nodes * BEST_SHARE))
    with ended_after(_part(limit.seconds, 1 - BEST_SHARE), search.stop):
        _value_the_others(thought, limit, nodes)
    return thought


def new_search(size: int, evaluation: LineEvaluation, slots: int) -> Workspace:
    """A search with nothing remembered and no limit, of a board that size."""
    return Workspace(
        slides=slides_of(size),
        lines=masks_of_lines(size),
        worth=evaluation.lines(size),
        table=np.zeros((slots, 2), np.int64),
        path=np.zeros(FARTHEST, np.int64),
        children=np.zeros((FARTHEST, MOST_MOVES, 4), np.int64),
        counts=np.array([0, kernels.MOST_POSITIONS]),
        stop=stop_flag(),
        draw=0,
        plies=PLY_LIMIT,
        exact=False,
        endgames=no_endgames(),
    )


def past_of(state: QuixoState, before: Sequence[Any]) -> list[QuixoState]:
    """The states that may come back: those since a blank cube was last taken."""
    past: list[QuixoState] = []
    later = state
    for earlier in reversed(before):
        if taken(earlier) != taken(state) or earlier.to_move is later.to_move:
            break
        past.append(earlier)
        later = earlier
    return past[::-1]


def path_to(state: QuixoState, past: Sequence[QuixoState]) -> NDArray[np.int64]:
    """The kernel's path, with the root in its place and room for the plies to come."""
    return np.array([*map(key_of, past), key_of(state), *[0] * (FARTHEST - 1)], np.int64)


def _slots(limit: Limit, most: int) -> int:
    """A power of two: less than the most where a search is too short to fill it."""
    enough = most
    if limit.nodes is not None:
        enough = limit.nodes // 8
    elif limit.depth is not None and limit.depth <= 5:
        enough = 1 << 15
    elif limit.seconds is not None:
        enough = int(limit.seconds * SLOTS_A_SECOND)
    return 1 << max(10, min(most, enough).bit_length() - 1)


def _part(seconds: float | None, share: float) -> float | None:
    return None if seconds is None else seconds * share


@contextmanager
def ended_after(seconds: float | None, stop: NDArray[np.int8]) -> Iterator[None]:
    """Sets the flag when the time is up, from a thread of its own."""
    stop[0] = 0
    if seconds is None:
        yield
        return
    timer = Timer(seconds, stop.__setitem__, (0, 1))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()


def _deepen(thought: Findings, deepest: int, nodes: int) -> None:
    """Find the best branch, one ply deeper at a time, until that can change nothing."""
    search = thought.search
    before: int | None = None
    for depth in range(1, min(deepest, DEEPEST, search.plies) + 1):
        search.counts[1] = nodes - MOST_MOVES if depth > 1 else nodes
        _compare(thought, depth)
        if search.stop[0]:
            if thought.best.value < -SURE:  # rather anything that was not seen to lose
                thought.best = max(thought.branches, key=lambda branch: branch.promise)
            return
        thought.depth = depth
        value = thought.best.value
        open_yet = abs(value) <= SURE and not thought.best.settled
        thought.sway = (value - before) // 2 if open_yet and before is not None else 0
        before = value if open_yet else None
        thought.course.append((depth, thought.best, value, thought.positions))
        if abs(value) > SURE and depth >= WIN - abs(value):
            return


def _compare(thought: Findings, depth: int) -> None:
    """Search the best branch so far to this depth, and the others for being better."""
    search = thought.search
    best: Branch | None = None

    def order(branch: Branch) -> tuple[bool, int]:
        """The best so far comes first, not one that may only be as good: time may be up."""
        return branch is not thought.best, -branch.promise

    for branch in sorted(thought.branches, key=order):
        floor = -WIN - 1 if best is None else best.value
        value = branch.value
        if not branch.settled:
            wins = branch.exact and value > SURE
            if wins:  # for certain, so it is asked only whether it wins sooner
                floor = max(floor, value)
            beta = WIN + 1 if best is None else floor + 1
            sooner = _value(branch, depth, floor, beta, search)
            if best is not None and sooner > floor and not search.stop[0]:
                sooner = _value(branch, depth, floor, WIN + 1, search)
            if search.stop[0]:
                return
            branch.depth = depth
            if sooner > floor or not wins:
                branch.value, branch.exact = sooner, sooner > floor
            value = branch.value
        if best is None or value > best.value:
            thought.best = best = branch


def _value(branch: Branch, depth: int, alpha: int, beta: int, search: Workspace) -> int:
    own, other = branch.masks
    return -int(kernels.negamax(own, other, depth - 1, -beta, -alpha, 1, branch.run, search))


def _value_the_others(thought: Findings, limit: Limit, nodes: int) -> None:
    """Values for the branches of which only the most they can be is known, as time allows."""
    search = thought.search
    others = [branch for branch in thought.branches if not (branch.exact or branch.settled)]
    deepest = thought.depth
    if limit.nodes is None and limit.seconds is None and deepest > ALL_ALIKE:
        deepest = max(ALL_ALIKE, deepest - 2)  # many times the work of the best one alone
    # Only values seen from the same side of the horizon compare: whoever moves last looks better.
    for depth in range(2 - deepest % 2, deepest + 1, 2):
        search.counts[1] = nodes - MOST_MOVES if depth > 1 else nodes
        for branch in others:
            value = _value(branch, depth, -WIN - 1, thought.best.value + 1, search)
            if search.stop[0]:
                return
            branch.estimate = min(value, thought.best.value)


def line_of(thought: Findings, branch: Branch) -> tuple[Push, ...]:
    """What the search expects after the first move of a branch, that move first."""
    line, state = [branch.move], branch.child
    stood = {state}
    longest = EXACT_LINE if branch.known else max(branch.depth, 1)
    while state.outcome() is None and len(line) <= longest:
        best = _expected(state, len(line), thought.search)
        if best is None and (branch.certain or branch is thought.best):
            # A win at once is not remembered, being seen without a search.
            best = next((move for move in state.legal_moves() if _wins(state, move)), None)
        if best is None:
            break
        line.append(best)
        state = state.play(best)
        if state in stood:
            break
        stood.add(state)
    return tuple(line)


def _expected(state: QuixoState, ply: int, search: Workspace) -> Push | None:
    """The reply that is looked up or remembered, if there is one."""
    if holds(search.endgames, state):
        return best_reply(state, search.endgames)
    name = key_of(state) | (kernels.ODD_PLY if search.draw and ply % 2 else 0)
    number = int(kernels.recall(name, search.table)[3])
    if number == kernels.NO_MOVE:
        return None
    move = tuple(state.table.slides)[number]
    return move if move in state.legal_moves() else None


def _wins(state: QuixoState, move: Push) -> bool:
    outcome = state.play(move).outcome()
    return outcome is not None and outcome.winner is state.to_move
