"""The tic-tac-toe board: nine cells, each a move."""

from __future__ import annotations

from dataclasses import dataclass

from engine.square import Line
from engine.tictactoe import BOARD, TicTacToeState
from webapp.boards.grid import (
    Badge,
    Cell,
    Row,
    badges_by_cell,
    cell,
    columns,
    mark_at,
    press_action,
    rows_from_top,
)
from webapp.boards.lines import Stroke, full_lines, line_text, square_shape, stroke
from webapp.boards.scene import Scene

SHAPE = square_shape(BOARD)


@dataclass(frozen=True, slots=True)
class TicTacToeBoard:
    """Nine cells, the top row first, and the winning line."""

    rows: tuple[Row, ...]
    columns: tuple[str, ...]
    strokes: tuple[Stroke, ...]
    why: str | None
    moved: str  # the last move, which the page animates
    mover: str  # the mark of the seat to move
    playable: bool
    name: str = "Tic-tac-toe board"
    wide: int = 3
    high: int = 3
    rule: str = ""
    prompt: str | None = None
    template: str = "boards/_grid.html"


def tictactoe_board(scene: Scene) -> TicTacToeBoard:
    """The tic-tac-toe board of a scene."""
    state: TicTacToeState = scene.state
    lines = full_lines(BOARD, state.x) + full_lines(BOARD, state.o)
    worths = badges_by_cell(scene)
    cells = {
        bit: _cell(scene, lines, bit, name, worths.get(name))
        for bit, name in enumerate(BOARD.cells)
    }
    winner = scene.outcome.winner if scene.outcome else None
    return TicTacToeBoard(
        rows=rows_from_top(SHAPE, cells),
        columns=columns(SHAPE),
        strokes=tuple(stroke(BOARD, line, winner.mark) for line in lines)
        if winner is not None
        else (),
        why=" and ".join(line_text(BOARD, line) for line in lines) or None,
        moved=str(scene.last_move or ""),
        mover=state.to_move.mark,
        playable=scene.may_move,
    )


def _cell(scene: Scene, lines: tuple[Line, ...], bit: int, name: str, worth: Badge | None) -> Cell:
    mark = mark_at(bit, scene.state.x, scene.state.o)
    won = any(line.mask >> bit & 1 for line in lines)
    facts = {
        "won": won,
        "dim": bool(lines) and not won,
        "last": str(scene.last_move) == name,
        "hinted": scene.hint == name,
        "answered": scene.answer == name,
    }
    classes = tuple(fact for fact, holds in facts.items() if holds)
    press = (press_action(scene, is_legal=not mark), name, "")
    return cell(name, mark or "empty", press, classes, worth)
