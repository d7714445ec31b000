"""Quixo on one sheet, whatever the board's size."""

from __future__ import annotations

from string import ascii_lowercase
from typing import Any

from engine.core import Game, Seat
from engine.match import Match
from engine.quixo import QuixoState
from webapp.boards.grid import UNIT, centre
from webapp.boards.lines import NUMBERS, full_lines, shape_of, stroke
from webapp.boards.picture import GridPicture, marked, quixo_picture
from webapp.boards.quixo import arrow
from webapp.boards.scene import Scene
from webapp.boards.sheets.sheet import DrawnStep, Sheet


def quixo_sheet(game: Game[Any, Any]) -> Sheet:
    """Four steps: take, push, win, and what loses."""
    state: QuixoState = game.start
    size = state.table.size
    many = NUMBERS[size]
    row, gift = _a_row(size), _a_gift(size)
    return Sheet(
        title=f"Quixo, {size} × {size}",
        goal=f"Be the first with {many} of your marks in a line.",
        steps=(
            DrawnStep(
                "Take a cube from the rim",
                "A blank one, or one that shows your mark: here x may take those that are framed. "
                "Never one of the other's, and none from inside.",
                _takeable(game, row[:4]),
            ),
            DrawnStep(
                "Turn it, and push it back in",
                f"It now shows your mark, and comes in at another end of its row or column; the "
                f"others slide along. Here x took {row[4].replace('-', ' and pushed it in at ')}.",
                _pushed(game, row[:5]),
            ),
            DrawnStep(
                f"{many.capitalize()} in a line win",
                "Across, down or on a diagonal.",
                _pushed(game, row),
            ),
            DrawnStep(
                f"The other's {many} lose",
                f"Whoever pushes the other's marks into a line has lost, even with a line of their "
                f"own. Here x took {gift[-1].replace('-', ' and pushed it in at ')}, and o wins.",
                _pushed(game, gift),
            ),
        ),
        notes=(
            f"The same position for the third time is a draw, and so are {game.ply_limit} moves.",
        ),
    )


def _a_row(size: int) -> list[str]:
    """Each side fills a row from its left end; x, who began, is first."""
    right = ascii_lowercase[size - 1]
    x, o = f"{right}{size}-a{size}", f"{right}1-a1"
    return [x, o] * (size - 1) + [x]


def _a_gift(size: int) -> list[str]:
    """o fills its row but for the corner, and stands above that; x then pushes the column down."""
    right = ascii_lowercase[size - 1]
    there, back = f"{right}{size}-a{size}", f"a{size}-{right}{size}"
    mine = [(there, back)[turn % 2] for turn in range(size)]
    theirs = [f"{right}1-a1"] * (size - 1) + [f"a2-{right}2"]
    pairs = [move for pair in zip(mine, theirs, strict=True) for move in pair]
    return [*pairs, f"{right}1-{right}{size}"]


def _replayed(game: Game[Any, Any], moves: list[str]) -> Match[Any, Any]:
    return Match.replay(game, [game.parse_move(text) for text in moves])


def _takeable(game: Game[Any, Any], moves: list[str]) -> GridPicture:
    """The position, with the cubes framed that may be taken."""
    state = _replayed(game, moves).state
    square = state.table.square
    sources = dict.fromkeys(push.source for push in state.legal_moves())
    places = [centre(shape_of(square), square.cells.index(name)) for name in sources]
    corners = tuple((x - UNIT // 2, y - UNIT // 2) for x, y in places)
    return marked(quixo_picture(Scene(game, state)), framed=corners)


def _pushed(game: Game[Any, Any], moves: list[str]) -> GridPicture:
    """The position after the last push, with where it came in and any line that it made."""
    match = _replayed(game, moves)
    state, last = match.state, match.moves[-1]
    square = state.table.square
    strokes = tuple(
        stroke(square, line, seat.mark)
        for seat, mask in ((Seat.FIRST, state.x), (Seat.SECOND, state.o))
        for line in full_lines(square, mask)
    )
    picture = quixo_picture(Scene(game, state, last_move=last))
    return marked(picture, strokes=strokes, arrow=arrow(square, last, "last").transform)
