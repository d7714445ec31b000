"""A genome as a grid of places; with the box opened, coloured by their groups."""

from __future__ import annotations

from dataclasses import dataclass

from agents.formats import counted
from engine.problems.black_box import RANKS, BlackBox

ACROSS = 40
TONES = 6  # colours of groups; with more groups they come again
SEALED = (
    "Sealed: the places are shuffled and half of the bits inverted, so that a coloured place is "
    "one that is right. "
)


@dataclass(frozen=True, slots=True)
class GroupRow:
    """One group of an opened box."""

    name: str
    tone: int
    right: str  # `371 of 500`
    gives: str  # `+371`, `−37.1`


@dataclass(frozen=True, slots=True)
class GenomeView:
    """Everything `optimise/_genome.html` prints."""

    title: str
    figure: str  # `0.487`
    after: str  # `after 12,400 questions · 741 ones`
    width: int
    height: int
    cells: tuple[tuple[str, str], ...]  # a class, and the path of its places
    label: str  # for whoever cannot see it
    told: str  # what is inside, once it is opened
    groups: tuple[GroupRow, ...]


def genome_view(box: BlackBox, genome: int, title: str, after: str, *, opened: bool) -> GenomeView:
    """The genome as it was asked; with the box opened, as the box sees it."""
    ones = counted(genome.bit_count(), "one", "ones")
    value = box.value(genome)
    return GenomeView(
        title=title,
        figure=f"{value:.3f}",
        after=f"{after} · {ones}",
        width=ACROSS,
        height=-(-box.bits // ACROSS),
        cells=_opened(box, genome) if opened else _closed(box, genome),
        label=f"{ones} of {box.bits:,} places",
        told=inside(box) if opened else "",
        groups=_groups(box, genome) if opened else (),
    )


def inside(box: BlackBox) -> str:
    """How the box is made, in words."""
    many = len(box.groups)
    sealed = SEALED if box.inverted else ""
    if many == 1:
        return f"Opened. {sealed}Every place that is right counts, and nothing else."
    if box.inverted:
        where = f"the places are dealt to {many} groups"
    elif many == 2:
        where = "even and odd places are two groups"
    else:
        where = f"every {many}th place belongs to the same group"
    if many == 2:
        others = "the other one costs until it is exactly as full"
    else:
        others = "the others cost a tenth, a hundredth and so on until they are exactly as full"
    return (
        f"Opened: {where}. {sealed}The fuller group counts, {others}: a hill that leads away from "
        "the top."
    )


def _closed(box: BlackBox, genome: int) -> tuple[tuple[str, str], ...]:
    every = (1 << box.bits) - 1
    return _paths(box.bits, [("zero", every & ~genome), ("one", genome)])


def _opened(box: BlackBox, genome: int) -> tuple[tuple[str, str], ...]:
    right = genome ^ box.inverted
    wrong = ((1 << box.bits) - 1) & ~right
    masks = [0] * min(TONES, len(box.groups))
    for group, mask in enumerate(box.groups):
        masks[group % TONES] |= mask & right
    return _paths(box.bits, [("zero", wrong), *((f"group-{at}", m) for at, m in enumerate(masks))])


def _paths(bits: int, masks: list[tuple[str, int]]) -> tuple[tuple[str, str], ...]:
    found = []
    for name, mask in masks:
        places = (at for at in range(bits) if mask >> (bits - 1 - at) & 1)
        path = "".join(f"M{at % ACROSS} {at // ACROSS}h1" for at in places)
        if path:
            found.append((name, path))
    return tuple(found)


def _groups(box: BlackBox, genome: int) -> tuple[GroupRow, ...]:
    """Each group with what it gives or costs, in thousandths."""
    right = genome ^ box.inverted
    counts = [(right & mask).bit_count() for mask in box.groups]
    order = sorted(range(len(counts)), key=lambda group: (-counts[group], group))
    tied = counts.count(max(counts))
    rows = []
    for rank, group in enumerate(order):
        behind = rank - tied + 1
        cost = counts[group] / 10**behind if 1 <= behind <= RANKS else 0.0
        gives = f"+{counts[group]}" if rank < tied else f"−{cost:.3g}"
        size = box.groups[group].bit_count()
        rows.append(GroupRow(f"{group + 1}", group % TONES, f"{counts[group]} of {size}", gives))
    return tuple(rows)
