"""A search that looks deeper and deeper: its value by depth, and the boards it can move to."""

from __future__ import annotations

from dataclasses import dataclass

from agents.exhibits import Branching, Deepening, DepthReached
from agents.wording import counted, signed
from webapp.charts import Chart, Curve, chart
from webapp.exhibits.stand import Stand

GLYPHS = {"win": "▲", "draw": "=", "loss": "▼", "": "~"}


@dataclass(frozen=True, slots=True)
class BranchRow:
    """One board that a move leads to."""

    moves: str
    glyph: str
    tone: str
    value: str
    width: float


@dataclass(frozen=True, slots=True)
class DeepeningView:
    """The course of a search, and what it had to choose from."""

    sentence: str
    chart: Chart | None
    depths: tuple[tuple[str, str, str, str], ...]  # depth, value, move, positions
    branches: tuple[BranchRow, ...]
    title: str = "How deep it looked"
    template: str = "exhibits/deepening.html"
    sheets: tuple[str, ...] = ("exhibits/deepening", "exhibits/samples", "charts/chart")
    press: str | None = None


def deepening_view(shown: Deepening, stand: Stand) -> DeepeningView:
    return DeepeningView(
        sentence=_sentence(shown),
        chart=_chart(shown.depths),
        depths=tuple(
            (str(each.depth), signed(each.value), each.move, f"{each.positions:,}")
            for each in shown.depths
        ),
        branches=tuple(map(_branch, shown.branches)),
    )


def _sentence(shown: Deepening) -> str:
    moves = sum(len(branch.moves) for branch in shown.branches)
    differ = (
        f"{counted(moves, 'move leads', 'moves lead')} to {len(shown.branches)} boards that differ."
    )
    if not shown.depths:
        return f"There was no time to look ahead. {differ}"
    last = shown.depths[-1]
    if shown.line and shown.line[0] != last.move:
        told = f"At depth {last.depth} it preferred {last.move}"
        return f"{differ} {told}; looking on, it changed to {shown.line[0]}."
    since = next(each.depth for each in shown.depths if _settled(each, shown.depths))
    held = f"It has preferred {last.move} since depth {since}."
    return f"{differ} {held}"


def _settled(each: DepthReached, depths: tuple[DepthReached, ...]) -> bool:
    """Whether from this depth on the move stayed the same."""
    return all(later.move == depths[-1].move for later in depths if later.depth >= each.depth)


def _chart(depths: tuple[DepthReached, ...]) -> Chart | None:
    if len(depths) < 2:
        return None
    points = tuple((each.depth, each.value) for each in depths)
    title = "What it thought of its best move, by depth: 1 won, −1 lost"
    return chart(title, [Curve("value", "first", points)], x_name="plies", percent=False)


def _branch(branch: Branching) -> BranchRow:
    tone = branch.sure or "draw"
    return BranchRow(
        moves=" ".join(branch.moves),
        glyph=GLYPHS[branch.sure],
        tone=tone,
        value=branch.sure or signed(branch.value),
        width=round((1 + branch.value) / 2, 4),
    )
