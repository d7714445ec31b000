"""Alpha-beta: minimax's answer sooner, by not looking at what cannot matter any more.

Knuth and Moore, "An analysis of alpha-beta pruning", 1975. With moves ordered by what cut best
before, a table of positions met, and iterative deepening under a limit. A position met before
counts only where minimax at that depth would say the same, so the values are always minimax's.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from random import Random
from typing import Any, NamedTuple

from agents.core import Analysis, Fact, Limit
from agents.formats import signed
from agents.search.common import Budget, OutOfBudget, Worth, drawn_states
from agents.search.common import best as best_of
from agents.search.report import report
from engine.core import Game, State
from engine.options import Kind, Option, Role, Values
from engine.square import Evaluation

WIN = 10_000  # a win in n plies scores WIN - n, so that the quicker one is more
CERTAIN = 1_000  # evaluations stay below 1, wins and losses far beyond this
DEEPEST = 200  # plies; beyond, Python itself would not follow

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
    """How far these options let it look: to a depth, else as far as its positions reach."""
    depth, nodes = options.optional_integer("depth"), options.integer("nodes")
    return Limit(nodes=nodes) if depth is None else Limit(depth=depth)


@dataclass(frozen=True, slots=True)
class AlphaBeta:
    """Looks deeper and deeper, skipping lines that a better move has made pointless."""

    game: Game[Any, Any]
    own_limit: Limit
    evaluate: Evaluation

    def analyse(
        self, state: State[Any], *, limit: Limit, rng: Random, history: Sequence[State[Any]] = ()
    ) -> Analysis[Any]:
        limit = limit.tighter(self.own_limit)
        budget = Budget(limit)
        search = Search(self.evaluate, budget, drawn_states(self.game, state, history))
        shallower, worths, reached = dict[Any, Worth](), dict[Any, Worth](), 0
        # Under a budget it looks one ply deeper at a time, so that there is always an answer.
        limited = limit.nodes is not None or limit.seconds is not None
        deepest = limit.depth or DEEPEST
        for depth in range(1 if limited else deepest, deepest + 1):
            try:
                shallower, worths, reached = worths, search.root(state, depth), depth
            except OutOfBudget:
                break
            if all(worth.proven for worth in worths.values()):
                break
        evidence = [*search.evidence(), *_steadied(shallower, worths, reached)]
        return report(state, worths, budget.effort(reached), rng, evidence)


class Known(NamedTuple):
    """What the table holds of a position: its score, counted from here, lies from low to high."""

    depth: int  # it was looked at to
    height: float  # from this depth on nothing changes any more; inf where nobody knows
    low: float
    high: float
    move: Any  # that was best, or cut

    def bounds(self, depth: int, ply: int) -> tuple[float, float]:
        """What minimax would say at this depth lies between these, counted from the root."""
        if depth != self.depth and depth < self.height:
            return -inf, inf
        return _counted(self.low, -ply), _counted(self.high, -ply)


class Search:
    """One thought: its table and its move ordering are gone when it has answered."""

    def __init__(self, evaluate: Evaluation, budget: Budget, drawn: frozenset[State[Any]]) -> None:
        self.evaluate = evaluate
        self.budget = budget
        self.drawn = drawn
        self.table: dict[State[Any], Known] = {}
        self.cuts: defaultdict[Any, int] = defaultdict(int)  # by move: how much it has cut so far
        self.expanded = 0
        self.branches = 0
        self.answered = 0  # by the table

    def root(self, state: State[Any], depth: int) -> dict[Any, Worth]:
        """The exact worth of every move: an open window for each, and the table for all."""
        worths: dict[State[Any], Worth] = {}
        moves = {move: state.play(move) for move in state.legal_moves()}
        for after in sorted(dict.fromkeys(moves.values()), key=self._promise):
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
        """The score for the side to move if it lies between alpha and beta, else a bound on it.

        `ply` counts from the root, and wins and losses are scored by it: a win at ply 3 is
        WIN - 3 wherever in the tree it is spoken of. The second figure is the depth from which on
        the score stays as it is, inf where the horizon had a say in it.
        """
        known = self.table.get(state)
        if known is not None:
            low, high = known.bounds(depth, ply)
            if low >= beta or high <= alpha or low == high:
                self.answered += 1
                return (low if low >= beta else high), known.height
            alpha, beta = max(alpha, low), min(beta, high)
        self.budget.spend()
        if (outcome := state.outcome()) is not None:
            return self.note(state, outcome.score(state.to_move) * (WIN - ply), 0, ply)
        if state in self.drawn:
            return self.note(state, 0, 0, ply)
        if depth == 0:
            return self.note(state, self.evaluate(state), inf, ply)
        return self.expand(state, depth, ply, alpha, beta)

    def note(self, state: State[Any], score: float, height: float, ply: int) -> tuple[float, float]:
        """Put a position without moves below it in the table, unless more is known there."""
        exact = _counted(score, ply)
        self.table.setdefault(state, Known(0, height, exact, exact, None))
        return score, height

    def expand(
        self, state: State[Any], depth: int, ply: int, alpha: float, beta: float
    ) -> tuple[float, float]:
        """The best score among the moves, as far as alpha and beta leave it open."""
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
        if abs(score) > CERTAIN:
            height = WIN - abs(score)  # a win or loss once seen is seen at every greater depth
        low = score if best > alpha else -inf
        high = score if best < beta else inf
        self.table[state] = Known(depth, height, low, high, best_move)
        return best, height

    def children(self, state: State[Any]) -> Iterator[tuple[State[Any], Any]]:
        """Every position a move leads to, once, the most promising move first."""
        moves = state.legal_moves()
        self._count(len(moves))
        known = self.table.get(state)
        first = () if known is None or known.move is None else (known.move,)
        reached = set()
        for move in (*first, *sorted(moves, key=self.cuts.__getitem__, reverse=True)):
            after = state.play(move)
            if after not in reached:
                reached.add(after)
                yield after, move

    def line(self, state: State[Any], depth: int) -> tuple[Any, ...]:
        """Best play as the table remembers it."""
        line: list[Any] = []
        while len(line) < depth and (known := self.table.get(state)) and known.move is not None:
            line.append(known.move)
            state = state.play(known.move)
        return tuple(line)

    def evidence(self) -> list[Fact]:
        """How wide the game is here, and what the table saved."""
        branching = self.branches / max(1, self.expanded)
        return [
            Fact("moves in a position", f"{branching:.1f}"),
            Fact("answered by the table", self.answered),
        ]

    def _promise(self, state: State[Any]) -> float:
        """The lower for the opponent, the sooner it is worth a look."""
        known = self.table.get(state)
        return max(known.low, -WIN) if known else inf

    def _count(self, moves: int) -> None:
        self.expanded += 1
        self.branches += moves


def _steadied(
    shallower: Mapping[Any, Worth], worths: Mapping[Any, Worth], depth: int
) -> Iterator[Fact]:
    """The mean of the values at the last two depths, where neither saw an end.

    Whoever moves last before the horizon looks better, so that minimax's value swings with the
    parity of its depth. Values are told as they are; this says how much of one is the swing.
    """
    values = [best_of(found) for found in (shallower, worths) if found]
    if len(values) == 2 and not any(worth.proven for worth in values):
        mean = (values[0].value + values[1].value) / 2
        yield Fact(f"halfway between {depth - 1} and {depth} plies", signed(mean))


def _counted(score: float, ply: int) -> float:
    """A score counted from the root as one counted from this ply; with -ply, the other way."""
    if CERTAIN < score < inf:
        return score + ply
    return score - ply if -inf < score < -CERTAIN else score


def _worth(score: float, *, proven: bool) -> Worth:
    """The score of a move at the root, in the words of every search."""
    if abs(score) > CERTAIN:
        plies = WIN - int(abs(score))
        return Worth(1.0 if score > 0 else -1.0, plies, height=plies)
    return Worth(score + 0.0, height=0 if proven else None)
