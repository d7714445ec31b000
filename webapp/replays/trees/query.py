"""The query string of a tree page: how to search, which step is shown and which path is open."""

from __future__ import annotations

from dataclasses import dataclass, replace

from agents.errors import UnsuitableAgentError
from agents.roster import read_agent
from agents.search.trace import Algorithm, Order, Plan, usual_depth
from engine.errors import InvalidTextError
from webapp.replays.models import Record
from webapp.replays.query import MAX_SPEC_CHARS, child_url
from webapp.web.query import Query, choice, flag, number, path, text

MAX_DEPTH = 100


@dataclass(frozen=True)
class TreeQuery(Query):
    """What the address of a tree holds beyond the match; None stands for the default."""

    ply: int | None = number(unreadable=-1)
    agent: str | None = text(MAX_SPEC_CHARS)  # whose depth and evaluation are the defaults
    algorithm: Algorithm | None = choice(Algorithm)
    depth: int | None = number(low=1, high=MAX_DEPTH)
    order: Order = choice(Order, Order.BOARD)
    upto: int | None = number()  # number of the current node; None: the last
    open: tuple[int, ...] | None = path(None)  # None: the path to the current node
    present: bool = flag()

    def address(self, path: str) -> str:
        """The canonical address of this query below the path of its match."""
        return self.url(child_url(path, "tree"))

    @property
    def following(self) -> TreeQuery:
        """The query with the path to the current node open."""
        return replace(self, open=None)

    @property
    def restarted(self) -> TreeQuery:
        """The query of the whole search with no path open."""
        return replace(self, open=None, upto=None)


def plan_for(record: Record, ply: int, query: TreeQuery) -> Plan:
    """The search plan of the query, completed by the settings of an agent that searches."""
    algorithm, depth, evaluation = _settings(record, ply, query.agent)
    return Plan(
        query.algorithm or algorithm,
        query.depth or depth or usual_depth(record.match.states[ply]),
        query.order,
        evaluation,
    )


def is_textbook_search(agent: str) -> bool:
    """Whether this agent is one of the textbook algorithms."""
    return agent.partition(":")[0] in list(Algorithm)


def agent_tree_url(path: str, ply: int, agent: str, *, present: bool) -> str:
    """The address of this agent's search tree; empty unless it is a textbook search."""
    if not is_textbook_search(agent):
        return ""
    return TreeQuery(ply=ply, agent=agent, present=present).address(path)


def _settings(record: Record, ply: int, agent: str | None) -> tuple[Algorithm, int | None, str]:
    """Settings of the agent in the query, else of a player that searches, the mover first."""
    mover = record.match.states[ply].to_move
    specs = [agent] if agent else [record.seats[mover], record.seats[mover.other]]
    for spec in filter(is_textbook_search, specs):
        try:
            entry, values = read_agent(spec, record.match.game)
        except (InvalidTextError, UnsuitableAgentError):
            continue
        depth = values.optional_integer("depth")
        return Algorithm(entry.key), depth, values.text("evaluation")
    return Algorithm.ALPHABETA, None, "game"
