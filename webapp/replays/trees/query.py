"""Where someone stands in a recorded search, as its address says: any moment can be shared."""

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
from webapp.replays.query import PLAIN, Look, child_of, path_in

DEEPEST = 100

Name = TypeVar("Name", bound=StrEnum)


@dataclass(frozen=True, slots=True)
class TreeLook:
    """What the address of a tree says beyond the match. What is None is as usual."""

    ply: int | None = None
    agent: str | None = None  # whose depth and evaluation are the usual ones
    algorithm: Algorithm | None = None
    depth: int | None = None
    order: Order = Order.BOARD
    open: tuple[int, ...] | None = None  # None: where the search is
    upto: int | None = None  # None: all of it
    present: bool = False

    @classmethod
    def of(cls, fields: Mapping[str, str]) -> TreeLook:
        """What can be read of these fields; the rest is left out, never an error."""
        look = Look.of(fields)
        depth = _number(fields.get("depth", ""))
        return cls(
            ply=look.ply,
            agent=look.agent,
            algorithm=_named(Algorithm, fields.get("algorithm", "")),
            depth=None if depth is None else min(max(depth, 1), DEEPEST),
            order=_named(Order, fields.get("order", "")) or Order.BOARD,
            open=path_in(fields["open"]) if "open" in fields else None,
            upto=_number(fields.get("upto", "")),
            present=look.present,
        )

    def address(self, path: str) -> str:
        """The one address of this look, below the path of its match."""
        query = "&".join(f"{name}={quote_plus(text, safe=PLAIN)}" for name, text in self.fields)
        tree = child_of(path, "tree")
        return f"{tree}{'&' if '?' in tree else '?'}{query}" if query else tree

    @property
    def fields(self) -> tuple[tuple[str, str], ...]:
        """What a form has to send for the same look, in an order that never changes."""
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
    def following(self) -> TreeLook:
        """With the path open to where the search is."""
        return replace(self, open=None)

    @property
    def anew(self) -> TreeLook:
        """The whole search, nothing opened yet."""
        return replace(self, open=None, upto=None)


def plan_for(record: Record, ply: int, look: TreeLook) -> Plan:
    """How to search: as the address says, else as the opponent would if it searched by the book."""
    algorithm, depth, evaluation = _settings(record, ply, look.agent)
    return Plan(
        look.algorithm or algorithm,
        look.depth or depth or usual_depth(record.match.states[ply]),
        look.order,
        evaluation,
    )


def searches_by_the_book(agent: str) -> bool:
    """Whether what this agent does has a textbook's tree."""
    return agent.partition(":")[0] in list(Algorithm)


def tree_address(path: str, ply: int, agent: str, *, present: bool) -> str:
    """Where this agent's search is walked through; nothing where it does not search so."""
    if not searches_by_the_book(agent):
        return ""
    return TreeLook(ply=ply, agent=agent, present=present).address(path)


def _settings(record: Record, ply: int, agent: str | None) -> tuple[Algorithm, int | None, str]:
    """Of the agent in the address, else of whoever plays and searches, the one to move first."""
    mover = record.match.states[ply].to_move
    specs = [agent] if agent else [record.seats[mover], record.seats[mover.other]]
    for spec in filter(searches_by_the_book, specs):
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
