"""The kernel of MENACE: it plays the games, and puts beads in and takes them out after each."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from agents.compute.kernels import kernel
from agents.compute.rng import Luck, draw, random, seed_stream
from agents.learning.boxes import Folding
from agents.tabular.graph import Edges


@kernel
def learn(
    board: Edges,
    odds: NDArray[np.float64],
    folding: Folding,
    beads: NDArray[np.int32],
    opened: NDArray[np.int32],
    first: int,
    games: int,
    seed: int,
    pay: NDArray[np.int32],
    cap: int,
) -> None:
    """A bead from each box decides the move; after the game every such colour gets its pay."""
    luck = np.zeros(1, np.uint64)
    path = np.empty(cap, np.int32)  # [ply] -> edge
    for game in range(first, first + games):
        seed_stream(luck, seed, game)
        seat = int(random(luck) < 0.5)
        state = plies = 0
        while not board.over[state] and plies < cap:
            if plies % 2 == seat:
                path[plies] = draw_bead(board, folding, beads, state, luck)
            else:
                path[plies] = draw(board, odds, state, luck)
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
    board: Edges, folding: Folding, beads: NDArray[np.int32], state: int, luck: Luck
) -> int:
    """An edge with a chance as its colour's share of the beads, shared with its twins."""
    here, end = board.first[state], board.first[state + 1]
    total = 0.0
    for edge in range(here, end):
        total += beads[folding.colour[edge]] / folding.twins[edge]
    chance = random(luck) * total
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
    """An empty box is filled anew; Michie had it resign, but there is always a move to play."""
    box_of = folding.box_of
    first = last = colour
    while first > 0 and box_of[first - 1] == box_of[colour]:
        first -= 1
    while last + 1 < len(box_of) and box_of[last + 1] == box_of[colour]:
        last += 1
    if beads[first : last + 1].sum() == 0:
        beads[first : last + 1] = folding.full[first : last + 1]
