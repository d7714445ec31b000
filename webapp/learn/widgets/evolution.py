"""Widgets that sample: `breeding` evolves three genes for Nim, `playouts` shows Monte Carlo."""

from __future__ import annotations

from dataclasses import dataclass

from agents.evolution.rules_demo import POPULATION, Individual, generation
from agents.exhibits import Sample, Samples
from agents.formats import portion
from webapp.exhibits.monte_carlo import samples_view
from webapp.learn.positions import read_position
from webapp.learn.texts import figure_value
from webapp.learn.widgets.widget import Button, Widget, exhibit_stand

MAX_GENERATIONS = 12


@dataclass(frozen=True, slots=True)
class BredRow:
    """One individual."""

    place: str
    genes: tuple[str, str, str]
    wins: str
    width: float
    origin: str  # lived on, child of 1 and 3, drawn at random
    doomed: bool  # in the worse half, which is replaced


class Breeding:
    """The generation in the state."""

    template = "learn/widgets/breeding.html"
    sheets = ("exhibits/exhibits",)

    def __init__(self, about: str, held: str) -> None:
        self.position = read_position(about)
        self.rule = self.position.rule
        number = min(int(held), MAX_GENERATIONS) if held.isdecimal() and len(held) < 4 else 0
        living = generation(self.position.game.spec, number)
        self.rows = tuple(_row(at, one) for at, one in enumerate(living))
        mean = sum(one.wins for one in living) / len(living)
        self.status = (
            f"Generation {number}: the best wins {portion(living[0].wins)}, the mean is "
            f"{portion(mean)}."
        )
        presses = []
        if number < MAX_GENERATIONS:
            presses.append(Button(str(number + 1), "Breed one generation", look="primary"))
            presses.append(Button(str(min(number + 5, MAX_GENERATIONS)), "Five more"))
        if number:
            presses.append(Button("", "Start again"))
        self.presses = tuple(presses)


def _row(at: int, one: Individual) -> BredRow:
    genes = one.genome
    origin = "drawn at random"
    if len(one.parents) == 1:
        origin = "lived on"
    elif one.parents:
        origin = " and ".join(str(parent + 1) for parent in sorted(one.parents))
        origin = f"child of {origin}"
    return BredRow(
        place=str(at + 1),
        genes=(f"{genes.odd:.0%}", f"{genes.first:.0%}", f"{genes.all:.0%}"),
        wins=portion(one.wins),
        width=round(one.wins, 4),
        origin=origin,
        doomed=at >= POPULATION // 2,
    )


class Playouts:
    """The stage of the playouts in the state, else the first, and buttons for the others."""

    template = "learn/widgets/playouts.html"
    sheets = ("exhibits/exhibits",)

    def __init__(self, about: str, held: str) -> None:
        self.position = read_position(about)
        found = figure_value(_figure(about))
        stages = tuple((games, tuple(Sample(*row) for row in rows)) for games, rows in found)
        numbers = [games for games, _ in stages]
        step = int(held) if held in map(str, numbers) else numbers[0]
        self.exhibit = samples_view(Samples(stages, ()), exhibit_stand(self.position, step))
        self.steps = tuple(
            Button(str(games), f"{games:,}", current=games == step) for games in numbers
        )


def _figure(about: str) -> str:
    return f"samples {about}"


WIDGETS = {
    "breeding": Widget(Breeding),
    "playouts": Widget(Playouts, lambda about: (_figure(about),)),
}
