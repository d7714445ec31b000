"""Output for a terminal of 80 columns: tables, paragraphs, boards, progress bars, JSON."""

from __future__ import annotations

import json
import re
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any, TypeVar

import click

from agents.formats import proven_text
from engine.catalog import find_entry
from engine.core import Game

T = TypeVar("T")

WIDTH = 80
WIN, DRAW, LOSS, UNPROVEN = "▲", "=", "▼", "~"


def show_json(document: Any) -> None:
    """Print a document as indented ASCII JSON."""
    click.echo(json.dumps(document, indent=2))


def show_table(header: Sequence[str], rows: Iterable[Sequence[str]], align: str) -> None:
    """Print columns two spaces apart; `align` has < or > for each."""
    table = [tuple(header), *(tuple(row) for row in rows)]
    widths = [max(len(row[column]) for row in table) for column in range(len(header))]
    for number, row in enumerate(table):
        cells = [
            f"{cell:{side}{width}}" for cell, side, width in zip(row, align, widths, strict=True)
        ]
        line = "  ".join(cells).rstrip()
        click.echo(click.style(line, bold=True) if number == 0 else line)


def paragraph(text: str, indent: int = 0) -> str:
    """The text wrapped to WIDTH, every line indented."""
    margin = " " * indent
    return textwrap.fill(text, WIDTH, initial_indent=margin, subsequent_indent=margin)


def shortened(name: str, longest: int = 24) -> str:
    """The name, cut to `longest` characters."""
    return name if len(name) <= longest else f"{name[: longest - 1]}…"


def verdict(value: float | None, proven: bool, plies: int | None = None) -> str:
    """A value with its glyph: `▲ win in 7`, `= draw`, `~ +0.31` where nothing is proven, or –."""
    if value is None:
        return "–"
    if not proven:
        return f"{UNPROVEN} {value:+.2f}"
    glyph = WIN if value > 0 else LOSS if value < 0 else DRAW
    return f"{glyph} {proven_text(value, plies)}"


def percent(share: float) -> str:
    return f"{100 * share:.1f} %"


@contextmanager
def progress_bar(label: str) -> Iterator[Callable[[float], None]]:
    """A function that updates a bar on a terminal with the share done, 0 to 1."""
    with ExitStack() as open_bars:
        bars: list[Any] = []

        def update(share: float) -> None:
            if not sys.stderr.isatty():
                return
            if not bars:
                made = click.progressbar(length=100, label=label, file=sys.stderr, width=30)
                bars.append(open_bars.enter_context(made))
            bars[0].update(int(100 * share) - bars[0].pos)

        yield update


def with_progress(items: Iterable[T], length: int, label: str) -> Iterator[T]:
    """The items, with a progress bar on stderr if it is a terminal."""
    if not sys.stderr.isatty():
        yield from items
        return
    with click.progressbar(
        items,
        length=length,
        label=label,
        file=sys.stderr,
        show_pos=True,
        width=30,
        update_min_steps=max(1, length // 1000),
    ) as bar:
        yield from bar


def board_text(game: Game[Any, Any], state: Any, last: Any = None) -> str:
    """The board in lines, with the cell of the last move in bold."""
    text = find_entry(game.key).drawn(state, last)
    return re.sub(r"\(.\)", lambda cell: click.style(cell[0], bold=True), text)
