"""Genes in words, which of them spoke here, and the generations they came from."""

from __future__ import annotations

from dataclasses import dataclass

from agents.exhibits import GENERATIONS, Course, Gene, Genes, Offer
from webapp.charts import Chart, Press
from webapp.exhibits.exhibit import Link, Settings, Stand, course_chart

MOST_PRESSES = 12  # on one line, so that each can be pressed


@dataclass(frozen=True, slots=True)
class GeneRow:
    """One gene, and the ways to change it."""

    name: str
    says: str
    worth: str
    spoke: bool
    changes: tuple[Link, ...]


@dataclass(frozen=True, slots=True)
class ToldChart:
    """A chart with a word about it."""

    chart: Chart
    note: str


@dataclass(frozen=True, slots=True)
class Ancestor:
    """Who it was in an earlier generation, to look at and to play."""

    link: Link
    spec: str


@dataclass(frozen=True, slots=True)
class GenesView:
    """The genes, what they say here, and how they came to be."""

    title: str
    sentence: str
    columns: tuple[str, str, str]
    genes: tuple[GeneRow, ...]
    changing: bool
    consequence: str
    figures: tuple[ToldChart, ...]
    ancestors: tuple[Ancestor, ...]
    begin: Settings  # fields of the form that begins a match
    template: str = "exhibits/genes.html"
    sheets: tuple[str, ...] = ("charts/chart",)
    press: str | None = None


def genes_view(shown: Genes, stand: Stand) -> GenesView:
    figures = [
        ToldChart(course_chart(course, _presses(course, shown.ancestors, stand)), course.note)
        for course in shown.courses
    ]
    return GenesView(
        title=shown.title,
        sentence=shown.sentence,
        columns=shown.columns,
        genes=tuple(_row(gene, stand) for gene in shown.genes),
        changing=any(gene.changes for gene in shown.genes),
        consequence=shown.consequence,
        figures=tuple(figures),
        ancestors=tuple(
            Ancestor(
                Link(offer.label, stand.look_at(offer.settings)), stand.spec_of(offer.settings)
            )
            for offer in shown.ancestors
        ),
        begin=stand.begin,
    )


def _row(gene: Gene, stand: Stand) -> GeneRow:
    changes = tuple(Link(offer.label, stand.look_at(offer.settings)) for offer in gene.changes)
    return GeneRow(gene.name, gene.says, gene.worth, gene.spoke, changes)


def _presses(course: Course, ancestors: tuple[Offer, ...], stand: Stand) -> tuple[Press, ...]:
    """The points of the first line lead to whoever stood there, where that is an ancestor."""
    points = course.lines[0].points
    by_generation = course.unit == GENERATIONS and len(points) == len(ancestors)
    if course.stacked or not by_generation:
        return ()
    apart = (points[-1][0] - points[0][0]) / MOST_PRESSES
    presses: list[Press] = []
    for (x, y), offer in zip(points, ancestors, strict=True):
        if not presses or x - presses[-1].x >= apart:
            presses.append(Press(x, y, stand.look_at(offer.settings), offer.label))
    return tuple(presses)
