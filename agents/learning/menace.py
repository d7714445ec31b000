"""MENACE (Michie 1961): matchboxes of beads. A box for every position up to symmetry, a colour for
every move up to symmetry; the bead drawn is the move, and the result adds or removes beads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from random import Random
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.core import Analysis, Candidate, Effort, Fact, Limit, Measure, conclude
from agents.errors import UnsuitableBrainError
from agents.exhibits import Bead, Matchbox, Offer
from agents.learning.common import training_facts
from agents.learning.fallback import one_move_ahead
from agents.learning.matchboxes import Boxes, boxes_of, learn
from agents.training.brains import Brain
from agents.training.curves import curve_of
from agents.training.loop import Lessons, Points, begin, course, kernel_seed, resumed
from agents.training.opponents import Opponents
from agents.training.trainer import Checkpoint
from engine.core import Game, Seat, State
from engine.options import Values

KEY = "menace"
REFERENCE = "perfect"
POINTS = Points(evenly=500)
OFFERED_GAMES = (1, 10, 100, 1_000, 20_000)  # of less trained versions to compare with


def train(
    opponents: Opponents,
    game: Game[Any, Any],
    options: Values,
    seed: int,
    resume: Brain | None = None,
) -> Iterator[Checkpoint]:
    """Train: after each game, add or remove beads in every box that was opened."""
    boxes = boxes_of(game)
    total = options.integer("games")
    brain = begin(KEY, game, options, seed, REFERENCE)
    beads, opened = boxes.folding.full.copy(), np.zeros(boxes.count, np.int32)
    if resume is not None:
        brain = resumed(resume, brain, total)
        beads, opened = (array.copy() for array in read(brain, boxes))
    odds = opponents.odds(options.text("opponent"), game, alone=False)
    win, drawn, loss = (options.integer(name) for name in ("win", "draw", "loss"))
    pay = np.array([-loss, drawn, win], np.int32)  # [result + 1]
    graph, folding, root = boxes.graph, boxes.folding, kernel_seed(seed)

    def learn_games(first: int, games: int) -> None:
        learn(graph.board, odds, folding, beads, opened, first, games, root, pay, graph.cap)

    def measure() -> dict[str, float]:
        return opponents.results(REFERENCE, game, graph.spread_out(chances(boxes, beads, opened)))

    lessons = Lessons(learn_games, measure, lambda: {"beads": beads, "opened": opened})
    return course(brain, total, POINTS, lessons)


def read(brain: Brain, boxes: Boxes) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """(beads by colour, times opened by box); raises UnsuitableBrainError."""
    beads = brain.array("beads", boxes.folding.full.shape, np.int32, low=0)
    opened = brain.array("opened", (boxes.count,), np.int32, low=0)
    if not np.bincount(boxes.folding.box_of, beads).all():
        raise UnsuitableBrainError(brain.agent, "a box of this brain is empty, as none ever is")
    return beads, opened


def chances(
    boxes: Boxes, beads: NDArray[np.int32], opened: NDArray[np.int32]
) -> NDArray[np.float64]:
    """[edge] -> its chance: that of its bead, or the fallback's where the box was never opened."""
    graph, folding = boxes.graph, boxes.folding
    weight = beads[folding.colour] / folding.twins
    drawn = weight / graph.total(weight)[graph.state]
    return np.where(opened[folding.box] > 0, drawn, graph.sensible)


@dataclass(frozen=True, eq=False)
class Menace:
    """Draws a bead from the box of the position."""

    opponents: Opponents
    boxes: Boxes
    brain: Brain
    beads: NDArray[np.int32]  # [colour]
    opened: NDArray[np.int32]  # [box]
    chances: NDArray[np.float64]  # [edge]

    @cached_property
    def box_list(self) -> str:
        """A line for each box: a star where it was opened, beads by colour, position."""
        kinds, first = np.unique(self.boxes.folding.box, return_index=True)  # [box] -> an edge
        states = self.boxes.graph.tables.states
        lines = []
        for box, edge in zip(kinds.tolist(), first.tolist(), strict=True):
            beads = self.beads[self.boxes.folding.box_of == box].tolist()
            star = "*" if self.opened[box] else "-"
            lines.append(
                f"{star} {','.join(map(str, beads))} {states[self.boxes.graph.state[edge]]}"
            )
        return "\n".join(lines)

    @cached_property
    def boxes_counted(self) -> str:
        """A sentence on how many boxes there are, how many Michie had and how many were opened."""
        graph = self.boxes.graph
        _, first = np.unique(self.boxes.folding.box, return_index=True)
        states = [graph.tables.states[state] for state in graph.state[first]]
        michies = sum(
            state.to_move is Seat.FIRST and len(state.legal_moves()) > 1 for state in states
        )
        opened = int((self.opened > 0).sum())
        return (
            f"It has {len(states)} boxes, because it plays both seats; {michies} of them are those "
            f"of Michie, in which the first player has a choice. In {self.brain.steps:,} games it "
            f"has opened {opened}."
        )

    @classmethod
    def of(cls, opponents: Opponents, game: Game[Any, Any], brain: Brain) -> Menace:
        boxes = boxes_of(game)
        beads, opened = read(brain, boxes)
        return cls(opponents, boxes, brain, beads, opened, chances(boxes, beads, opened))

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
        graph, folding = self.boxes.graph, self.boxes.folding
        edges = graph.edges(graph.tables.number[state])
        opened = int(self.opened[folding.box[edges][0]])
        exhibit = matchbox(self, state) if show else None
        if not opened:
            return replace(
                one_move_ahead(state, limit, rng, training_facts(self.brain)), exhibit=exhibit
            )
        moves = state.legal_moves()
        beads = dict(zip(moves, self.beads[folding.colour[edges]].tolist(), strict=True))
        colours = len(set(folding.colour[edges].tolist()))
        total = int(self.beads[np.unique(folding.colour[edges])].sum())
        candidates = [
            # Beads are chances and no values.
            Candidate(move, chance=chance, share=chance, figure=beads[move], line=(move,))
            for move, chance in zip(moves, self.chances[edges].tolist(), strict=True)
        ]
        return conclude(
            candidates,
            lambda move: explain(move, beads, total, colours),
            rng,
            evidence=[
                Fact("times met", opened),
                Fact("beads in the box", total),
                Fact("colours", colours),
                *(Fact(f"beads for {move}", number) for move, number in beads.items()),
                *training_facts(self.brain),
            ],
            effort=Effort(nodes=1, seconds=perf_counter() - begun),
            measure=Measure.BEADS,
            exhibit=exhibit,
        )


def matchbox(menace: Menace, state: State[Any]) -> Matchbox:
    """The exhibit of a position's box: every colour with its moves."""
    graph, folding = menace.boxes.graph, menace.boxes.folding
    edges = graph.edges(graph.tables.number[state])
    colours = folding.colour[edges].tolist()
    by_colour: dict[int, list[str]] = {}
    for move, colour in zip(state.legal_moves(), colours, strict=True):
        by_colour.setdefault(colour, []).append(str(move))
    total = sum(int(menace.beads[colour]) for colour in by_colour)
    beads = [
        Bead(tuple(moves), count := int(menace.beads[colour]), count / total)
        for colour, moves in by_colour.items()
    ]
    parameters = menace.brain.parameters
    win, drawn, loss = (int(str(parameters[name])) for name in ("win", "draw", "loss"))
    return Matchbox(
        state=str(state),
        beads=tuple(sorted(beads, key=lambda bead: -bead.count)),
        met=int(menace.opened[folding.box[edges][0]]),
        pay=(win, drawn, loss),
        games=menace.brain.steps,
        shelf=menace.box_list,
        counted=menace.boxes_counted,
        ages=tuple(
            Offer(
                f"{age:,} {'game' if age == 1 else 'games'}", (("games", str(age)), ("brain", ""))
            )
            for age in OFFERED_GAMES
        ),
        course=curve_of(menace.opponents, menace.brain, menace.boxes.graph.tables.game),
    )


def explain(move: Any, beads: dict[Any, int], total: int, colours: int) -> str:
    """The reason for a move: its beads compared with the others'."""
    text = f"The box holds {total:,} beads, {beads[move]:,} of them for {move}"
    if colours == 1:
        return f"{text}: every move here looks the same to it."
    rivals = [other for other in beads if beads[other] > beads[move]]
    if not rivals:
        return f"{text}; no other move has more."
    most = max(rivals, key=lambda other: beads[other])
    return f"{text}: a rarer draw, {most} has {beads[most]:,}."
