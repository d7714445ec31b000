"""Tic-tac-toe on one sheet."""

from __future__ import annotations

from typing import Any

from engine.core import Game
from engine.match import Match
from engine.tictactoe import BOARD
from webapp.boards.lines import full_lines, stroke
from webapp.boards.picture import GridPicture, marked, tictactoe_picture
from webapp.boards.scene import Scene
from webapp.boards.sheets.sheet import DrawnStep, Sheet

BEGUN = "b2 c3 a3"
WON = "b2 c3 a3 c2 c1"
FULL = "b2 a1 a3 c1 b1 b3 c2 a2 c3"


def tictactoe_sheet(game: Game[Any, Any]) -> Sheet:
    """Three steps: there is only one variant."""
    return Sheet(
        title=game.title,
        goal="Be the first with three of your marks in a row.",
        steps=(
            DrawnStep(
                "Mark an empty cell",
                "x begins. You take turns, and a mark stays where it is.",
                _drawn(game, BEGUN),
            ),
            DrawnStep(
                "Three in a row win",
                "Across, down or on a diagonal.",
                _drawn(game, WON),
            ),
            DrawnStep(
                "A full board is a draw",
                "If neither has three in a row when all nine cells are marked.",
                _drawn(game, FULL),
            ),
        ),
    )


def _drawn(game: Game[Any, Any], moves: str) -> GridPicture:
    match = Match.replay(game, [game.parse_move(text) for text in moves.split()])
    state = match.state
    picture = tictactoe_picture(Scene(game, state, last_move=match.moves[-1]))
    lines = [
        stroke(BOARD, line, mark)
        for mark, mask in (("x", state.x), ("o", state.o))
        for line in full_lines(BOARD, mask)
    ]
    return marked(picture, strokes=tuple(lines))
