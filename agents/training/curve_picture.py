"""A learning curve as an SVG image, for notebooks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from math import log10

WIDTH, HEIGHT, MARGIN, LABELS = 480, 240, 36, 90  # in pixels; labels stand to the right
LINE_HEIGHT = 15
LOG_SPAN = 100  # the ratio of steps from which their axis is logarithmic
# Stroke by day and by lamp, as the pages have them.
TONES = {
    "wins": ("#004d3a", "#a6f7dd"),
    "draws": ("#6a6256", "#b3a897"),
    "losses": ("#a3126b", "#ff7cc4"),
}
OTHER = ("#0a5490", "#8ccbf7")
TEXT = ("#5e574d", "#b8ae9f")

Points = Sequence[tuple[int, Mapping[str, float]]]  # (step, metrics)


def curve_svg(title: str, unit: str, points: Points) -> str | None:
    """One line for each metric over the steps; None with fewer than two points.

    Of a curve against an opponent only wins, draws and losses are drawn.
    """
    if len(points) < 2:
        return None
    names = [name for name in points[-1][1] if name in TONES] or list(points[-1][1])
    lines = {
        name: [(step, metrics[name]) for step, metrics in points if name in metrics]
        for name in names
    }
    figures = [figure for line in lines.values() for _, figure in line]
    low, high = min(0.0, *figures), max(figures)
    high = high if high > low else low + 1
    steps = [step for step, _ in points]
    last = ", ".join(f"{name} {line[-1][1]:.3g}" for name, line in lines.items())
    shapes = [
        _label(0, HEIGHT - 8, f"{steps[0]:,}"),
        _label(WIDTH, HEIGHT - 8, f"{steps[-1]:,} {unit}", "end"),
        _label(0, MARGIN - 18, f"{high:.3g}"),
    ]
    ends: list[tuple[float, str]] = []
    for name, line in lines.items():
        places = [
            (_across(step, steps), _down((figure - low) / (high - low))) for step, figure in line
        ]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        tone = name if name in TONES else "other"
        shapes.append(f'<polyline class="{tone}" points="{path}"/>')
        ends.append((places[-1][1] + 4, name))
    lowest = 0.0
    for height, name in sorted(ends):  # names of lines that end together stand below one another
        lowest = max(height, lowest + LINE_HEIGHT)
        shapes.append(_label(WIDTH + 6, lowest, name))
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" class="zermelo-curve" role="img"'
        f' viewBox="0 0 {WIDTH + LABELS} {HEIGHT}" width="{WIDTH + LABELS}" height="{HEIGHT}">'
        f"<title>{escape(title)}</title>"
        f"<desc>After {steps[-1]:,} {escape(unit)}: {escape(last)}</desc>"
        f"<style>{_rules(0)}@media (prefers-color-scheme:dark){{{_rules(1)}}}</style>"
        f"{''.join(shapes)}</svg>"
    )


def _across(step: int, steps: Sequence[int]) -> float:
    first, last = steps[0], steps[-1]
    if first > 0 and last / first >= LOG_SPAN:
        return WIDTH * log10(step / first) / log10(last / first)
    return WIDTH * (step - first) / (last - first)


def _down(share: float) -> float:
    return HEIGHT - MARGIN - share * (HEIGHT - 2 * MARGIN)


def _label(x: float, y: float, text: str, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def _rules(light: int) -> str:
    """The style by day (0) or by lamp (1)."""
    strokes = {**TONES, "other": OTHER}
    rules = "".join(
        f".zermelo-curve .{name}{{fill:none;stroke-width:2;stroke:{tone[light]}}}"
        for name, tone in strokes.items()
    )
    return f".zermelo-curve text{{fill:{TEXT[light]};font:13px system-ui,sans-serif}}{rules}"
