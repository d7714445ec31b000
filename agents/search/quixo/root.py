"""The search of one Quixo position: iterative deepening for the best move, then values for the
other moves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.core import Limit
from agents.quixo.bitboard import MAX_MOVES, masks_of_lines, slides_of
from agents.quixo.endgame_tables import Endgames, no_endgames
from agents.quixo.evaluation import LineEvaluation
from agents.search.quixo import kernel as kernels
from agents.search.quixo.branches import (
    Branch,
    best_reply,
    branches_of,
    holds,
    key_of,
    look_up,
    marked_cubes,
)
from agents.search.quixo.kernel import DECIDED, MAX_PLY, WIN, Workspace
from agents.search.quixo.threads import ended_after, helper_threads, stop_flag
from engine.core import Game
from engine.quixo import PLY_LIMIT, Push, QuixoState

MAX_DEPTH = MAX_PLY - 2
BEST_SHARE = 0.85  # of the time or the positions, for the best move; the rest is for the others
EQUAL_DEPTH = 4  # plies to which every move is searched as deep as the best one
SLOTS = 1 << 21  # of 16 bytes
SLOTS_PER_SECOND = 1 << 20  # twice what a fast machine fills
MAX_EXACT_LINE = 8  # plies shown of a line in the endgame tables, which may have seventy


@dataclass(slots=True)
class Findings:
    """The result of a search: the branches at the root, the best of them, and the depth."""

    state: QuixoState
    branches: list[Branch]
    best: Branch
    search: Workspace
    depth: int = 0  # to which every branch has been compared with the best
    swing: int = 0  # how much of a value is due to the parity of the depth
    # For each depth: the depth, the best branch, its value then, the positions so far.
    iterations: list[tuple[int, Branch, int, int]] = field(default_factory=list)

    @property
    def positions(self) -> int:
        return int(self.search.counts[0])


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

    Helper threads run only under a time limit: a search that ends by a count is reproducible.
    """
    before = history[:-1] if history and history[-1] == state else history
    past = reversible_states(state, before)
    search = new_search(state.table.size, evaluation, _slots(limit, slots))._replace(
        path=path_to(state, past),
        stop=stop_flag() if stop is None else stop,
        draw=evaluation.score(-contempt),
        plies=max(1, PLY_LIMIT - len(before)),
        exact=exact,
        endgames=endgames or no_endgames(),
    )
    branches = branches_of(game, state, past, len(before), search.draw)
    findings = Findings(state, branches, branches[0], search)
    if holds(search.endgames, state):
        findings.best = look_up(branches, past, search.plies, search.draw, search.endgames)
        findings.depth = 1
        return findings
    _compile(search)
    nodes = kernels.UNLIMITED_POSITIONS if limit.nodes is None else limit.nodes
    by_clock = limit.seconds is not None and limit.nodes is None
    with (
        ended_after(_part(limit.seconds, BEST_SHARE), search.stop),
        helper_threads(threads if by_clock else 1, state, len(past), search),
    ):
        _deepen(findings, limit.depth or MAX_DEPTH, int(nodes * BEST_SHARE))
    with ended_after(_part(limit.seconds, 1 - BEST_SHARE), search.stop):
        _value_the_others(findings, limit, nodes)
    return findings


def _compile(search: Workspace) -> None:
    """Compile the kernel before the clock starts, by a search that is stopped at once."""
    search.stop[0] = 1
    kernels.negamax(0, 0, 1, -WIN, WIN, 0, 0, search)
    search.counts[0] = 0


def new_search(size: int, evaluation: LineEvaluation, slots: int) -> Workspace:
    """A search on a board of that size, with an empty table and no limit."""
    return Workspace(
        slides=slides_of(size),
        lines=masks_of_lines(size),
        worth=evaluation.lines(size),
        table=np.zeros((slots, 2), np.int64),
        path=np.zeros(MAX_PLY, np.int64),
        children=np.zeros((MAX_PLY, MAX_MOVES, 4), np.int64),
        counts=np.array([0, kernels.UNLIMITED_POSITIONS]),
        stop=stop_flag(),
        draw=0,
        plies=PLY_LIMIT,
        exact=False,
        endgames=no_endgames(),
    )


def reversible_states(state: QuixoState, before: Sequence[Any]) -> list[QuixoState]:
    """The earlier states that may be repeated: those since a blank cube was last taken."""
    past: list[QuixoState] = []
    later = state
    for earlier in reversed(before):
        if marked_cubes(earlier) != marked_cubes(state) or earlier.to_move is later.to_move:
            break
        past.append(earlier)
        later = earlier
    return past[::-1]


def path_to(state: QuixoState, past: Sequence[QuixoState]) -> NDArray[np.int64]:
    """The kernel's path up to the root, with room for MAX_PLY plies."""
    return np.array([*map(key_of, past), key_of(state), *[0] * (MAX_PLY - 1)], np.int64)


def _slots(limit: Limit, most: int) -> int:
    """The slots of the table: a power of two, fewer than `most` for a short search."""
    enough = most
    if limit.nodes is not None:
        enough = limit.nodes // 8
    elif limit.depth is not None and limit.depth <= 5:
        enough = 1 << 15
    elif limit.seconds is not None:
        enough = int(limit.seconds * SLOTS_PER_SECOND)
    return 1 << max(10, min(most, enough).bit_length() - 1)


def _part(seconds: float | None, share: float) -> float | None:
    return None if seconds is None else seconds * share


def _deepen(findings: Findings, deepest: int, nodes: int) -> None:
    """Find the best branch by iterative deepening, until a win or loss is proven."""
    search = findings.search
    before: int | None = None
    for depth in range(1, min(deepest, MAX_DEPTH, search.plies) + 1):
        # A search may exceed its count by the moves of a position.
        search.counts[1] = nodes - MAX_MOVES if depth > 1 else nodes
        _compare(findings, depth)
        if search.stop[0]:
            _prefer_proven(findings)
            return
        findings.depth = depth
        value = findings.best.value
        undecided = abs(value) <= DECIDED and not findings.best.settled
        findings.swing = (value - before) // 2 if undecided and before is not None else 0
        before = value if undecided else None
        findings.iterations.append((depth, findings.best, value, findings.positions))
        if abs(value) > DECIDED and depth >= WIN - abs(value):
            return


def _prefer_proven(findings: Findings) -> None:
    """Out of time: prefer a branch that wins at once, or one that is not proven to lose.

    The best so far may be one that was never searched.
    """
    first = max(findings.branches, key=lambda branch: branch.expected)
    value = findings.best.value
    if value < -DECIDED or first.expected > DECIDED >= value:
        findings.best = first


def _compare(findings: Findings, depth: int) -> None:
    """Search the best branch so far to this depth, then whether another is better."""
    search = findings.search
    best: Branch | None = None

    def order(branch: Branch) -> tuple[bool, int]:
        """The best so far first, even among equals: the time may run out."""
        return branch is not findings.best, -branch.value

    for branch in sorted(findings.branches, key=order):
        floor = -WIN - 1 if best is None else best.value
        value = branch.value
        if not branch.settled:
            if branch.wins:  # proven, so only a quicker win matters
                floor = max(floor, value)
            beta = WIN + 1 if best is None else floor + 1
            sooner = _value(branch, depth, floor, beta, search)
            if best is not None and sooner > floor and not search.stop[0]:
                sooner = _value(branch, depth, floor, WIN + 1, search)
            if search.stop[0]:
                return
            branch.note(sooner, floor, depth)
            value = branch.value
        if best is None or value > best.value:
            findings.best = best = branch


def _value(branch: Branch, depth: int, alpha: int, beta: int, search: Workspace) -> int:
    own, other = branch.masks
    return -int(kernels.negamax(own, other, depth - 1, -beta, -alpha, 1, branch.run, search))


def _value_the_others(findings: Findings, limit: Limit, nodes: int) -> None:
    """Estimate the branches with only an upper bound, by shallower searches as time allows."""
    search = findings.search
    others = [branch for branch in findings.branches if not (branch.exact or branch.settled)]
    deepest = findings.depth
    if limit.nodes is None and limit.seconds is None and deepest > EQUAL_DEPTH:
        deepest = max(EQUAL_DEPTH, deepest - 2)  # full depth would take many times as long
    # Only values of depths of the same parity compare: the side that moves last looks better.
    for depth in range(2 - deepest % 2, deepest + 1, 2):
        search.counts[1] = nodes - MAX_MOVES if depth > 1 else nodes
        for branch in others:
            value = _value(branch, depth, -WIN - 1, findings.best.value + 1, search)
            if search.stop[0]:
                return
            branch.estimate, branch.complete = min(value, findings.best.value), depth


def line_of(findings: Findings, branch: Branch) -> tuple[Push, ...]:
    """The principal variation of a branch, its first move included."""
    line, state = [branch.move], branch.child
    seen = {state}
    longest = MAX_EXACT_LINE if branch.looked_up else max(branch.depth, 1)
    while state.outcome() is None and len(line) <= longest:
        best = _expected_reply(state, len(line), findings.search)
        if best is None and (branch.certain or branch is findings.best):
            # An immediate win is found without a search, and so is not in the table.
            best = winning_move(state)
        if best is None:
            break
        line.append(best)
        state = state.play(best)
        if state in seen:
            break
        seen.add(state)
    return tuple(line)


def _expected_reply(state: QuixoState, ply: int, search: Workspace) -> Push | None:
    """The reply in the endgame tables or in the transposition table, if there is one."""
    if holds(search.endgames, state):
        return best_reply(state, search.endgames)
    name = key_of(state) | (kernels.ODD_PLY if search.draw and ply % 2 else 0)
    number = int(kernels.recall(name, search.table)[3])
    if number == kernels.NO_MOVE:
        return None
    move = tuple(state.table.slides)[number]
    return move if move in state.legal_moves() else None


def winning_move(state: QuixoState) -> Push | None:
    """A move that wins at once, if there is one."""
    for move in state.legal_moves():
        outcome = state.play(move).outcome()
        if outcome is not None and outcome.winner is state.to_move:
            return move
    return None
