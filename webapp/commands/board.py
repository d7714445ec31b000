"""A board as text, as its game draws it."""

from __future__ import annotations

import re
from typing import Any

import click

from engine.catalog import find_entry
from engine.core import Game


def drawn(game: Game[Any, Any], state: Any, last: Any = None) -> str:
    """The state drawn in lines; the cell that the last move reached stands out."""
    text = find_entry(game.key).drawn(state, last)
    return re.sub(r"\(.\)", lambda cell: click.style(cell[0], bold=True), text)
