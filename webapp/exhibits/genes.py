"""The genes of an evolved player, which of them applied here, and its ancestors."""

from __future__ import annotations

from dataclasses import dataclass

from agents.exhibits import GENERATIONS, Course, Gene, Genes, Offer
from webapp.charts import Chart, ChartLink
from webapp.exhibits.exhibit import ExhibitContext, ExhibitView, Link, course_chart

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


class GenesView(ExhibitView):
    """The genes, their effect in this position, and their evolution."""

    template = "exhibits/genes.html"
    sheets = ("charts/chart",)

    def __init__(self, exhibit: Genes, context: ExhibitContext) -> None:
        self.title = exhibit.title
        self.sentence = exhibit.sentence
        self.columns = exhibit.columns
        self.genes = tuple(_row(gene, context) for gene in exhibit.genes)
        self.changing = any(gene.changes for gene in exhibit.genes)
        self.consequence = exhibit.consequence
        self.figures = tuple(
            NotedChart(
                course_chart(course, _curve_links(course, exhibit.ancestors, context)), course.note
            )
            for course in exhibit.courses
        )
        self.ancestors = tuple(map(context.earlier, exhibit.ancestors))
        self.begin = context.begin  # hidden fields of the form that starts a match


def _row(gene: Gene, context: ExhibitContext) -> GeneRow:
    changes = tuple(map(context.link_to, gene.changes))
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
