"""Widgets of evolution: a generation on the landscape of its genes, its diversity, and one child
followed from its parents."""

from __future__ import annotations

from dataclasses import dataclass

from agents.evolution.rules_exhibit import (
    LANDSCAPE_POINTS,
    Individual,
    diversity,
    generation,
    odd_class,
)
from agents.formats import decimal, portion
from webapp.charts import Chart, Curve, chart
from webapp.learn.markup import figure_value
from webapp.learn.positions import read_position
from webapp.learn.widgets.learning import MAX_GENERATIONS
from webapp.learn.widgets.widget import START_AGAIN, Button, Widget, held_number

GENES = ("odd", "first", "all")
CELL = 10  # of the map, in units of its drawing
LEVELS = 10  # shades
Living = tuple[Individual, ...]  # of one generation, best first


@dataclass(frozen=True, slots=True)
class Patch:
    """A field of the map: its place and its shade."""

    x: int
    y: int
    level: int


@dataclass(frozen=True, slots=True)
class Dot:
    """A player on the map."""

    x: float
    y: float
    best: bool


@dataclass(frozen=True, slots=True)
class Descent:
    """A child beside its parents, gene by gene."""

    title: str  # A crossover
    parents: tuple[str, str]  # player 1, player 3
    rows: tuple[tuple[str, str, str, str, str], ...]  # gene, of both parents, of the child, whose
    sentence: str


class Landscape(Widget):
    """The generation in the state on the heat map of `first` and `all`."""

    template = "learn/widgets/landscape.html"
    sheets = ("charts/chart",)

    def __init__(self, about: str, held: str) -> None:
        self.position = read_position(about)
        spec = self.position.game.spec
        number = held_number(held, MAX_GENERATIONS)
        past = [generation(spec, each) for each in range(number + 1)]
        living = past[-1]
        heaps = len(self.position.game.start.heaps)
        best = living[0]
        level = figure_value(self.needs(about)[0])[odd_class(best.genome.odd, heaps)]
        shares = [share for row in level for share in row]
        self.low, self.high = min(shares), max(shares)
        self.size = CELL * LANDSCAPE_POINTS
        self.patches = tuple(
            Patch(x * CELL, self.size - (y + 1) * CELL, self._level(share))
            for y, row in enumerate(level)
            for x, share in enumerate(row)
        )
        self.table = tuple(
            (f"{y / (LANDSCAPE_POINTS - 1):.0%}", tuple(portion(share) for share in row))
            for y, row in reversed(list(enumerate(level)))
        )
        self.columns = tuple(f"{x / (LANDSCAPE_POINTS - 1):.0%}" for x in range(LANDSCAPE_POINTS))
        self.dots = tuple(self._dot(one, best=one is best) for one in reversed(living))
        self.shades = f"{portion(self.low)} (faint) to {portion(self.high)} (strong) of games won"
        self.status = (
            f"Generation {number}: the best wins {portion(best.wins)}; two players differ by "
            f"{decimal(diversity(living))} a gene on average."
        )
        self.note = f"odd is {best.genome.odd:.0%}, as in the best player."
        self.chart = _chart(past) if number else None
        self.followed = tuple(
            found
            for found in (_crossover(living, past), _mutation(living, past))
            if found is not None
        )
        self.presses = _presses(number)

    def _level(self, share: float) -> int:
        span = self.high - self.low
        return min(LEVELS - 1, int((share - self.low) / span * LEVELS)) if span else 0

    def _dot(self, one: Individual, *, best: bool) -> Dot:
        """A gene of 0 is the middle of the first field, one of 1 that of the last."""
        across, up = (CELL / 2 + gene * (self.size - CELL) for gene in one.genes[1:])
        return Dot(round(across, 1), round(self.size - up, 1), best)

    @staticmethod
    def needs(about: str) -> tuple[str]:
        """The share of wins at every point of the map."""
        return (f"landscape {about}",)


def _presses(number: int) -> tuple[Button, ...]:
    presses = []
    if number < MAX_GENERATIONS:
        presses.append(Button(str(number + 1), "Breed one generation", look="primary"))
        presses.append(Button(str(min(number + 5, MAX_GENERATIONS)), "Five more"))
    return (*presses, START_AGAIN) if number else tuple(presses)


def _chart(past: list[Living]) -> Chart:
    """The best, the mean and how much players differ, by generation."""
    means = [sum(one.wins for one in living) / len(living) for living in past]
    lines = [
        Curve("best", "win", tuple((at, living[0].wins) for at, living in enumerate(past))),
        Curve("mean", "first", tuple(enumerate(means))),
        Curve("diversity", "muted", tuple((at, diversity(each)) for at, each in enumerate(past))),
    ]
    title = "Games won by the best and on average, and how much players differ, by generation"
    return chart(title, lines, x_name="generations")


def _crossover(living: tuple[Individual, ...], past: list[Living]) -> Descent | None:
    """A child with genes of both parents and none drawn anew, if there is one."""
    found = [one for one in living if len({*one.donors}) == 2 and None not in one.donors]
    return _descent("A crossover", found[0], past[-2]) if found else None


def _mutation(living: Living, past: list[Living]) -> Descent | None:
    """A child with a gene that neither parent gave it, if there is one."""
    found = [one for one in living if None in one.donors]
    return _descent("A mutation", found[0], past[-2]) if found else None


def _descent(title: str, child: Individual, before: Living) -> Descent:
    one, other = sorted(child.parents)
    mother, father = before[one], before[other]
    rows = []
    for at, gene in enumerate(GENES):
        donor = child.donors[at]
        whose = "drawn anew" if donor is None else f"from player {donor + 1}"
        one_gene, other_gene, own = (f"{each.genes[at]:.0%}" for each in (mother, father, child))
        rows.append((gene, one_gene, other_gene, own, whose))
    better = max(mother.wins, father.wins)
    told = "better" if child.wins > better else "as good" if child.wins == better else "worse"
    compared = "as good as" if told == "as good" else f"{told} than"
    sentence = (
        f"It wins {portion(child.wins)}: {compared} its better parent, with {portion(better)}."
    )
    parents = (f"player {one + 1}", f"player {other + 1}")
    return Descent(title, parents, tuple(rows), sentence)


WIDGETS = {"landscape": Landscape}
