"""Numbers and tables as text."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Sequence
from html import escape
from io import StringIO

NO_FIGURE = "–"  # for a move without a figure


def decimal(value: float, places: int = 2) -> str:
    """`0.95`, `−0.30`, `0.00`: with U+2212 as minus sign, and no negative zero."""
    rounded = round(value, places) + 0.0  # -0.0 + 0.0 is 0.0
    return f"{rounded:,.{places}f}".replace("-", "−")


def signed(value: float) -> str:
    """`+0.95`, `−0.30`, `0.00`."""
    return f"+{decimal(value)}" if round(value, 2) > 0 else decimal(value)


def proven_text(value: float, plies: int | None) -> str:
    """`win in 5`, `draw`, `loss`: a proven value for the side to move."""
    if value == 0:
        return "draw"
    word = "win" if value > 0 else "loss"
    return word if plies is None else f"{word} in {plies}"


def portion(share: float) -> str:
    """`57%`; shares near 0 or 1 are not rounded to them: `99.7%`, `under 0.1%`."""
    if 0 < share < 0.0005 or 0.9995 < share < 1:
        return "under 0.1%" if share < 0.5 else "over 99.9%"
    close = 0 < share < 0.005 or 0.995 <= share < 1
    return f"{share:.1%}" if close else f"{share:.0%}"


def counted(number: int, one: str, many: str) -> str:
    """`1 ply`, `1,234 plies`."""
    return f"{number:,} {one if number == 1 else many}"


def ordinal(number: int) -> str:
    """`1st`, `2nd`, `3rd`, `11th`."""
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10)
    return f"{number:,}{ending or 'th'}"


def csv_text(
    header: Sequence[str], rows: Iterable[Sequence[object]], lineterminator: str = "\n"
) -> str:
    """A table as CSV, in which no text is a formula."""
    text = StringIO()
    writer = csv.writer(text, lineterminator=lineterminator)
    writer.writerow(header)
    writer.writerows(map(harmless_cell, row) for row in rows)
    return text.getvalue()


# How a formula begins in a spreadsheet; some take a semicolon for the end of a field.
FORMULA = re.compile(r"(^|;\s*)([=+\-@\t\r＝＋－＠])")
NUMBER = re.compile(r"[+-]?[\d.]+(e[+-]?\d+)?")


def harmless_cell(value: object) -> object:
    """The value; a text that a spreadsheet would take for a formula is quoted."""
    if not isinstance(value, str) or value.isalnum() or NUMBER.fullmatch(value):
        return value
    return FORMULA.sub(r"\1'\2", value)


def markdown_table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table in Markdown, its first column to the left and the others to the right."""
    lines = [header, ["---", *["--:"] * (len(header) - 1)], *rows]
    cells = (" | ".join(str(cell).replace("|", "\\|") for cell in line) for line in lines)
    return "\n".join(f"| {line} |" for line in cells)


def html_table(caption: str, header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table in HTML, with the first cell of each row as its heading."""
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in header)
    body = "".join(_html_row(row) for row in rows)
    return (
        f"<table><caption>{escape(caption)}</caption>"
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    )


def _html_row(row: Sequence[object]) -> str:
    first, *rest = (escape(str(cell)) for cell in row)
    return f'<tr><th scope="row">{first}</th>{"".join(f"<td>{cell}</td>" for cell in rest)}</tr>'
