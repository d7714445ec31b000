"""Heaps in binary, the columns with an odd number of ones lit."""

from __future__ import annotations

from dataclasses import dataclass

from agents.exhibits import BinaryHeap, Columns
from agents.formats import counted
from webapp.exhibits.exhibit import Stand

MOST_DRAWN = 16  # matches of a heap; of a larger one those that may be taken, if no more than so


@dataclass(frozen=True, slots=True)
class Digit:
    """One binary digit of a heap."""

    text: str
    lit: bool  # in a column with an odd number of ones


@dataclass(frozen=True, slots=True)
class TintedStick:
    """One match: what is left when it and all to its right are taken."""

    tint: str  # even, odd, or nothing where one may not take so many
    wanted: bool
    says: str  # take 3: leaves nim-sum 101


@dataclass(frozen=True, slots=True)
class HeapRow:
    """One heap, each match tinted by what taking from there leaves."""

    name: str
    count: str  # 5
    before: str  # 14 +: those that are not drawn
    sticks: tuple[TintedStick, ...]  # from left to right
    digits: tuple[Digit, ...]
    advice: str  # take 3


@dataclass(frozen=True, slots=True)
class ColumnsView:
    """The heaps one below the other, and the sum of every column."""

    powers: tuple[str, ...]  # 8 4 2 1
    rows: tuple[HeapRow, ...]
    total: tuple[Digit, ...]
    total_name: str
    sentence: str
    tints: str  # nothing where no match is drawn
    wanted: str
    turn: str
    title: str = "The heaps in binary"
    template: str = "exhibits/columns.html"
    sheets: tuple[str, ...] = ()
    press: str | None = None


def columns_view(shown: Columns, stand: Stand) -> ColumnsView:
    """Nothing to press: the columns of one position."""
    lit = [digit == "1" for digit in shown.total]
    powers = tuple(str(1 << place) for place in reversed(range(len(shown.total))))
    rows = tuple(_row(heap, lit, shown.total_name) for heap in shown.heaps)
    return ColumnsView(
        powers=powers,
        rows=rows,
        total=_digits(shown.total, lit),
        total_name=shown.total_name,
        sentence=_sentence(shown, powers, lit),
        tints=_tints(shown) if any(row.sticks for row in rows) else "",
        wanted=_wanted(shown),
        turn=shown.turn,
    )


def _row(heap: BinaryHeap, lit: list[bool], name: str) -> HeapRow:
    few = heap.count if heap.count <= MOST_DRAWN else len(heap.leaves)
    few = few if few <= MOST_DRAWN else 0
    takes = " or ".join(map(str, heap.wanted))
    return HeapRow(
        name=heap.name,
        count=str(heap.count),
        before=f"{heap.count - few} +" if 0 < few < heap.count else "",
        sticks=tuple(_stick(heap, take, name) for take in range(few, 0, -1)),
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


def _sentence(shown: Columns, powers: tuple[str, ...], lit: list[bool]) -> str:
    odd = [power for power, is_lit in zip(powers, lit, strict=True) if is_lit]
    if not odd:
        return f"Every column holds an even number of ones: {shown.total_name} 0."
    named = odd[0] if len(odd) == 1 else f"{', '.join(odd[:-1])} and {odd[-1]}"
    what = f"The column of {named} holds" if len(odd) == 1 else f"The columns of {named} hold"
    return f"{what} an odd number of ones: {shown.total_name} {shown.total}."


def _wanted(shown: Columns) -> str:
    ways = sum(len(heap.wanted) for heap in shown.heaps)
    if not ways:
        return f"No move {shown.wants}."
    each = "it" if ways == 1 else "each"
    return f"{counted(ways, 'move', 'moves')} framed: {each} {shown.wants}."


def _tints(shown: Columns) -> str:
    left = [total for heap in shown.heaps for total in heap.leaves]
    even = sum("1" not in total for total in left)
    if not even:
        return (
            f"Whatever is taken leaves ones in an odd column: no move leaves {shown.total_name} 0."
        )
    return (
        f"A match is green where taking it and all to its right leaves {shown.total_name} 0 "
        f"({even} of {len(left)} moves), grey where it leaves ones in an odd column."
    )
