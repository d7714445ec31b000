"""A black box of two groups: how many ones are in each, and the number that comes out."""

from __future__ import annotations

from dataclasses import dataclass

from engine.problems.black_box import BlackBox
from engine.problems.catalog import load_problem
from webapp.learn.positions import Position
from webapp.learn.widgets.widget import Button, Widget
from webapp.questions.facts import joined
from webapp.questions.models import Pick, PosedQuestion
from webapp.questions.problems import lowest

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
    box = _box(about)
    sizes, ones = _sizes(box), _ones(box, held)
    rows = tuple(_row(at, ones, sizes) for at in range(len(sizes)))
    presses = (Button("", "Start again"),) if held else ()
    return AskedBoxView(rows, _said(box, ones), f"{box.goal:g}", presses)


def asked_box_question(about: str, held: str) -> PosedQuestion:
    """What a step further in the group that is behind does to the number."""
    box = _box(about)
    sizes, ones = _sizes(box), _ones(box, held)
    behind = min(range(len(ones)), key=lambda at: (ones[at], -at))
    count = ones[behind] + (STEP if ones[behind] + STEP <= sizes[behind] else -STEP)
    after = [*ones[:behind], count, *ones[behind + 1 :]]
    now, then = (" ".join(map(str, counts)) for counts in (ones, after))
    return PosedQuestion(
        game="",
        prompt=f"A box has {_listed(sizes)} places in its groups. With "
        f"{_listed(ones)} ones it says {_said(box, ones)}. Does it say more with {_listed(after)}?",
        truth=f"is box-value {then} {about} > box-value {now} {about}",
        picks=(Pick("Yes, more", "yes"), Pick("No, as much or less", "no")),
    )


def _box(about: str) -> BlackBox:
    box = load_problem(about)
    assert isinstance(box, BlackBox), f"{about} is no black box"
    return box


def _sizes(box: BlackBox) -> list[int]:
    return [mask.bit_count() for mask in box.groups]


def _ones(box: BlackBox, held: str) -> list[int]:
    """As the address holds them, else as it begins: the first group leads."""
    sizes = _sizes(box)
    found = [int(part) for part in held.split(".") if part.isdecimal() and len(part) < 5]
    ones = [min(count, size) for count, size in zip(found, sizes, strict=False)]
    if len(ones) == len(sizes):
        return ones
    return [size // 2 + (STEP if at == 0 else 0) for at, size in enumerate(sizes)]


def _said(box: BlackBox, ones: list[int]) -> str:
    genome = 0
    for mask, count in zip(box.groups, ones, strict=True):
        genome |= lowest(mask, count)
    return f"{box.value(genome):.4g}"


def _listed(counts: list[int]) -> str:
    return joined([str(count) for count in counts])


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


ASKED_BOX = Widget(asked_box_view, asks=asked_box_question)
