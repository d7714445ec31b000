"""How each game is played: drawn from positions that its own moves lead to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engine.catalog import find_entry, variant_title
from engine.core import Game
from engine.errors import tell_once
from webapp.boards.homes import package_sheet
from webapp.boards.sheets.nim import nim_sheet
from webapp.boards.sheets.quixo import quixo_sheet
from webapp.boards.sheets.sheet import Sheet
from webapp.boards.sheets.tictactoe import tictactoe_sheet

SHEETS: Mapping[str, Callable[[Game[Any, Any]], Sheet]] = {
    "nim": nim_sheet,
    "tictactoe": tictactoe_sheet,
    "quixo": quixo_sheet,
}


def sheet_for(game: Game[Any, Any]) -> Sheet:
    """The sheet of this variant; where a package brings none, or that fails, its one line."""
    ours = SHEETS.get(game.key)
    if ours is not None:
        return ours(game)
    entry = find_entry(game.key)
    plain = Sheet(f"{entry.title}, {variant_title(game.spec)}", entry.summary)
    try:
        make = package_sheet(entry.home)
        sheet = plain if make is None else make(game)
    except Exception as error:  # noqa: BLE001 - someone else's code
        tell_once(__name__, f"the sheet of {game.key} failed: {error!r}"[:500])
        return plain
    return sheet if isinstance(sheet, Sheet) else plain
