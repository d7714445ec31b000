"""The query string of a tree page: how to search, which step is shown and which path is open."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TypeVar
from urllib.parse import quote_plus

from agents.errors import UnsuitableAgentError
from agents.roster import read_agent
from agents.search.trace import Algorithm, Order, Plan, usual_depth
from engine.errors import InvalidTextError
from webapp.replays.models import Record
from webapp.replays.query import SPEC_SAFE, Look, child_url, parse_path

MAX_DEPTH = 100

Name = TypeVar("Name", bound=StrEnum)


@dataclass(frozen=True, slots=True)
class TreeQuery:
    """What the address of a tree holds beyond the match; None stands for the default."""

    ply: int | None = None
    agent: str | None = None  # whose depth and evaluation are the defaults
    algorithm: Algorithm | None = None
    depth: int | None = None
    order: Order = Order.BOARD
    open: tuple[int, ...] | None = None  # None: the path to the current node
    upto: int | None = None  # number of the current node; None: the last
    present: bool = False

    @classmethod
    def parse(cls, fields: Mapping[str, str]) -> TreeQuery:
        """Read these fields; what cannot be read is left out, never an error."""
        query = Look.parse(fields)
        depth = _number(fields.get("depth", ""))
        return cls(
            ply=query.ply,
            agent=query.agent,
            algorithm=_named(Algorithm, fields.get("algorithm", "")),
            depth=None if depth is None else min(max(depth, 1), MAX_DEPTH),
            order=_named(Order, fields.get("order", "")) or Order.BOARD,
            open=parse_path(fields["open"]) if "open" in fields else None,
            upto=_number(fields.get("upto", "")),
            present=query.present,
        )

    def address(self, path: str) -> str:
        """The canonical address of this query below the path of its match."""
        encoded = "&".join(
            f"{name}={quote_plus(text, safe=SPEC_SAFE)}" for name, text in self.fields
        )
        tree = child_url(path, "tree")
        return f"{tree}{'&' if '?' in tree else '?'}{encoded}" if encoded else tree

    @property
    def fields(self) -> tuple[tuple[str, str], ...]:
        """The fields of a form with the same query, in a fixed order."""
        return tuple(self._fields())

    def _fields(self) -> Iterator[tuple[str, str]]:
        for name in ("ply", "agent", "algorithm", "depth"):
            if (value := getattr(self, name)) is not None:
                yield name, str(value)
        if self.order is not Order.BOARD:
            yield "order", self.order
        if self.upto is not None:
            yield "upto", str(self.upto)
        if self.open is not None:
            yield "open", ".".join(map(str, self.open))
        if self.present:
            yield "present", "1"

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


def _named(names: type[Name], text: str) -> Name | None:
    return names(text) if text in list(names) else None


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= 6 else None
