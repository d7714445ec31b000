"""Nim heaps in binary; columns with an odd number of ones are lit."""

from __future__ import annotations

from dataclasses import dataclass

from agents.exhibits import BinaryHeap, Columns
from agents.formats import counted
from webapp.exhibits.exhibit import ExhibitContext, ExhibitView

MAX_DRAWN_MATCHES = 16  # of a heap; of a larger one those that may be taken, if they fit


@dataclass(frozen=True, slots=True)
class Digit:
    """One binary digit of a heap."""

    text: str
    lit: bool  # in a column with an odd number of ones


@dataclass(frozen=True, slots=True)
class TintedStick:
    """One match, tinted by the nim-sum after taking it and all to its right."""

    tint: str  # even, odd, or empty if that is not a legal move
    wanted: bool
    says: str  # take 3: leaves nim-sum 101


@dataclass(frozen=True, slots=True)
class HeapRow:
    """One heap with tinted matches."""

    name: str
    count: str  # 5
    before: str  # 14 +: matches that are not drawn
    sticks: tuple[TintedStick, ...]  # from left to right
    digits: tuple[Digit, ...]
    advice: str  # take 3


class ColumnsView(ExhibitView):
    """The heaps in rows and the sum of every column."""

    title = "The rows in binary"
    template = "exhibits/columns.html"

    def __init__(self, exhibit: Columns, context: ExhibitContext) -> None:
        lit = [digit == "1" for digit in exhibit.total]
        self.powers = tuple(str(1 << place) for place in reversed(range(len(exhibit.total))))
        self.rows = tuple(_row(heap, lit, exhibit.total_name) for heap in exhibit.heaps)
        self.total = _digits(exhibit.total, lit)
        self.total_name = exhibit.total_name
        self.sentence = _sentence(exhibit, self.powers, lit)
        drawn = any(row.sticks for row in self.rows)
        self.tints = _tints_text(exhibit) if drawn else ""  # the legend
        self.wanted = _good_moves_text(exhibit)
        self.turn = exhibit.turn


def _row(heap: BinaryHeap, lit: list[bool], name: str) -> HeapRow:
    drawn = heap.count if heap.count <= MAX_DRAWN_MATCHES else len(heap.leaves)
    drawn = drawn if drawn <= MAX_DRAWN_MATCHES else 0
    takes = " or ".join(map(str, heap.wanted))
    return HeapRow(
        name=heap.name,
        count=str(heap.count),
        before=f"{heap.count - drawn} +" if 0 < drawn < heap.count else "",
        sticks=tuple(_stick(heap, take, name) for take in range(drawn, 0, -1)),
        digits=_digits(heap.digits, lit),
        advice=f"take {takes}" if takes else "",
    )


def _stick(heap: BinaryHeap, take: int, name: str) -> TintedStick:
    if take > len(heap.leaves):
        return TintedStick("", wanted=False, says=f"nobody may take {take}")
    left = heap.leaves[take - 1]
    tint = "odd" if "1" in left else "even"
    return TintedStick(tint, take in heap.wanted, f"take {take}: leaves {name} {left}")


def _digits(digits: str, lit: list[bool]) -> tuple[Digit, ...]:
    return tuple(Digit(digit, odd) for digit, odd in zip(digits, lit, strict=True))


def _sentence(exhibit: Columns, powers: tuple[str, ...], lit: list[bool]) -> str:
    odd = [power for power, is_lit in zip(powers, lit, strict=True) if is_lit]
    if not odd:
        return f"Every column holds an even number of ones: {exhibit.total_name} 0."
    named = odd[0] if len(odd) == 1 else f"{', '.join(odd[:-1])} and {odd[-1]}"
    what = f"The column of {named} holds" if len(odd) == 1 else f"The columns of {named} hold"
    return f"{what} an odd number of ones: {exhibit.total_name} {exhibit.total}."


def _good_moves_text(exhibit: Columns) -> str:
    ways = sum(len(heap.wanted) for heap in exhibit.heaps)
    if not ways:
        return f"No move {exhibit.wants}."
    each = "it" if ways == 1 else "each"
    return f"{counted(ways, 'move', 'moves')} framed: {each} {exhibit.wants}."


def _tints_text(exhibit: Columns) -> str:
    left = [total for heap in exhibit.heaps for total in heap.leaves]
    even = sum("1" not in total for total in left)
    if not even:
        none = f"no move leaves {exhibit.total_name} 0"
        return f"Whatever is taken leaves ones in an odd column: {none}."
    return (
        f"A match is green where taking it and all to its right leaves {exhibit.total_name} 0 "
        f"({even} of {len(left)} moves), grey where it leaves ones in an odd column."
    )
