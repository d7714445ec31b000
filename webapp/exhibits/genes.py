"""The genes of an evolved player, which of them applied here, and its ancestors."""

from __future__ import annotations

from dataclasses import dataclass

from agents.exhibits import GENERATIONS, Course, Gene, Genes, Offer
from webapp.charts import Chart, ChartLink
from webapp.exhibits.exhibit import ExhibitContext, Link, Settings, course_chart

MAX_CURVE_LINKS = 12  # on one line, so that each is wide enough to press


@dataclass(frozen=True, slots=True)
class GeneRow:
    """One gene with links that change it."""

    name: str
    says: str
    worth: str
    spoke: bool
    changes: tuple[Link, ...]


@dataclass(frozen=True, slots=True)
class NotedChart:
    """A chart with a note."""

    chart: Chart
    note: str


@dataclass(frozen=True, slots=True)
class Ancestor:
    """An earlier generation, to inspect and to play."""

    link: Link
    spec: str


@dataclass(frozen=True, slots=True)
class GenesView:
    """The genes, their effect in this position, and their evolution."""

    title: str
    sentence: str
    columns: tuple[str, str, str]
    genes: tuple[GeneRow, ...]
    changing: bool
    consequence: str
    figures: tuple[NotedChart, ...]
    ancestors: tuple[Ancestor, ...]
    begin: Settings  # hidden fields of the form that starts a match
    template: str = "exhibits/genes.html"
    sheets: tuple[str, ...] = ("charts/chart",)
    press: str | None = None


def genes_view(exhibit: Genes, context: ExhibitContext) -> GenesView:
    figures = [
        NotedChart(
            course_chart(course, _curve_links(course, exhibit.ancestors, context)), course.note
        )
        for course in exhibit.courses
    ]
    return GenesView(
        title=exhibit.title,
        sentence=exhibit.sentence,
        columns=exhibit.columns,
        genes=tuple(_row(gene, context) for gene in exhibit.genes),
        changing=any(gene.changes for gene in exhibit.genes),
        consequence=exhibit.consequence,
        figures=tuple(figures),
        ancestors=tuple(
            Ancestor(
                Link(offer.label, context.look_at(offer.settings)), context.spec_of(offer.settings)
            )
            for offer in exhibit.ancestors
        ),
        begin=context.begin,
    )


def _row(gene: Gene, context: ExhibitContext) -> GeneRow:
    changes = tuple(Link(offer.label, context.look_at(offer.settings)) for offer in gene.changes)
    return GeneRow(gene.name, gene.says, gene.worth, gene.spoke, changes)


def _curve_links(
    course: Course, ancestors: tuple[Offer, ...], context: ExhibitContext
) -> tuple[ChartLink, ...]:
    """Links from the points of the first line to the ancestors they stand for."""
    points = course.lines[0].points
    by_generation = course.unit == GENERATIONS and len(points) == len(ancestors)
    if course.stacked or not by_generation:
        return ()
    apart = (points[-1][0] - points[0][0]) / MAX_CURVE_LINKS
    presses: list[ChartLink] = []
    for (x, y), offer in zip(points, ancestors, strict=True):
        if not presses or x - presses[-1].x >= apart:
            presses.append(ChartLink(x, y, context.look_at(offer.settings), offer.label))
    return tuple(presses)
