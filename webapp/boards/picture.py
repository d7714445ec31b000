"""Positions as static pictures, for cards and rows of a tree."""

from __future__ import annotations

from dataclasses import dataclass

from engine.nim import NimState
from engine.quixo import QuixoState
from engine.square import Square
from engine.tictactoe import BOARD, TicTacToeState
from webapp.boards.grid import UNIT, GridBoard, centre, mark_at
from webapp.boards.lines import Stroke, square_shape
from webapp.boards.scene import Scene

STICK_WIDTH = 24
STICK_HEIGHT = 36
CHEVRON_MARGIN = 20  # around the board, in units of the overlay
TICTACTOE_CELLS = {name: centre(square_shape(BOARD), bit) for bit, name in enumerate(BOARD.cells)}

Place = tuple[int, int]  # x to the right, y down from the top


@dataclass(frozen=True, slots=True)
class NimPicture:
    """The places of the matches in the picture."""

    sticks: tuple[Place, ...]
    gone: tuple[Place, ...]  # taken by the last move
    width: int
    height: int
    template: str = "boards/nim_picture.html"
    prompt: str | None = None
    why: str | None = None

    @property
    def parts(self) -> int:
        return len(self.sticks) + len(self.gone)


@dataclass(frozen=True, slots=True)
class GridPicture:
    """The places and marks of the cells in the picture."""

    cubes: tuple[tuple[int, int, str], ...]  # x, y, mark
    last: Place | None  # the last move
    width: int
    height: int
    framed: tuple[Place, ...] = ()  # cubes that may be taken
    strokes: tuple[Stroke, ...] = ()  # full lines
    arrow: str = ""  # transform of the chevron where a cube was pushed in
    template: str = "boards/grid_picture.html"
    prompt: str | None = None
    why: str | None = None

    @property
    def parts(self) -> int:
        return len(self.cubes)

    @property
    def box(self) -> str:
        """The viewBox, with a margin if there is a chevron outside the board."""
        margin = CHEVRON_MARGIN if self.arrow else 0
        return f"{-margin} {-margin} {self.width + 2 * margin} {self.height + 2 * margin}"


@dataclass(frozen=True, slots=True)
class PlainPicture:
    """A position as lines of text."""

    text: str
    template: str = "boards/plain_picture.html"
    prompt: str | None = None
    why: str | None = None

    @property
    def parts(self) -> int:
        return len(self.text) // 4


Picture = NimPicture | GridPicture | PlainPicture


def nim_picture(scene: Scene) -> NimPicture:
    """The heaps as centred rows of matches."""
    state: NimState = scene.state
    start: NimState = scene.game.start
    width = max(start.heaps) * STICK_WIDTH
    sticks, gone = [], []
    for row, count in enumerate(state.heaps):
        take = scene.last_move
        took = take.count if take is not None and take.heap == row else 0
        left = (width - (count + took) * STICK_WIDTH) // 2
        places = [(left + at * STICK_WIDTH, row * STICK_HEIGHT) for at in range(count + took)]
        sticks += places[:count]
        gone += places[count:]
    return NimPicture(tuple(sticks), tuple(gone), width, len(state.heaps) * STICK_HEIGHT)


def tictactoe_picture(scene: Scene) -> GridPicture:
    state: TicTacToeState = scene.state
    return _square_picture(BOARD, state.x, state.o, scene.last_move and str(scene.last_move))


def quixo_picture(scene: Scene) -> GridPicture:
    state: QuixoState = scene.state
    return _square_picture(
        state.table.square, state.x, state.o, scene.last_move and scene.last_move.target
    )


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


def _square_picture(board: Square, x: int, o: int, last: str | None) -> GridPicture:
    corners = [_corner(board, bit) for bit in range(board.size**2)]
    cubes = tuple((*corner, mark_at(bit, x, o)) for bit, corner in enumerate(corners))
    here = None if last is None else corners[board.cells.index(last)]
    return GridPicture(cubes, here, board.size * UNIT, board.size * UNIT)


def _corner(board: Square, bit: int) -> Place:
    across, down = centre(square_shape(board), bit)
    return across - UNIT // 2, down - UNIT // 2
