"""Alpha-beta: the values of minimax sooner, by pruning branches that cannot change them.

Knuth and Moore, "An analysis of alpha-beta pruning", 1975. With the history heuristic, a
transposition table, and iterative deepening under a limit. The table answers only where minimax at
that depth would give the same value, so the values are always minimax's.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import inf
from random import Random
from typing import Any, NamedTuple

from agents.core import Analysis, Fact, Limit
from agents.entry import Entry, Technique
from agents.formats import signed
from agents.search.common import (
    Budget,
    Worth,
    deepened,
    drawn_states,
    evaluation_for,
    evaluation_option,
    report,
)
from agents.search.common import best as best_of
from engine.core import Game, State
from engine.options import Kind, Option, Role, Values
from engine.square import Evaluation

WIN = 10_000  # a win in n plies scores WIN - n, so that the quicker one is more
DECIDED = 1_000  # wins and losses lie beyond this either way, evaluations below 1
MAX_DEPTH = 200  # plies; more would exceed Python's recursion limit

DEPTH = Option(
    "depth",
    Kind.INTEGER,
    None,
    "how many plies it looks ahead; none: as many as its positions allow",
    low=1,
    high=100,
    optional=True,
    role=Role.PLAYING,
)
NODES = Option(
    "nodes",
    Kind.INTEGER,
    20_000,
    "how many positions it may look at where no depth is set",
    low=1,
    high=10_000_000,
    role=Role.PLAYING,
)


def limit_of(options: Values) -> Limit:
    """The limit set by these options: a depth, else a number of positions."""
    depth, nodes = options.optional_integer("depth"), options.integer("nodes")
    return Limit(nodes=nodes) if depth is None else Limit(depth=depth)


@dataclass(frozen=True, slots=True)
class AlphaBeta:
    """Iterative deepening with alpha-beta pruning."""

    game: Game[Any, Any]
    own_limit: Limit
    evaluate: Evaluation

    def analyse(
        self, state: State[Any], *, limit: Limit, rng: Random, history: Sequence[State[Any]] = ()
    ) -> Analysis[Any]:
        limit = limit.tighter(self.own_limit)
        budget = Budget(limit)
        search = Search(self.evaluate, budget, drawn_states(self.game, state, history))
        depths = deepened(partial(search.root, state), limit.depth or MAX_DEPTH, limit)
        reached, worths = depths[-1]
        shallower = depths[-2][1] if reached else {}
        evidence = [*search.evidence(), *_parity_mean(shallower, worths, reached)]
        return report(state, worths, budget.effort(reached), rng, evidence)


class TableEntry(NamedTuple):
    """Bounds on the score of a position, with plies counted from that position."""

    depth: int  # to which it was searched
    height: float  # the depth from which on the score is final; inf where that is unknown
    low: float
    high: float
    move: Any  # the best one, or the one that cut

    def bounds(self, depth: int, ply: int) -> tuple[float, float]:
        """Bounds on minimax's score at this depth, with plies counted from the root."""
        if depth != self.depth and depth < self.height:
            return -inf, inf
        return _counted(self.low, -ply), _counted(self.high, -ply)


class Search:
    """The search of one analysis, with its own table and move ordering."""

    def __init__(self, evaluate: Evaluation, budget: Budget, drawn: frozenset[State[Any]]) -> None:
        self.evaluate = evaluate
        self.budget = budget
        self.drawn = drawn
        self.table: dict[State[Any], TableEntry] = {}
        self.cuts: defaultdict[Any, int] = defaultdict(int)  # by move: depth² of its cuts
        self.expanded = 0
        self.branches = 0
        self.answered = 0  # by the table

    def root(self, state: State[Any], depth: int) -> dict[Any, Worth]:
        """The exact worth of every move, each searched with an open window."""
        worths: dict[State[Any], Worth] = {}
        moves = {move: state.play(move) for move in state.legal_moves()}
        for after in sorted(dict.fromkeys(moves.values()), key=self._sort_key):
            score, height = self.negamax(after, depth - 1, 1, -inf, inf)
            worths[after] = _worth(-score, proven=height < inf)
        self._count(len(moves))
        return {
            move: worths[after]._replace(line=(move, *self.line(after, depth - 1)))
            for move, after in moves.items()
        }

    def negamax(
        self, state: State[Any], depth: int, ply: int, alpha: float, beta: float
    ) -> tuple[float, float]:
        """(score for the side to move, height); outside alpha and beta the score is a bound.

        `ply` counts from the root, and so do the plies of wins and losses: a win at ply 3 scores
        WIN - 3 in every node. The height is the depth from which on the score is final, inf where
        it depends on an evaluation at the horizon.
        """
        entry = self.table.get(state)
        if entry is not None:
            low, high = entry.bounds(depth, ply)
            if low >= beta or high <= alpha or low == high:
                self.answered += 1
                return (low if low >= beta else high), entry.height
            alpha, beta = max(alpha, low), min(beta, high)
        self.budget.spend()
        if (outcome := state.outcome()) is not None:
            return self.store_leaf(state, outcome.score(state.to_move) * (WIN - ply), 0, ply)
        if state in self.drawn:
            return self.store_leaf(state, 0, 0, ply)
        if depth == 0:
            return self.store_leaf(state, self.evaluate(state), inf, ply)
        return self.expand(state, depth, ply, alpha, beta)

    def store_leaf(
        self, state: State[Any], score: float, height: float, ply: int
    ) -> tuple[float, float]:
        """Store a leaf in the table, unless the position is already there."""
        exact = _counted(score, ply)
        self.table.setdefault(state, TableEntry(0, height, exact, exact, None))
        return score, height

    def expand(
        self, state: State[Any], depth: int, ply: int, alpha: float, beta: float
    ) -> tuple[float, float]:
        """The best score among the moves, by fail-soft alpha-beta."""
        best, best_move, floor, height = -inf, None, alpha, 0.0
        for after, move in self.children(state):
            theirs, below = self.negamax(after, depth - 1, ply + 1, -beta, -floor)
            height = max(height, below + 1)
            if -theirs > best:
                best, best_move = -theirs, move
            floor = max(floor, best)
            if floor >= beta:
                self.cuts[move] += depth * depth
                break
        score = _counted(best, ply)
        if abs(score) > DECIDED:
            height = WIN - abs(score)  # a win or loss once seen is seen at every greater depth
        low = score if best > alpha else -inf
        high = score if best < beta else inf
        self.table[state] = TableEntry(depth, height, low, high, best_move)
        return best, height

    def children(self, state: State[Any]) -> Iterator[tuple[State[Any], Any]]:
        """Every position one move away, once, the table's move first, then by the cuts so far."""
        moves = state.legal_moves()
        self._count(len(moves))
        entry = self.table.get(state)
        first = () if entry is None or entry.move is None else (entry.move,)
        reached = set()
        for move in (*first, *sorted(moves, key=self.cuts.__getitem__, reverse=True)):
            after = state.play(move)
            if after not in reached:
                reached.add(after)
                yield after, move

    def line(self, state: State[Any], depth: int) -> tuple[Any, ...]:
        """The principal variation in the table."""
        line: list[Any] = []
        while len(line) < depth and (entry := self.table.get(state)) and entry.move is not None:
            line.append(entry.move)
            state = state.play(entry.move)
        return tuple(line)

    def evidence(self) -> list[Fact]:
        """The mean branching factor and the hits of the table."""
        branching = self.branches / max(1, self.expanded)
        return [
            Fact("moves in a position", f"{branching:.1f}"),
            Fact("answered by the table", self.answered),
        ]

    def _sort_key(self, state: State[Any]) -> float:
        """Positions that are worst for the opponent come first."""
        entry = self.table.get(state)
        return max(entry.low, -WIN) if entry else inf

    def _count(self, moves: int) -> None:
        self.expanded += 1
        self.branches += moves


def _parity_mean(
    shallower: Mapping[Any, Worth], worths: Mapping[Any, Worth], depth: int
) -> Iterator[Fact]:
    """The mean of the values at the last two depths, where neither is proven.

    The side that moves last before the horizon looks better, so minimax's value alternates with
    the parity of its depth. Values are reported unchanged; this fact shows the swing.
    """
    values = [best_of(found) for found in (shallower, worths) if found]
    if len(values) == 2 and not any(worth.proven for worth in values):
        mean = (values[0].value + values[1].value) / 2
        yield Fact(f"halfway between {depth - 1} and {depth} plies", signed(mean))


def _counted(score: float, ply: int) -> float:
    """A score with plies from the root as one with plies from `ply`; with -ply, the reverse."""
    if DECIDED < score < inf:
        return score + ply
    return score - ply if -inf < score < -DECIDED else score


def _worth(score: float, *, proven: bool) -> Worth:
    """The score of a move at the root as a `Worth`."""
    if abs(score) > DECIDED:
        plies = WIN - int(abs(score))
        return Worth(1.0 if score > 0 else -1.0, plies, height=plies)
    return Worth(score + 0.0, height=0 if proven else None)


def _alphabeta(game: Game[Any, Any], options: Values) -> AlphaBeta:
    return AlphaBeta(game, limit_of(options), evaluation_for(options.text("evaluation"), game))


ENTRIES = (
    Entry(
        key="alphabeta",
        title="Alpha-beta",
        technique=Technique.SEARCH,
        order=2,
        description=(
            "Finds what minimax finds, sooner, by skipping lines that cannot matter any more. "
            "So it looks deeper in the same time, and judges open boards by their lines."
        ),
        options=(DEPTH, NODES, evaluation_option("game")),
        make=_alphabeta,
    ),
)
