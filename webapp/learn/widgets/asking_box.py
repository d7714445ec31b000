"""A black box of two groups: how many ones are in each, and the number that comes out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine.problems.catalog import load_problem
from webapp.learn.positions import Position
from webapp.learn.widgets.widget import Button, Widget

STEP = 50


@dataclass(frozen=True, slots=True)
class BoxGroup:
    """One group: how full it is, and the presses that change it."""

    name: str
    ones: str
    width: float
    less: Button | None
    more: Button | None


@dataclass(frozen=True, slots=True)
class AskedBoxView:
    """What was asked, and what the box said."""

    rows: tuple[BoxGroup, ...]
    number: str
    best: str
    presses: tuple[Button, ...]
    position: Position | None = None
    template: str = "learn/widgets/asked_box.html"
    sheets: tuple[str, ...] = ("exhibits/rows", "exhibits/samples")


def asked_box_view(about: str, held: str) -> AskedBoxView:
    """`300.250`: so many ones in each group."""
    box: Any = load_problem(about)
    sizes = [mask.bit_count() for mask in box.groups]
    found = [int(part) for part in held.split(".") if part.isdecimal() and len(part) < 5]
    start = [size // 2 + (STEP if at == 0 else 0) for at, size in enumerate(sizes)]
    ones = [min(count, size) for count, size in zip(found, sizes, strict=False)]
    if len(ones) != len(sizes):
        ones = start
    genome = 0
    for mask, count in zip(box.groups, ones, strict=True):
        genome |= _lowest(mask, count)
    rows = tuple(_row(at, ones, sizes) for at in range(len(sizes)))
    presses = (Button("", "Start again"),) if held else ()
    return AskedBoxView(rows, f"{box.value(genome):.4g}", f"{box.goal:g}", presses)


def _lowest(mask: int, count: int) -> int:
    """So many of the mask's places."""
    kept = 0
    for _ in range(count):
        lowest = mask & -mask
        kept |= lowest
        mask ^= lowest
    return kept


def _row(at: int, ones: list[int], sizes: list[int]) -> BoxGroup:
    def changed(by: int) -> Button | None:
        count = ones[at] + by
        if not 0 <= count <= sizes[at]:
            return None
        held = ".".join(map(str, (*ones[:at], count, *ones[at + 1 :])))
        label = f"{by:+d}".replace("-", "−")
        return Button(held, label, f"{label} ones in group {at + 1}")

    return BoxGroup(
        f"group {at + 1}",
        str(ones[at]),
        round(ones[at] / sizes[at], 4),
        changed(-STEP),
        changed(STEP),
    )


ASKED_BOX = Widget(asked_box_view)
