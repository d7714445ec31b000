"""How figures are written in a sentence."""

from __future__ import annotations


def signed(value: float) -> str:
    """`+0.95`, `−0.30`, `0.00`: never a minus before a zero."""
    rounded = f"{abs(value):,.2f}"
    if rounded == "0.00":
        return rounded
    return f"{'+' if value > 0 else '−'}{rounded}"


def counted(number: int, one: str, many: str) -> str:
    """`1 ply`, `1,234 plies`."""
    return f"{number:,} {one if number == 1 else many}"
