"""Positions as lines of text, with the coordinates that moves are written in."""

from __future__ import annotations

from collections.abc import Sequence
from string import ascii_lowercase

EMPTY = "."


def grid(rows: Sequence[str], reached: str | None = None) -> str:
    """A board of cells from the top, one character each; the cell of that name stands out."""
    wide = len(rows[0])
    edge = len(str(len(rows)))
    margin = " " * (edge + 3)
    top, middle, bottom = (
        f"{margin}{left}{joint.join(['───'] * wide)}{right}"
        for left, joint, right in ("┌┬┐", "├┼┤", "└┴┘")
    )
    lines = []
    for number, row in zip(range(len(rows), 0, -1), rows, strict=True):
        cells = [
            _cell(mark, f"{column}{number}" == reached)
            for column, mark in zip(ascii_lowercase, row, strict=False)
        ]
        lines += [middle, f"  {number:>{edge}} │{'│'.join(cells)}│"]
    columns = "".join(f"  {column} " for column in ascii_lowercase[:wide])
    return "\n".join([top, *lines[1:], bottom, f"{margin}{columns}".rstrip()])


def heaps(counts: Sequence[int]) -> str:
    """Heaps of matches, a line each."""
    widest = max(len(str(count)) for count in counts)
    return "\n".join(
        f"  {name} {count:>{widest}}  {'|' * count}"
        for name, count in zip(ascii_lowercase, counts, strict=False)
    )


def _cell(mark: str, reached: bool) -> str:
    shown = " " if mark == EMPTY else mark
    return f"({shown})" if reached else f" {shown} "
