"""Opponents of learners: themselves, or any agent by its spec, tabulated for kernels.

The roster creates the one `Opponents` and passes it to the learners that it lists, so that they
need not import the roster.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.core import Agent, Limit
from agents.tabular.exact import Policy, over_seats
from agents.tabular.graph import cumulated, graph_of
from engine.core import Game
from engine.errors import InvalidSpecError
from engine.options import Kind, Option

SELF = "self"
NOBODY = np.empty(0)  # odds for training against itself

# For opponents that search, at each of thousands of positions; by nodes, so that it repeats.
OPPONENT_LIMIT = Limit(nodes=2_000)

Loader = Callable[[str, Game[Any, Any]], Agent[Any, Any]]


def opponent_option(default: str) -> Option:
    return Option(
        "opponent", Kind.TEXT, default, "whom it trains against: a machine, or itself (self)"
    )


@dataclass(frozen=True, slots=True)
class Opponents:
    """Looks agents up by spec; all fields and methods raise as `load_agent` does."""

    load: Loader
    pin: Callable[[str, Game[Any, Any]], str]  # canonical spec with a brain's digest
    seconds: Callable[[str, Game[Any, Any]], float]  # to tabulate it; infinite if it searches

    def policy(self, spec: str, game: Game[Any, Any]) -> Policy:
        """[state, move] -> the chance that this agent plays it (cached)."""
        return _policy(self.load, self.pin(spec, game), game)

    def odds(self, spec: str, game: Game[Any, Any], alone: bool = True) -> NDArray[np.float64]:
        """[edge] -> the chance of this move or an earlier one of its state.

        Empty for SELF; raises InvalidSpecError for SELF unless `alone`.
        """
        if spec == SELF and not alone:
            raise InvalidSpecError(
                spec, "opponent=self will not do here: it trains against another agent"
            )
        if spec == SELF:
            return NOBODY
        graph = graph_of(game)
        return cumulated(graph, graph.by_edge(self.policy(spec, game)))

    def results(self, spec: str, game: Game[Any, Any], policy: Policy) -> dict[str, float]:
        """Exact results of the policy against this agent, half of the games in either seat."""
        chances = over_seats(graph_of(game).tables, policy, self.policy(spec, game))
        return {"wins": chances.wins, "draws": chances.draws, "losses": chances.losses}


@lru_cache(maxsize=16)
def _policy(load: Loader, spec: str, game: Game[Any, Any]) -> Policy:
    return graph_of(game).tables.policy(load(spec, game), OPPONENT_LIMIT)
