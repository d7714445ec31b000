"""Positions drawn as text, with the coordinates used in moves."""

from __future__ import annotations

from collections.abc import Sequence
from string import ascii_lowercase

EMPTY = "."


def grid(rows: Sequence[str], reached: str | None = None) -> str:
    """A board from its rows, top first; the cell named `reached` is put in parentheses."""
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


def board(state: object, reached: str | None = None) -> str:
    """A state whose text begins with the rows of its board."""
    return grid(str(state).partition(" ")[0].split("/"), reached)


def heaps(counts: Sequence[int]) -> str:
    """Nim heaps, one line each."""
    widest = max(len(str(count)) for count in counts)
    return "\n".join(
        f"  {name} {count:>{widest}}  {'|' * count}"
        for name, count in zip(ascii_lowercase, counts, strict=False)
    )


def _cell(mark: str, reached: bool) -> str:
    text = " " if mark == EMPTY else mark
    return f"({text})" if reached else f" {text} "
