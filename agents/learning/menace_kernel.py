"""Matchboxes: the boxes and colours of a game's positions and moves, and how beads are learned.

Symmetric positions share a box; moves that lead to symmetric positions share a colour.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.compute.kernels import kernel
from agents.compute.rng import Stream, random, seed_stream
from agents.tabular.graph import Edges, Graph, draw, graph_of
from engine.core import Game

NEW_BOX_BEADS = (4, 3, 2, 1)  # of each colour, by how often the side to move has moved before


class Folding(NamedTuple):
    """The boxes and colours of a game's edges, for the kernel."""

    box: NDArray[np.int32]  # [edge] -> box
    colour: NDArray[np.int32]  # [edge] -> colour, numbered over all boxes
    twins: NDArray[np.int32]  # [edge] -> the number of edges of its state with the same colour
    box_of: NDArray[np.int32]  # [colour] -> box
    full: NDArray[np.int32]  # [colour] -> beads in a new box


@dataclass(frozen=True, eq=False)
class Boxes:
    """The matchboxes of a game."""

    graph: Graph
    folding: Folding
    count: int


@lru_cache(maxsize=4)
def boxes_of(game: Game[Any, Any]) -> Boxes:
    """A box for each state up to symmetry, a colour for each such state a move leads to."""
    graph = graph_of(game)
    kind = graph.tables.canonical()
    boxes, box = np.unique(kind[graph.state], return_inverse=True)
    pairs, colour = _numbered(box, kind[graph.board.after])
    _, alike = _numbered(graph.state, colour)
    box_of = pairs[:, 0]
    ply = depths(graph.board)[boxes[box_of]]
    folding = Folding(
        box.astype(np.int32),
        colour.astype(np.int32),
        np.bincount(alike)[alike].astype(np.int32),
        box_of.astype(np.int32),
        np.array(NEW_BOX_BEADS, np.int32)[np.minimum(ply // 2, len(NEW_BOX_BEADS) - 1)],
    )
    return Boxes(graph, folding, len(boxes))


def _numbered(one: NDArray[Any], other: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """(the different pairs in order, the index of each pair among them)."""
    pairs, number = np.unique(np.stack([one, other], axis=1), axis=0, return_inverse=True)
    return pairs, number.reshape(-1)


@kernel
def depths(board: Edges) -> NDArray[np.int32]:
    """[state] -> the fewest plies to it; states are numbered breadth first."""
    depth = np.zeros(len(board.over), np.int32)
    for state in range(len(board.over)):
        for edge in range(board.first[state], board.first[state + 1]):
            after = board.after[edge]
            if after > 0 and (depth[after] == 0 or depth[state] + 1 < depth[after]):
                depth[after] = depth[state] + 1
    return depth


@kernel
def learn(
    board: Edges,
    odds: NDArray[np.float64],
    beads: NDArray[np.int32],
    opened: NDArray[np.int32],
    first: int,
    games: int,
    seed: int,
    folding: Folding,
    pay: NDArray[np.int32],
    max_plies: int,
) -> None:
    """Play games by drawing beads; after each, pay the colours that were drawn."""
    rng = np.zeros(1, np.uint64)
    path = np.empty(max_plies, np.int32)  # [ply] -> edge
    for game in range(first, first + games):
        seed_stream(rng, seed, game)
        seat = int(random(rng) < 0.5)
        state = plies = 0
        while not board.over[state] and plies < max_plies:
            if plies % 2 == seat:
                path[plies] = draw_bead(board, folding, beads, state, rng)
            else:
                path[plies] = draw(board, odds, state, rng)
            state = board.after[path[plies]]
            plies += 1
        for ply in range(seat, plies, 2):
            result = board.outcome[state] if (plies - ply) % 2 == 0 else -board.outcome[state]
            colour = folding.colour[path[ply]]
            opened[folding.box[path[ply]]] += 1
            beads[colour] = max(0, beads[colour] + pay[result + 1])
            restock(folding, beads, colour)


@kernel
def draw_bead(
    board: Edges, folding: Folding, beads: NDArray[np.int32], state: int, rng: Stream
) -> int:
    """Draw an edge by its colour's share of the beads, which its twins divide."""
    here, end = board.first[state], board.first[state + 1]
    total = 0.0
    for edge in range(here, end):
        total += beads[folding.colour[edge]] / folding.twins[edge]
    chance = random(rng) * total
    drawn = here
    for edge in range(here, end):
        weight = beads[folding.colour[edge]] / folding.twins[edge]
        if weight > 0.0:
            drawn = edge
            if chance < weight:
                break
            chance -= weight
    return int(drawn)


@kernel
def restock(folding: Folding, beads: NDArray[np.int32], colour: int) -> None:
    """Refill the colour's box where it is empty; Michie's machine resigned there."""
    box_of = folding.box_of
    first = last = colour
    while first > 0 and box_of[first - 1] == box_of[colour]:
        first -= 1
    while last + 1 < len(box_of) and box_of[last + 1] == box_of[colour]:
        last += 1
    if beads[first : last + 1].sum() == 0:
        beads[first : last + 1] = folding.full[first : last + 1]
