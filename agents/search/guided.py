"""A search around anything that knows what moves are worth: a table, tuples, a network's Q.

PUCT as the network's own search has it, over the engine's states: what was learned says which
moves to look at first and what a position is worth where the tree ends; wins, losses and draws
are proven upwards. It shows what search adds to knowledge.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import exp, sqrt
from random import Random
from time import perf_counter
from typing import Any, Protocol

from agents.core import (
    Agent,
    Analysis,
    Candidate,
    Effort,
    Fact,
    Limit,
    Measure,
    conclude,
    even_chances,
)
from agents.formats import signed
from engine.core import Game, State
from engine.options import Kind, Option, Role, Values

EXPLORATION = 1.5
URGENCY = 0.2  # how much less than its parent an unvisited move is thought to be worth
SHARPNESS = 4.0  # of the chances that worths give moves


class Knowing(Agent[Any, Any], Protocol):
    """An agent that can say what moves are worth."""

    def worths(self, state: State[Any]) -> Mapping[Any, float]:
        """What each legal move is worth to the side to move, -1 to 1; empty if it cannot say."""


def search_option() -> Option:
    return Option(
        "search",
        Kind.INTEGER,
        0,
        "simulations it looks ahead before it moves, guided by what it has learned; 0: none",
        low=0,
        high=20_000,
        role=Role.PLAYING,
    )


def searched(game: Game[Any, Any], agent: Knowing, options: Values) -> Agent[Any, Any]:
    """The agent, with a search around it if the options want one."""
    simulations = options.integer("search")
    return Guided(game, agent, simulations) if simulations else agent


class Node:
    """A state in the tree; totals and proofs are for the side to move there."""

    __slots__ = ("children", "path", "proven", "state", "total", "value", "visits", "worths")

    def __init__(self, state: State[Any], path: tuple[State[Any], ...], game: Game[Any, Any]):
        self.state, self.path = state, (*path, state)
        self.visits, self.total, self.value = 0, 0.0, 0.0
        self.children: dict[Any, tuple[Node, float]] = {}  # with the chance of the move
        self.worths: Mapping[Any, float] = {}
        outcome = state.outcome()
        self.proven: float | None = None
        if outcome is not None:
            self.proven = float(outcome.score(state.to_move))
        elif self._is_drawn(game):
            self.proven = 0.0

    def _is_drawn(self, game: Game[Any, Any]) -> bool:
        long = game.ply_limit is not None and len(self.path) > game.ply_limit
        repeated = game.repetition and self.path.count(self.state) >= game.repetition
        return bool(long or repeated)

    def expand(self, game: Game[Any, Any], agent: Knowing) -> None:
        """Add a child for every legal move, and take over what the agent knows."""
        moves = self.state.legal_moves()
        self.worths = agent.worths(self.state)
        self.value = max(self.worths.values(), default=0.0)
        raised = [exp(SHARPNESS * self.worths.get(move, 0.0)) for move in moves]
        for move, weight in zip(moves, raised, strict=True):
            child = Node(self.state.play(move), self.path, game)
            self.children[move] = child, weight / sum(raised)
        self.prove()

    def prove(self) -> None:
        """Won if a move leads to a lost position; else, if all children are proven, the best."""
        known = [child.proven for child, _ in self.children.values()]
        if -1.0 in known:
            self.proven = 1.0
        elif known and None not in known:
            self.proven = max(-value for value in known if value is not None)

    def choose(self) -> Node:
        """The child to visit by PUCT: the first of the best, never a proven loss."""
        unvisited = self.total / max(1, self.visits) - URGENCY
        scale = EXPLORATION * sqrt(self.visits)
        return max(
            (
                (child.worth(unvisited) + scale * chance / (1 + child.visits), -at, child)
                for at, (child, chance) in enumerate(self.children.values())
                if child.proven != 1.0
            ),
            key=lambda found: found[:2],
        )[2]

    def worth(self, unvisited: float = 0.0) -> float:
        """What it is worth to the side that moves here."""
        if self.proven is not None:
            return -self.proven
        return -self.total / self.visits if self.visits else unvisited


@dataclass(frozen=True, eq=False)
class Guided:
    """Searches by what another agent knows, and plays the most visited move."""

    game: Game[Any, Any]
    agent: Knowing
    simulations: int

    def analyse(
        self,
        state: State[Any],
        *,
        limit: Limit,
        rng: Random,
        history: Sequence[State[Any]] = (),
        show: bool = False,
    ) -> Analysis[Any]:
        begun = perf_counter()
        extra: dict[str, Any] = {"show": True} if show else {}
        own = self.agent.analyse(state, limit=limit, rng=rng, history=history, **extra)
        most = self.simulations if limit.nodes is None else min(self.simulations, limit.nodes)
        before = history[:-1] if history and history[-1] == state else history
        root, done, depth = self.search(state, tuple(before), most, limit.depth)
        found = {move: child for move, (child, _) in root.children.items()}
        chances = even_chances(found, _best(root, found))
        visits = max(1, sum(child.visits for child in found.values()))
        candidates = [
            Candidate(
                move,
                max(-1.0, min(1.0, child.worth(root.worths.get(move, 0.0)))),
                chances[move],
                proven=child.proven is not None,
                share=child.visits / visits,
                line=(move,),
            )
            for move, child in found.items()
        ]

        def reason(move: Any) -> str:
            child = found[move]
            if child.proven is not None:
                return f"It has seen every end that {move} leads to."
            return (
                f"It tried {done:,} lines in its head: {child.visits:,} began with {move} and came "
                f"to {signed(child.worth())} on average (+1 is a win). "
                f"Without looking ahead it would have played {own.choice}."
            )

        analysis = conclude(
            candidates,
            reason,
            rng,
            evidence=[Fact("without a search", str(own.choice)), Fact("simulations", done)],
            effort=Effort(max(1, done), depth, perf_counter() - begun),
            measure=Measure.VISITS,
        )
        return replace(analysis, evidence=(*analysis.evidence, *own.evidence), exhibit=own.exhibit)

    def search(
        self, state: State[Any], before: tuple[State[Any], ...], most: int, depth: int | None
    ) -> tuple[Node, int, int]:
        """(root, simulations, deepest ply); ends when the root is proven."""
        root = Node(state, before, self.game)
        root.proven = None  # a match that goes on is not over here
        root.expand(self.game, self.agent)
        root.visits, root.total = 1, root.value
        done = deepest = 0
        while done < most and root.proven is None:
            line = [root]
            while line[-1].children and line[-1].proven is None:
                line.append(line[-1].choose())
            leaf = line[-1]
            if leaf.proven is None and (depth is None or len(line) <= depth):
                leaf.expand(self.game, self.agent)
            _tell(line)
            done, deepest = done + 1, max(deepest, len(line) - 1)
        return root, done, deepest


def _tell(line: list[Node]) -> None:
    """Count a simulation in all nodes on its way, from the leaf back."""
    value = 0.0
    for at, node in enumerate(reversed(line)):
        if at:
            node.prove()
            value = -value
        else:
            value = node.value
        value = value if node.proven is None else node.proven
        node.visits += 1
        node.total += value


def _best(root: Node, found: Mapping[Any, Node]) -> list[Any]:
    """The moves to play: by proof, else the most visited that are not proven to lose."""
    if root.proven is not None:
        return [move for move, child in found.items() if child.proven == -root.proven]
    open_moves = [move for move, child in found.items() if child.proven != 1.0]
    most = max((found[move].visits, root.worths.get(move, 0.0)) for move in open_moves)
    return [move for move in open_moves if (found[move].visits, root.worths.get(move, 0.0)) == most]
