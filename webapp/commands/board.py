"""A board as text, with the coordinates that moves are written in."""

from __future__ import annotations

from string import ascii_lowercase
from typing import Any

import click


def drawn(state: Any, last: str | None = None) -> str:
    """The state drawn in lines; the cell that the last move reached stands out."""
    board = str(state).partition(" ")[0]
    return _square(board.split("/"), last) if "/" in board else _heaps(board.split("-"))


def _square(rows: list[str], last: str | None) -> str:
    size = len(rows)
    reached = (last or "").rpartition("-")[2]  # b2, or b5 in b1-b5
    top, middle, bottom = (
        f"    {left}{joint.join(['───'] * size)}{right}"
        for left, joint, right in ("┌┬┐", "├┼┤", "└┴┘")
    )
    lines = []
    for number, row in zip(range(size, 0, -1), rows, strict=True):
        cells = [
            _cell(mark, f"{column}{number}" == reached)
            for column, mark in zip(ascii_lowercase, row, strict=False)
        ]
        lines += [middle, f"  {number} │{'│'.join(cells)}│"]
    columns = "".join(f"  {column} " for column in ascii_lowercase[:size])
    return "\n".join([top, *lines[1:], bottom, f"    {columns}".rstrip()])


def _cell(mark: str, reached: bool) -> str:
    shown = " " if mark == "." else mark
    return click.style(f"({shown})", bold=True) if reached else f" {shown} "


def _heaps(heaps: list[str]) -> str:
    widest = max(len(heap) for heap in heaps)
    return "\n".join(
        f"  {name} {heap:>{widest}}  {'|' * int(heap)}"
        for name, heap in zip(ascii_lowercase, heaps, strict=False)
    )
