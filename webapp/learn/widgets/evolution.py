"""Widgets that sample: `breeding` evolves three genes for Nim, `playouts` shows Monte Carlo."""

from __future__ import annotations

from dataclasses import dataclass

from agents.evolution.rules_demo import POPULATION, Individual, generation
from agents.exhibits import Sample, Samples
from agents.formats import portion
from webapp.exhibits.monte_carlo import SamplesView, samples_view
from webapp.learn.positions import Position, read_position
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


@dataclass(frozen=True, slots=True)
class BreedingView:
    """A generation."""

    rows: tuple[BredRow, ...]
    rule: str
    status: str
    presses: tuple[Button, ...]
    position: Position
    template: str = "learn/widgets/breeding.html"
    sheets: tuple[str, ...] = ("exhibits/exhibits",)


def breeding_view(about: str, held: str) -> BreedingView:
    """The generation in the state."""
    position = read_position(about)
    spec = position.game.spec
    number = min(int(held), MAX_GENERATIONS) if held.isdecimal() and len(held) < 4 else 0
    living = generation(spec, number)
    presses = []
    if number < MAX_GENERATIONS:
        presses.append(Button(str(number + 1), "Breed one generation", look="primary"))
        presses.append(Button(str(min(number + 5, MAX_GENERATIONS)), "Five more"))
    if number:
        presses.append(Button("", "Start again"))
    return BreedingView(
        rows=tuple(_row(at, one) for at, one in enumerate(living)),
        rule=position.rule,
        status=f"Generation {number}: the best wins {portion(living[0].wins)}, the mean is "
        f"{portion(sum(one.wins for one in living) / len(living))}.",
        presses=tuple(presses),
        position=position,
    )


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


@dataclass(frozen=True, slots=True)
class PlayoutsView:
    """One stage of the playouts, and buttons for the others."""

    exhibit: SamplesView
    steps: tuple[Button, ...]
    position: Position
    template: str = "learn/widgets/playouts.html"
    sheets: tuple[str, ...] = ("exhibits/exhibits",)


def _figure(about: str) -> str:
    return f"samples {about}"


def playouts_view(about: str, held: str) -> PlayoutsView:
    """The stage in the state, else the first."""
    position = read_position(about)
    stages = tuple(
        (games, tuple(Sample(*row) for row in rows)) for games, rows in figure_value(_figure(about))
    )
    numbers = [games for games, _ in stages]
    step = int(held) if held in map(str, numbers) else numbers[0]
    return PlayoutsView(
        exhibit=samples_view(Samples(stages, ()), exhibit_stand(position, step)),
        steps=tuple(Button(str(games), f"{games:,}", current=games == step) for games in numbers),
        position=position,
    )


WIDGETS = {
    "breeding": Widget(breeding_view),
    "playouts": Widget(playouts_view, lambda about: (_figure(about),)),
}
