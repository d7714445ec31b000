"""MENACE (Michie 1961): matchboxes of beads. A box for every position up to symmetry, a colour for
every move up to symmetry; the bead drawn is the move, and the result adds or removes beads."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.core import Candidate, Fact, Measure
from agents.entry import Entry, Technique, only
from agents.errors import UnsuitableBrainError
from agents.exhibits import Bead, Matchbox, Offer
from agents.learning.common import Row, TableAgent, TabularLearner, row_of
from agents.learning.menace_kernel import Boxes, boxes_of, learn
from agents.training.brains import Brain
from agents.training.curve_exhibit import curve_of
from agents.training.loop import Arrays, Points, games_option
from agents.training.opponents import Opponents, opponent_option
from engine.core import Game, Seat, State
from engine.options import Kind, Option, Values

OFFERED_GAMES = (1, 10, 100, 1_000, 20_000)  # of less trained versions to compare with


@dataclass(frozen=True)
class Matchboxes(TabularLearner):
    """After each game, adds or removes beads in every box that was opened."""

    key = "menace"
    reference = "perfect"
    points = Points(evenly=500)
    alone = False
    update = staticmethod(learn)

    def table(self, game: Game[Any, Any]) -> Arrays:
        boxes = boxes_of(game)
        return {"beads": boxes.folding.full, "opened": np.zeros(boxes.count, np.int32)}

    def read(self, game: Game[Any, Any], brain: Brain) -> Arrays:
        table = super().read(game, brain)
        if not np.bincount(boxes_of(game).folding.box_of, table["beads"]).all():
            raise UnsuitableBrainError(brain.agent, "a box of this brain is empty, as none ever is")
        return table

    def parameters(self, game: Game[Any, Any], options: Values) -> tuple[Any, ...]:
        win, drawn, loss = (options.integer(name) for name in ("win", "draw", "loss"))
        return boxes_of(game).folding, np.array([-loss, drawn, win], np.int32)  # [result + 1]

    def chances(
        self, game: Game[Any, Any], table: Arrays, looks: bool = True
    ) -> NDArray[np.float64]:
        """The chance of its bead, or the fallback's where the box was never opened."""
        graph, folding = boxes_of(game).graph, boxes_of(game).folding
        weight = table["beads"][folding.colour] / folding.twins
        drawn = weight / graph.total(weight)[graph.state]
        return np.where(table["opened"][folding.box] > 0, drawn, graph.fallback)

    def agent(self, game: Game[Any, Any], brain: Brain, options: Values) -> Menace:
        table = self.read(game, brain)
        arrays = (*table.values(), self.chances(game, table))
        return Menace(self.opponents, game, brain, True, boxes_of(game), *arrays)


@dataclass(frozen=True, eq=False)
class Menace(TableAgent):
    """Draws a bead from the box of the position."""

    boxes: Boxes
    beads: NDArray[np.int32]  # [colour]
    opened: NDArray[np.int32]  # [box]
    chances: NDArray[np.float64]  # [edge]

    measure = Measure.BEADS

    def row(self, state: State[Any]) -> Row:
        """The beads for each move, and how often the box was opened."""
        graph, folding = self.boxes.graph, self.boxes.folding
        edges = graph.edges(graph.tables.number[state])
        beads, opened = self.beads[folding.colour[edges]], self.opened[folding.box[edges]]
        return row_of(state, beads, opened, self.chances[edges])

    def candidate(self, move: Any, row: Row) -> Candidate[Any]:
        """Beads are chances and no values."""
        chance, beads = row.chances[move], row.numbers[move]
        return Candidate(move, chance=chance, share=chance, figure=beads, line=(move,))

    def colours(self, state: State[Any]) -> dict[int, list[str]]:
        """The moves of each colour in the box of a state."""
        graph = self.boxes.graph
        edges = graph.edges(graph.tables.number[state])
        by_colour: dict[int, list[str]] = {}
        colours = self.boxes.folding.colour[edges].tolist()
        for move, colour in zip(state.legal_moves(), colours, strict=True):
            by_colour.setdefault(colour, []).append(str(move))
        return by_colour

    def count(self, state: State[Any]) -> int:
        """The beads in the box of a state."""
        return sum(int(self.beads[colour]) for colour in self.colours(state))

    def reason(self, state: State[Any], move: Any, row: Row) -> str:
        beads = row.numbers
        shared = next(moves for moves in self.colours(state).values() if str(move) in moves)
        whole = self.count(state)
        every = beads[move] == whole
        text = (
            f"The box holds {whole:,} beads, {'all' if every else f'{beads[move]:,}'} of them for "
            f"{' and '.join(shared) if len(shared) < 3 else ', '.join(shared)}"
        )
        if len(self.colours(state)) == 1:
            return f"{text}: every move here looks the same to it."
        if every:
            return f"{text}."
        rivals = [other for other in beads if beads[other] > beads[move]]
        if not rivals:
            return f"{text}; no other move has more."
        most = max(rivals, key=lambda other: beads[other])
        return f"{text}: a rarer draw, {most} has {beads[most]:,}."

    def evidence(self, state: State[Any], row: Row) -> list[Fact]:
        return [
            Fact("times met", max(row.tried.values())),
            Fact("beads in the box", self.count(state)),
            Fact("colours", len(self.colours(state))),
            *(
                Fact(f"beads for {', '.join(moves)}", int(self.beads[colour]))
                for colour, moves in self.colours(state).items()
            ),
        ]

    def exhibit(self, state: State[Any], row: Row) -> Matchbox:
        """The box of a position: every colour with its moves, and how likely one is played."""
        chances = {str(move): chance for move, chance in row.chances.items()}
        beads = [
            Bead(tuple(moves), int(self.beads[colour]), sum(chances[move] for move in moves))
            for colour, moves in self.colours(state).items()
        ]
        parameters = self.brain.parameters
        win, drawn, loss = (int(str(parameters[name])) for name in ("win", "draw", "loss"))
        return Matchbox(
            state=str(state),
            beads=tuple(sorted(beads, key=lambda bead: -bead.count)),
            met=max(row.tried.values()),
            pay=(win, drawn, loss),
            games=self.brain.steps,
            opponent=str(parameters["opponent"]),
            shelf=self.box_list,
            counted=self.coverage,
            ages=tuple(
                Offer(
                    f"{age:,} {'game' if age == 1 else 'games'}",
                    (("games", str(age)), ("brain", "")),
                )
                for age in OFFERED_GAMES
            ),
            course=curve_of(self.opponents, self.brain, self.game),
        )

    @cached_property
    def box_list(self) -> str:
        """A line for each box: a star if it was opened, beads by colour, position."""
        kinds, first = np.unique(self.boxes.folding.box, return_index=True)  # [box] -> an edge
        states = self.boxes.graph.tables.states
        lines = []
        for box, edge in zip(kinds.tolist(), first.tolist(), strict=True):
            state = states[self.boxes.graph.state[edge]]
            beads = [
                f"{moves[0]}={self.beads[colour]}" for colour, moves in self.colours(state).items()
            ]
            star = "*" if self.opened[box] else "-"
            lines.append(f"{star} {','.join(beads)} {state}")
        return "\n".join(lines)

    @cached_property
    def coverage(self) -> str:
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


def _beads(name: str, default: int, what: str) -> Option:
    return Option(name, Kind.INTEGER, default, what, low=0, high=100)


def entry(opponents: Opponents) -> Entry:
    return Matchboxes(opponents).entry(
        title="MENACE",
        technique=Technique.LEARNING,
        order=4,
        description=(
            "Donald Michie's machine of 1961: a matchbox for every position, a bead for a "
            "move. Wins and draws add beads, a loss takes one away."
        ),
        options=(
            games_option(20_000),
            opponent_option("perfect"),
            _beads("win", 3, "beads added for a win"),
            _beads("draw", 1, "beads added for a draw"),
            _beads("loss", 1, "beads taken for a loss"),
        ),
        refuses=only("tictactoe"),
        lessons=True,
    )
