"""Square boards: their lines, pictures of boards of cells, and tic-tac-toe's board."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from string import ascii_lowercase

from engine.square import Line, Square, bits
from engine.tictactoe import BOARD, TicTacToeState
from webapp.boards.grid import UNIT, Face, GridBoard, Scene, Shape, centre, grid_board, mark_at

NUMBERS = {3: "three", 4: "four", 5: "five"}
CHEVRON_MARGIN = 20  # around the board, in units of the overlay
NAMES_MARGIN = 70  # left of and below the board, for the names of rows and columns

Place = tuple[int, int]  # x to the right, y down from the top


@dataclass(frozen=True, slots=True)
class Stroke:
    """A straight line of the overlay through a row, column or diagonal."""

    x1: float
    y1: float
    x2: float
    y2: float
    mark: str


def square_shape(board: Square) -> Shape:
    """The grid of a square board."""
    return Shape(board.size, board.size)


def full_lines(board: Square, mask: int) -> tuple[Line, ...]:
    """Every line whose cells are all in the mask."""
    return tuple(line for line in board.lines if mask & line.mask == line.mask)


def stroke(board: Square, line: Line, mark: str) -> Stroke:
    """The stroke through a line, a third of a cell longer at both ends."""
    ends = list(bits(line.mask))
    (x1, y1), (x2, y2) = (centre(square_shape(board), ends[at]) for at in (0, -1))
    beyond = UNIT * 0.34
    across, down = _sign(x2 - x1) * beyond, _sign(y2 - y1) * beyond
    return Stroke(x1 - across, y1 - down, x2 + across, y2 + down, mark)


def winning_strokes(scene: Scene, board: Square, lines: Sequence[Line]) -> tuple[Stroke, ...]:
    """The strokes through the winner's lines; none while the game goes on."""
    winner = scene.outcome.winner if scene.outcome else None
    return () if winner is None else tuple(stroke(board, line, winner.mark) for line in lines)


def line_text(board: Square, line: Line) -> str:
    """`five in row 3`, `three on the rising diagonal`."""
    preposition = "on" if "diagonal" in line.name else "in"
    return f"{NUMBERS[board.size]} {preposition} {line.name}"


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


@dataclass(frozen=True, slots=True)
class GridPicture:
    """The places and marks of the cells in the picture."""

    cubes: tuple[tuple[int, int, str], ...]  # x, y, mark
    last: Place | None  # the last move
    width: int
    height: int
    framed: tuple[Place, ...] = ()  # cubes that may be taken
    strokes: tuple[Stroke, ...] = ()  # full lines
    arrow: str = ""  # transform of the chevron where a cube goes in
    named: bool = False  # with the names of rows and columns at its edge
    template: str = "boards/grid_picture.html"
    prompt: str | None = None
    opening: str = ""
    why: str | None = None

    @property
    def parts(self) -> int:
        return len(self.cubes)

    @property
    def box(self) -> str:
        """The viewBox, with a margin if there is a chevron outside the board."""
        margin = CHEVRON_MARGIN if self.arrow or self.named else 0
        names = NAMES_MARGIN if self.named else margin
        width, height = self.width + margin + names, self.height + margin + names
        return f"{-names} {-margin} {width} {height}"

    @property
    def names(self) -> tuple[tuple[int, int, str], ...]:
        """The names at the edge: x and y of their middle, and the text."""
        if not self.named:
            return ()
        beside = NAMES_MARGIN - CHEVRON_MARGIN
        wide, high = self.width // UNIT, self.height // UNIT
        rows = [(-beside, (high - row) * UNIT + UNIT // 2, str(row)) for row in range(1, high + 1)]
        columns = [
            (at * UNIT + UNIT // 2, self.height + beside, ascii_lowercase[at]) for at in range(wide)
        ]
        return (*rows, *columns)


def board_picture(board: GridBoard) -> GridPicture:
    """The picture of any board of cells, without those that are gone."""
    cells = [
        ((column * UNIT, row * UNIT), cell)
        for row, cells in enumerate(board.rows)
        for column, cell in enumerate(cells.cells)
    ]
    cubes = tuple((*at, cell.mark) for at, cell in cells if "gone" not in cell.classes.split())
    last = next((at for at, cell in cells if "last" in cell.classes.split()), None)
    return GridPicture(cubes, last, board.wide * UNIT, board.high * UNIT)


def square_picture(board: Square, x: int, o: int, last: str | None) -> GridPicture:
    """The picture of these marks; `last` is the cell of the last move."""
    corners = [_corner(board, bit) for bit in range(board.size**2)]
    cubes = tuple((*corner, mark_at(bit, x, o)) for bit, corner in enumerate(corners))
    here = None if last is None else corners[board.cells.index(last)]
    return GridPicture(cubes, here, board.size * UNIT, board.size * UNIT)


def _corner(board: Square, bit: int) -> Place:
    across, down = centre(square_shape(board), bit)
    return across - UNIT // 2, down - UNIT // 2


TICTACTOE = square_shape(BOARD)
TICTACTOE_CELLS = {name: centre(TICTACTOE, bit) for bit, name in enumerate(BOARD.cells)}


def tictactoe_board(scene: Scene) -> GridBoard:
    """Nine cells, each a move, and the winning line."""
    state: TicTacToeState = scene.state
    lines = full_lines(BOARD, state.x) + full_lines(BOARD, state.o)

    def face(name: str) -> Face:
        bit = BOARD.cells.index(name)
        won = any(line.mask >> bit & 1 for line in lines)
        classes = ("won",) if won else ("dim",) if lines else ()
        return Face(mark_at(bit, state.x, state.o) or "empty", classes)

    why = " and ".join(line_text(BOARD, line) for line in lines) or None
    board = grid_board(scene, TICTACTOE, face, why=why, marks=True)
    return replace(board, strokes=winning_strokes(scene, BOARD, lines))


def tictactoe_picture(scene: Scene) -> GridPicture:
    state: TicTacToeState = scene.state
    return square_picture(BOARD, state.x, state.o, scene.last_move and str(scene.last_move))
