"""Minimax: every line of play to a depth, the best move for either side.

Russell and Norvig, "Artificial Intelligence: A Modern Approach", chapter 5.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Any

from agents.core import Analysis, Fact, Limit
from agents.entry import Entry, Technique
from agents.errors import UnsuitableAgentError
from agents.search.cache_file import CacheFile, cache_files_allowed, cache_path, open_cache
from agents.search.common import (
    Budget,
    Worth,
    best,
    deepened,
    drawn_states,
    evaluation_for,
    evaluation_option,
    report,
)
from engine.core import Game, State
from engine.options import Kind, Option, Values
from engine.square import Evaluation


@dataclass(frozen=True, slots=True)
class Minimax:
    """Searches every line of play to a depth."""

    game: Game[Any, Any]
    depth: int
    remember: bool
    evaluate: Evaluation
    cache: CacheFile | None = None

    def analyse(
        self, state: State[Any], *, limit: Limit, rng: Random, history: Sequence[State[Any]] = ()
    ) -> Analysis[Any]:
        limit = limit.tighter(Limit(depth=self.depth))
        assert limit.depth is not None
        budget = Budget(limit)
        lookahead = Lookahead(self, budget, drawn_states(self.game, state, history))
        search = partial(lookahead.moves, state)
        before = 0 if self.cache is None else self.cache.hits
        reached, worths = deepened(search, limit.depth, limit)[-1]
        facts = []
        if self.cache is not None:
            self.cache.positions += budget.spent
            facts.append(Fact("values from the cache", self.cache.hits - before))
        return report(state, worths, budget.effort(reached), rng, facts)


class Lookahead:
    """The search of one analysis, with its own cache."""

    def __init__(self, agent: Minimax, budget: Budget, drawn: frozenset[State[Any]]) -> None:
        self.agent = agent
        self.budget = budget
        self.drawn = drawn
        # By state and depth, or by state alone where the value is proven. Empty when an analysis
        # begins, so that the same question always has the same cost and answer.
        self.cache: dict[Any, Worth] = {}
        # Where a repetition would draw, values depend on the history and are nobody else's.
        self.file = None if drawn else agent.cache

    def moves(self, state: State[Any], depth: int) -> dict[Any, Worth]:
        """The worth of every legal move, by a search of this many plies."""
        return {
            move: self.worth(state.play(move), depth - 1).after_move(move)
            for move in state.legal_moves()
        }

    def worth(self, state: State[Any], depth: int) -> Worth:
        """The value for the side to move."""
        if self.agent.remember and (seen := self.cached(state, depth)) is not None:
            return seen
        # The horizon is cheaper to evaluate than to look up.
        key = self.file.key(state, depth) if self.file is not None and depth > 0 else None
        if self.file is not None and key is not None and (kept := self.file.get(key)) is not None:
            return kept
        self.budget.spend()
        worth = self.minimax(state, depth)
        if self.file is not None and key is not None:
            self.file.put(key, worth)
        if self.agent.remember:
            self.cache[(state, depth) if worth.height is None else state] = worth
        return worth

    def minimax(self, state: State[Any], depth: int) -> Worth:
        """±1 or 0 at an end, the evaluation at the horizon, else the worth of the best move."""
        if (outcome := state.outcome()) is not None:
            score = outcome.score(state.to_move)
            return Worth(score, 0 if score else None, height=0)
        if state in self.drawn:
            return Worth(0.0, height=0)
        if depth == 0:
            return Worth(self.agent.evaluate(state))
        return best(self.moves(state, depth))

    def cached(self, state: State[Any], depth: int) -> Worth | None:
        seen = self.cache.get(state)
        if seen is not None and seen.height is not None and seen.height <= depth:
            return seen
        return self.cache.get((state, depth))


def _minimax(game: Game[Any, Any], options: Values) -> Minimax:
    _check_cache(game, options)
    name, evaluation = options.text("cache"), options.text("evaluation")
    return Minimax(
        game,
        options.integer("depth"),
        options.switch("remember"),
        evaluation_for(evaluation, game),
        open_cache(name, game, evaluation) if name else None,
    )


def _check_cache(game: Game[Any, Any], options: Values) -> None:
    """Raises for a cache file that is misnamed, or not asked for on the command line."""
    if name := options.text("cache"):
        if not cache_files_allowed():
            why = "arenas, training and pages play in several processes, and keep none"
            raise UnsuitableAgentError(f"cache= is for zermelo match, play and watch: {why}")
        cache_path(name)


ENTRIES = (
    Entry(
        key="minimax",
        title="Minimax",
        technique=Technique.SEARCH,
        order=1,
        description=(
            "Looks at every line of play a few moves deep and expects you to answer as well as "
            "you can. Beyond that it sees nothing, and picks among moves that look alike."
        ),
        options=(
            Option("depth", Kind.INTEGER, 3, "how many plies it looks ahead", low=1, high=100),
            Option(
                "remember",
                Kind.SWITCH,
                True,
                "whether it looks only once at a position it meets again in the same thought",
            ),
            evaluation_option("none"),
            Option(
                "cache",
                Kind.TEXT,
                "",
                "on the command line: the name of a file that keeps values from match to match",
                technical=True,
            ),
        ),
        make=_minimax,
        suits=_check_cache,
    ),
)
