"""Whom a learner plays: itself, or any agent of the roster, tabulated for the kernel."""

from __future__ import annotations

from functools import lru_cache
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.core import Limit
from agents.tabular.exact import Policy
from agents.tabular.graph import Graph, graph_of
from engine.core import Game
from engine.errors import InvalidSpecError
from engine.options import Kind, Option

SELF = "self"
NOBODY = np.empty(0)  # the odds of an opponent who is the learner itself

# An opponent that thinks thinks a little at each of thousands of positions, the same every time.
THOUGHT = Limit(nodes=2_000)
KNOWING = ("rules", "learning", "perfect")  # techniques that answer without a search,
A_STATE = 1e-4  # and the seconds they take for a state


def opponent_option(default: str) -> Option:
    return Option("opponent", Kind.TEXT, default, "whom it trains against: an agent, or self")


def tabulating(spec: str, game: Game[Any, Any]) -> float:
    """About how many seconds this opponent takes to tabulate; infinite for one that thinks.

    Raises as `load_agent` does for one that there is not.
    """
    from agents.roster import read_agent  # the roster lists the learners, so not at the top

    if spec == SELF:
        return 0.0
    entry, values = read_agent(spec, game)
    if entry.technique not in KNOWING:
        return inf
    return entry.lasts(game, values) + A_STATE * (game.states or 0)


def policy_of(spec: str, game: Game[Any, Any]) -> Policy:
    """[state, move] -> the chance that this agent plays it; raises as `load_agent` does."""
    from agents.roster import pinned_spec  # the roster lists the learners, so not at the top

    return _policy_of(pinned_spec(spec, game), game)


@lru_cache(maxsize=16)
def _policy_of(spec: str, game: Game[Any, Any]) -> Policy:
    from agents.roster import load_agent

    return graph_of(game).tables.policy(load_agent(spec, game), THOUGHT)


def odds_of(spec: str, game: Game[Any, Any], alone: bool = True) -> NDArray[np.float64]:
    """[edge] -> the chance of this move or an earlier one of its state.

    Empty for SELF; raises InvalidSpecError for that where the learner cannot train `alone`.
    """
    if spec == SELF and not alone:
        raise InvalidSpecError(
            spec, "opponent=self will not do here: it trains against another agent"
        )
    if spec == SELF:
        return NOBODY
    graph = graph_of(game)
    return cumulated(graph, graph.by_edge(policy_of(spec, game)))


def cumulated(graph: Graph, chances: NDArray[np.float64]) -> NDArray[np.float64]:
    """[edge] -> running totals within each state, so that one random number picks an edge."""
    running = np.cumsum(chances)
    before = np.concatenate(([0.0], running))[graph.board.first[:-1]]
    odds = running - before[graph.state]
    odds[graph.board.first[1:][~graph.tables.over] - 1] = 1.0  # whatever rounding left over
    return odds
