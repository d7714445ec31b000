"""Matchboxes: how the positions and moves of a game fold into boxes and colours of beads.

Symmetric positions share a box; moves that lead to symmetric positions share a colour.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.compute.kernels import kernel
from agents.tabular.graph import Edges, Graph, graph_of
from engine.core import Game

FULL = (4, 3, 2, 1)  # beads of a colour in a new box, by how often its side has moved before


class Folding(NamedTuple):
    """How the edges of a game fold into boxes and colours, for the kernel."""

    box: NDArray[np.int32]  # [edge] -> box
    colour: NDArray[np.int32]  # [edge] -> colour, numbered over all boxes
    twins: NDArray[np.int32]  # [edge] -> edges of its state with the same colour
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
    """A box for each kind of state, a colour for each kind of state a move can lead to."""
    graph = graph_of(game)
    kind, _, _ = graph.tables.canonical()
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
        np.array(FULL, np.int32)[np.minimum(ply // 2, len(FULL) - 1)],
    )
    return Boxes(graph, folding, len(boxes))


def _numbered(one: NDArray[Any], other: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """(pairs, number): the different pairs in order, and which of them each pair is."""
    pairs, number = np.unique(np.stack([one, other], axis=1), axis=0, return_inverse=True)
    return pairs, number.reshape(-1)


@kernel
def depths(board: Edges) -> NDArray[np.int32]:
    """[state] -> the fewest plies that lead there; states are numbered breadth first."""
    depth = np.zeros(len(board.over), np.int32)
    for state in range(len(board.over)):
        for edge in range(board.first[state], board.first[state + 1]):
            after = board.after[edge]
            if after > 0 and (depth[after] == 0 or depth[state] + 1 < depth[after]):
                depth[after] = depth[state] + 1
    return depth
