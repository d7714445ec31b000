"""A board of cells to play on for both sides, with what each move is worth when asked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from agents.formats import counted
from webapp.boards import board_for
from webapp.learn.positions import Position
from webapp.learn.widgets.playing import PlayedLine
from webapp.learn.widgets.widget import Button, Widget
from webapp.learn.widgets.worth import value_of, valued

SAYS = {
    1: "▲ {0} wins from here with best play.",
    0: "= A draw with best play.",
    -1: "▼ {0} loses from here with best play of both.",
}


@dataclass(frozen=True, slots=True)
class PressedCell:
    """A cell: its mark, or the press that puts one there."""

    name: str
    mark: str
    label: str
    press: Button | None
    badge: Any
    classes: str


@dataclass(frozen=True, slots=True)
class CellsView:
    """The board as it stands."""

    rows: tuple[tuple[str, tuple[PressedCell, ...]], ...]
    columns: tuple[str, ...]
    board: Any
    status: str
    verdict: str
    presses: tuple[Button, ...]
    position: Position
    template: str = "learn/widgets/cells.html"
    sheets: tuple[str, ...] = ("boards/board", "boards/states")


def cells_view(about: str, held: str) -> CellsView:
    """Whose cells can be pressed where that is a move."""
    line = PlayedLine.of(about, held)
    match = line.match
    over = match.outcome() is not None
    values = valued(match.game, match.state) if line.shown and not over else {}
    board: Any = board_for(
        match,
        ply=match.ply,
        may_move=not over,
        outcome=match.outcome(),
        values=values,
        last_move=match.moves[-1] if match.moves else None,
    )
    return CellsView(
        rows=tuple(
            (row.name, tuple(_cell(line, cell) for cell in row.cells)) for row in board.rows
        ),
        columns=board.columns,
        board=board,
        status=line.status(),
        verdict=_verdict(line, values) if line.shown and not over else "",
        presses=line.presses("What is each move worth?", "Hide the values"),
        position=line.position,
    )


def _cell(line: PlayedLine, cell: Any) -> PressedCell:
    press = None
    if cell.action == "move":
        press = Button(line.after(cell.value), "", cell.label)
    return PressedCell(cell.name, cell.mark, cell.label, press, cell.badge, cell.classes)


def _verdict(line: PlayedLine, values: Any) -> str:
    state = line.match.state
    says = SAYS[value_of(line.match.game, state)].format(state.to_move.mark)
    lost = sum(candidate.value < 0 for candidate in values.values())
    return f"{says} {counted(lost, 'move loses', 'moves lose')}." if lost else says


CELLS = Widget(cells_view)
