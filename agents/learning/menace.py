"""MENACE (Michie 1961): matchboxes of beads. A box for every position up to symmetry, a colour
for every move that differs; the bead drawn is the move, and the result adds beads or takes one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.arrays.graph import Edges
from agents.arrays.policies import odds_of
from agents.compute.kernels import kernel
from agents.core import Analysis, Candidate, Effort, Fact, Limit, Measure, conclude
from agents.errors import UnsuitableBrainError
from agents.learning.boxes import Boxes, Folding, boxes_of
from agents.learning.memory import schooling
from agents.learning.unmet import improvise
from agents.training.brains import Brain
from agents.training.course import against, begin, lessons, number, resumed
from agents.training.trainer import Checkpoint
from engine.core import Game, Options, State

KEY = "menace"
REFERENCE = "perfect"


def train(
    game: Game[Any, Any], options: Options, seed: int, resume: Brain | None = None
) -> Iterator[Checkpoint]:
    """Play, and after each game put beads in or take one out of every box that was opened."""
    boxes = boxes_of(game)
    total = int(number(options["games"]))
    brain = begin(KEY, game, options, seed, REFERENCE)
    beads, opened = boxes.folding.full.copy(), np.zeros(boxes.count, np.int32)
    if resume is not None:
        brain = resumed(resume, brain, total)
        beads, opened = (array.copy() for array in read(brain, boxes))
    odds = odds_of(str(options["opponent"]), game, alone=False)
    win, drawn, loss = (int(number(options[name])) for name in ("win", "draw", "loss"))
    pay = np.array([-loss, drawn, win], np.int32)  # [result + 1]

    def stretch(games: int, seed: int, _: float) -> None:
        learn(
            boxes.graph.board,
            odds,
            boxes.folding,
            beads,
            opened,
            games,
            seed,
            pay,
            boxes.graph.cap,
        )

    def measure() -> dict[str, float]:
        return against(REFERENCE, game, boxes.graph.spread_out(chances(boxes, beads, opened)))

    yield from lessons(brain, total, lambda: {"beads": beads, "opened": opened}, stretch, measure)


def read(brain: Brain, boxes: Boxes) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """(beads, opened): by colour and by box; raises UnsuitableBrainError."""
    beads = brain.array("beads", boxes.folding.full.shape, np.int32, low=0)
    opened = brain.array("opened", (boxes.count,), np.int32, low=0)
    if not np.bincount(boxes.folding.box_of, beads).all():
        raise UnsuitableBrainError(brain.agent, "a box of this brain is empty, as none ever is")
    return beads, opened


def chances(
    boxes: Boxes, beads: NDArray[np.int32], opened: NDArray[np.int32]
) -> NDArray[np.float64]:
    """[edge] -> the chance of drawing its bead, and plain sense where a box was never opened."""
    graph, folding = boxes.graph, boxes.folding
    weight = beads[folding.colour] / folding.twins
    drawn = weight / graph.total(weight)[graph.state]
    return np.where(opened[folding.box] > 0, drawn, graph.sensible)


@kernel
def learn(
    board: Edges,
    odds: NDArray[np.float64],
    folding: Folding,
    beads: NDArray[np.int32],
    opened: NDArray[np.int32],
    games: int,
    seed: int,
    pay: NDArray[np.int32],
    cap: int,
) -> None:
    """A bead from each box decides the move; after the game every such colour gets its pay."""
    np.random.seed(seed)
    path = np.empty(cap, np.int32)  # [ply] -> edge
    for _ in range(games):
        seat = int(np.random.random() < 0.5)
        state = plies = 0
        while not board.over[state] and plies < cap:
            if plies % 2 == seat:
                path[plies] = draw_bead(board, folding, beads, state)
            else:
                path[plies] = draw(board, odds, state)
            state = board.after[path[plies]]
            plies += 1
        for ply in range(seat, plies, 2):
            result = board.outcome[state] if (plies - ply) % 2 == 0 else -board.outcome[state]
            colour = folding.colour[path[ply]]
            opened[folding.box[path[ply]]] += 1
            beads[colour] = max(0, beads[colour] + pay[result + 1])
            restock(folding, beads, colour)


@kernel
def draw_bead(board: Edges, folding: Folding, beads: NDArray[np.int32], state: int) -> int:
    """An edge with a chance as its colour's share of the beads, shared with its twins."""
    here, end = board.first[state], board.first[state + 1]
    total = 0.0
    for edge in range(here, end):
        total += beads[folding.colour[edge]] / folding.twins[edge]
    luck = np.random.random() * total
    drawn = here
    for edge in range(here, end):
        weight = beads[folding.colour[edge]] / folding.twins[edge]
        if weight > 0.0:
            drawn = edge
            if luck < weight:
                break
            luck -= weight
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


@kernel
def draw(board: Edges, odds: NDArray[np.float64], state: int) -> int:
    """The opponent's edge: the first whose odds exceed a random number."""
    edge = board.first[state]
    luck = np.random.random()
    while odds[edge] <= luck:
        edge += 1
    return int(edge)


@dataclass(frozen=True, eq=False)
class Menace:
    """Draws a bead from the box of the position."""

    boxes: Boxes
    brain: Brain
    beads: NDArray[np.int32]  # [colour]
    opened: NDArray[np.int32]  # [box]
    chances: NDArray[np.float64]  # [edge]

    @classmethod
    def of(cls, game: Game[Any, Any], brain: Brain) -> Menace:
        boxes = boxes_of(game)
        beads, opened = read(brain, boxes)
        return cls(boxes, brain, beads, opened, chances(boxes, beads, opened))

    def analyse(
        self, state: State[Any], *, limit: Limit, rng: Random, history: Sequence[State[Any]] = ()
    ) -> Analysis[Any]:
        begun = perf_counter()
        graph, folding = self.boxes.graph, self.boxes.folding
        edges = graph.edges(graph.tables.number[state])
        opened = int(self.opened[folding.box[edges][0]])
        if not opened:
            return improvise(state, limit, rng, schooling(self.brain))
        moves = state.legal_moves()
        beads = dict(zip(moves, self.beads[folding.colour[edges]].tolist(), strict=True))
        colours = len(set(folding.colour[edges].tolist()))
        held = int(self.beads[np.unique(folding.colour[edges])].sum())
        candidates = [
            # Beads say how often a move is drawn, not what it is worth.
            Candidate(move, chance=chance, share=chance, line=(move,))
            for move, chance in zip(moves, self.chances[edges].tolist(), strict=True)
        ]
        return conclude(
            candidates,
            lambda move: explain(move, beads, held, colours),
            rng,
            evidence=[
                Fact("times met", opened),
                Fact("beads in the box", held),
                Fact("colours", colours),
                *(Fact(f"beads for {move}", number) for move, number in beads.items()),
                *schooling(self.brain),
            ],
            effort=Effort(nodes=1, seconds=perf_counter() - begun),
            measure=Measure.BEADS,
        )


def explain(move: Any, beads: dict[Any, int], held: int, colours: int) -> str:
    """Why this move, from the beads alone."""
    told = f"The box holds {held:,} beads, {beads[move]:,} of them for {move}"
    if colours == 1:
        return f"{told}: every move here looks the same to it."
    rivals = [other for other in beads if beads[other] > beads[move]]
    if not rivals:
        return f"{told}; no other move has more."
    most = max(rivals, key=lambda other: beads[other])
    return f"{told}: a rarer draw, {most} has {beads[most]:,}."
