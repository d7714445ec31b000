"""Minimax and alpha-beta recorded: every position in the order in which it was searched.

A fixed order of moves, no table, no deepening. Values are for the first seat, which maximises; a
win at ply n counts WIN - n, so that a quicker one is more. Russell and Norvig, "Artificial
Intelligence: A Modern Approach", chapter 5.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from math import inf
from typing import Any

from agents.search.alphabeta import DECIDED, WIN
from agents.search.common import drawn_states, evaluation_for
from engine.catalog import find_entry
from engine.core import Game, Seat, State
from engine.match import Match
from engine.square import Evaluation

MAX_POSITIONS = 300_000  # positions of a recording
USUAL_SIZE = 60_000  # positions at the default depth, estimated by the branching at the root

Moves = Callable[[Any], tuple[Any, ...]]  # of a state, in the order in which they are tried


class Algorithm(StrEnum):
    """A search algorithm."""

    MINIMAX = "minimax"
    ALPHABETA = "alphabeta"


class Order(StrEnum):
    """The order in which the moves of every position are tried."""

    BOARD = "board"  # as the game lists them
    BACKWARDS = "backwards"
    BEST = "best"  # by the evaluation one ply ahead
    WORST = "worst"


@dataclass(frozen=True, slots=True)
class Plan:
    """The parameters of a search: the same plan for the same match is the same recording."""

    algorithm: Algorithm
    depth: int
    order: Order = Order.BOARD
    evaluation: str = "game"  # one of `common.EVALUATIONS`


@dataclass(frozen=True, slots=True)
class Recording:
    """The nodes of a search in preorder, node 0 being the root.

    The first child of n is n + 1, its next sibling is its `end`: 19 bytes a node are enough.
    """

    turn: array[int]  # [node] the index of the move that led here, in the order tried
    value: array[float]  # [node] for the first seat; where it was cut, a bound
    end: array[int]  # [node] one past the last node below it
    certain: array[int]  # [node] 1 where the value depends on no evaluation at the horizon
    cuts: array[int]  # nodes whose other moves were pruned, in the order in which that happened
    first: array[int]  # [node] the first node of the same position; itself where it is new
    # How many positions each algorithm searches below the root; None: more than MAX_POSITIONS.
    looked_at: Mapping[Algorithm, int | None]
    deepest: int | None = None  # of a search that is too large: the depth at which it is not

    @property
    def is_whole(self) -> bool:
        """Whether the search was small enough to be recorded."""
        return len(self.end) > 0

    @property
    def distinct(self) -> int:
        """How many different positions are below the root: the others are transpositions."""
        return sum(first == node for node, first in enumerate(self.first)) - 1

    @property
    def size(self) -> int:
        """In bytes."""
        parts = (self.turn, self.value, self.end, self.certain, self.cuts, self.first)
        return sum(part.itemsize * len(part) for part in parts)


class TooManyPositions(Exception):  # noqa: N818 - nothing is wrong, the search just is larger
    """A search of more than MAX_POSITIONS positions."""


def record(match: Match[Any, Any], plan: Plan) -> Recording:
    """Record the search of the match's current position; empty where it is too large."""
    looked_at: dict[Algorithm, int | None] = {Algorithm.MINIMAX: count_minimax(match, plan.depth)}
    pruned = _searched(match, plan, prunes=True)
    looked_at[Algorithm.ALPHABETA] = None if pruned is None else len(pruned.end) - 1
    kept = pruned
    if plan.algorithm is Algorithm.MINIMAX:
        plain = looked_at[Algorithm.MINIMAX]
        fits = plain is not None and plain <= MAX_POSITIONS
        kept = _searched(match, plan, prunes=False) if fits else None
    deepest = deepest_kept(match, plan) if kept is None else None
    kept = kept or Recorder(match, plan, prunes=False)
    parts = (kept.turn, kept.value, kept.end, kept.certain, kept.cuts, kept.first)
    return Recording(*parts, looked_at, deepest)


def deepest_kept(match: Match[Any, Any], plan: Plan) -> int:
    """The largest depth below that of the plan at which its search can be recorded."""

    def fits(depth: int) -> bool:
        plain = count_minimax(match, depth)
        if plain is not None and plain <= MAX_POSITIONS:
            return True
        prunes = plan.algorithm is Algorithm.ALPHABETA
        return prunes and _searched(match, replace(plan, depth=depth), prunes=True) is not None

    depth = 1
    while depth + 1 < plan.depth and fits(depth + 1):
        depth += 1
    return depth


def _searched(match: Match[Any, Any], plan: Plan, *, prunes: bool) -> Recorder | None:
    """The recorder after its search; None where that is too large."""
    recorder = Recorder(match, plan, prunes=prunes)
    try:
        recorder.search(match.state, 0, plan.depth, 0, -inf, inf)
    except TooManyPositions:
        return None
    return recorder


class Recorder:
    """A search in progress."""

    def __init__(self, match: Match[Any, Any], plan: Plan, *, prunes: bool) -> None:
        self.moves = moves_in(plan.order, match.game)
        self.evaluate = evaluation_for(plan.evaluation, match.game)
        self.drawn = drawn_states(match.game, match.state, match.states[:-1])
        self.prunes = prunes
        self.turn = array("H")
        self.value = array("d")
        self.end = array("i")
        self.certain = array("B")
        self.cuts = array("i")
        self.first = array("i")
        self.nodes: dict[State[Any], int] = {}  # the first of each position

    def search(
        self, state: State[Any], turn: int, depth: int, ply: int, alpha: float, beta: float
    ) -> float:
        """Record a position and everything below it; returns its value."""
        at = len(self.end)
        if at > MAX_POSITIONS:
            raise TooManyPositions
        self.turn.append(turn)
        self.value.append(0.0)
        self.end.append(0)
        self.certain.append(1)
        self.first.append(self.nodes.setdefault(state, at))
        outcome = state.outcome()
        if outcome is not None:
            value = float(outcome.score(Seat.FIRST) * (WIN - ply))
        elif ply and state in self.drawn:
            value = 0.0
        elif depth == 0:
            value = self.evaluated(state)
            self.certain[at] = 0
        else:
            value = self.expand(state, at, depth, ply, alpha, beta)
        self.value[at] = value
        self.end[at] = len(self.end)
        return value

    def expand(
        self, state: State[Any], at: int, depth: int, ply: int, alpha: float, beta: float
    ) -> float:
        """The best value among the moves; with pruning, up to the first cut."""
        highest = state.to_move is Seat.FIRST
        best = -inf if highest else inf
        moves = self.moves(state)
        certain = 1
        for turn, move in enumerate(moves):
            below = len(self.end)
            value = self.search(state.play(move), turn, depth - 1, ply + 1, alpha, beta)
            certain &= self.certain[below]
            if highest:
                best = max(best, value)
                alpha = max(alpha, best)
            else:
                best = min(best, value)
                beta = min(beta, best)
            if self.prunes and alpha >= beta and turn + 1 < len(moves):
                self.cuts.append(at)
                break
        self.certain[at] = 1 if abs(best) > DECIDED else certain
        return best

    def evaluated(self, state: State[Any]) -> float:
        """The evaluation of a position at the horizon, for the first seat."""
        value = self.evaluate(state)
        return value + 0.0 if state.to_move is Seat.FIRST else 0.0 - value  # never -0.0


def count_minimax(match: Match[Any, Any], depth: int) -> int | None:
    """The number of positions minimax searches below the root; None where counting them takes
    more than MAX_POSITIONS moves. Transpositions are counted once and multiplied."""
    drawn = drawn_states(match.game, match.state, match.states[:-1])
    counts: dict[tuple[Any, int], int] = {}
    played = 0

    def below(state: State[Any], depth: int) -> int:
        if depth == 0 or state in drawn:
            return 0
        if (found := counts.get((state, depth))) is None:
            found = counts[state, depth] = expand(state, depth)
        return found

    def expand(state: State[Any], depth: int) -> int:
        nonlocal played
        moves = state.legal_moves()
        played += len(moves)
        if played > MAX_POSITIONS:
            raise TooManyPositions
        return sum(1 + below(state.play(move), depth - 1) for move in moves)

    try:
        return expand(match.state, depth)
    except TooManyPositions:
        return None


def usual_depth(state: State[object]) -> int:
    """The depth at which a tree with the branching of this state has at most USUAL_SIZE nodes."""
    branching, depth = max(2, len(state.legal_moves())), 1
    while branching ** (depth + 1) <= USUAL_SIZE:
        depth += 1
    return depth


def moves_in(order: Order, game: Game[Any, Any]) -> Moves:
    """A function that lists the moves of a state in that order; equal ones as the game does."""
    if order is Order.BOARD:
        return lambda state: state.legal_moves()
    if order is Order.BACKWARDS:
        return lambda state: state.legal_moves()[::-1]
    promise = _sort_key(game)
    reverse = order is Order.BEST

    def sorted_moves(state: Any) -> tuple[Any, ...]:
        moves = state.legal_moves()
        return tuple(sorted(moves, key=lambda move: promise(state.play(move)), reverse=reverse))

    return sorted_moves


def _sort_key(game: Game[Any, Any]) -> Evaluation:
    """A function that evaluates a position for the side that moved there: by its outcome, else by
    the game's evaluation, else by theory."""
    name = "theory" if find_entry(game.key).evaluation is None else "game"
    evaluate = evaluation_for(name, game)

    def promise(state: Any) -> float:
        outcome = state.outcome()
        if outcome is not None:
            return float(outcome.score(state.to_move.other))
        return -evaluate(state)

    return promise
