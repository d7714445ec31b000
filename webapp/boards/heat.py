"""Shares of moves as heat on the picture of a position: the larger, the stronger the tint."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from string import ascii_lowercase
from typing import Any

from engine.core import Game
from engine.drawing import STICK_HEIGHT, STICK_WIDTH
from engine.nim import NimState
from engine.quixo import QuixoState
from engine.square import Square
from engine.tictactoe import BOARD, TicTacToeState
from webapp.boards import Picture, arrows_for, picture_for
from webapp.boards.grid import UNIT, centre
from webapp.boards.nim import NimPicture
from webapp.boards.plain import PlainPicture
from webapp.boards.square import GridPicture, square_shape

MAX_STRENGTH = 0.62  # opacity of a share of 1: the figure on it stays readable
MIN_WRITTEN = 0.005  # smaller shares are tinted, not written
MIN_ARROW = 0.05
MAX_ARROWS = 6
CUBE_INSET = 4  # of a tint from the edge of its cell, in units of the overlay
EDGE = 26  # for coordinates

Shares = Mapping[str, float]  # by the text of a move


@dataclass(frozen=True, slots=True)
class Spot:
    """A tinted part of the picture, and its share in per cent."""

    x: int  # of its top left corner
    y: int
    width: int
    height: int
    strength: float  # opacity
    text: str
    chosen: bool
    marked: bool = False

    @property
    def place(self) -> tuple[float, float]:
        """The middle of its text, which stands below a mark."""
        return self.x + self.width / 2, self.y + self.height * (0.85 if self.marked else 0.5)


@dataclass(frozen=True, slots=True)
class Heat:
    """A picture with its spots, coordinates, and arrows for moves that are more than a cell."""

    picture: NimPicture | GridPicture
    spots: tuple[Spot, ...]
    arrows: tuple[tuple[str, float], ...]  # path, opacity
    margin: int  # around the picture
    mover: str  # its mark
    label: str
    names: tuple[str, ...]  # of the rows, from the top: heaps, or numbers at the left edge
    columns: tuple[str, ...]  # at the lower edge; none for heaps
    font: int  # size of a figure
    template: str = "boards/heat.html"

    @property
    def frame(self) -> str:
        """The viewBox."""
        around = 2 * self.margin
        width, height = self.picture.width + around, self.picture.height + around
        return f"{-self.margin} {-self.margin} {width} {height}"

    @property
    def coordinates(self) -> Iterator[tuple[float, float, str]]:
        """(x, y, text) at the edges."""
        width, height, out = self.picture.width, self.picture.height, self.margin - EDGE / 2
        for at, name in enumerate(self.names):
            yield -out, (at + 0.5) * height / len(self.names), name
        for at, name in enumerate(self.columns):
            yield (at + 0.5) * width / len(self.columns), height + out, name


def heat_for(
    game: Game[Any, Any],
    state: Any,
    shares: Shares,
    *,
    choice: str = "",
    label: str = "",
    texts: Mapping[str, str] | None = None,
) -> Heat | None:
    """The shares on the picture of the state; None for a game whose moves have no place there.

    With `texts`, by move, these stand on the cells instead of the shares, where cells are moves.
    """
    picture = picture_for(game, state)
    if game.key not in SPOTS or isinstance(picture, PlainPicture):
        return None
    ordered = sorted(shares, key=lambda move: -shares[move])
    strong = [move for move in ordered if shares[move] >= MIN_ARROW][:MAX_ARROWS]
    drawn = arrows_for(game, state, [game.parse_move(move) for move in strong])
    most = shares[ordered[0]] or 1.0
    arrows = [] if drawn is None else zip(drawn.paths, strong, strict=True)
    margin = EDGE if drawn is None else max(EDGE, drawn.around)
    return Heat(
        picture,
        tuple(_written(SPOTS[game.key](state, picture, shares, choice), game, texts or {})),
        tuple((path, round(shares[move] / most, 2)) for path, move in arrows),
        margin,
        state.to_move.mark,
        label,
        *_edges(state),
    )


def _written(
    spots: Iterator[Spot], game: Game[Any, Any], texts: Mapping[str, str]
) -> Iterator[Spot]:
    """The spots with these texts; none where a spot is not one move and its share says nothing."""
    for spot in spots:
        if not texts:
            yield spot
        elif game.key == "tictactoe":
            cell = BOARD.cells[_bit_at(spot)]
            yield replace(spot, text=texts.get(cell, ""))
        else:
            yield replace(spot, text="")


def _bit_at(spot: Spot) -> int:
    x, y = spot.place
    return (BOARD.size - 1 - int(y) // UNIT) * BOARD.size + int(x) // UNIT


def _cell_spots(_: Any, __: Picture, shares: Shares, choice: str) -> Iterator[Spot]:
    """Tic-tac-toe: a move is a cell."""
    for cell, share in shares.items():
        yield _cube(BOARD, cell, share, chosen=cell == choice)


def _cube_spots(state: QuixoState, _: Picture, shares: Shares, choice: str) -> Iterator[Spot]:
    """Quixo: all pushes of a cube together."""
    totals: dict[str, float] = {}
    for push, share in shares.items():
        cell = push.partition("-")[0]
        totals[cell] = totals.get(cell, 0.0) + share
    for cell, share in totals.items():
        board, chosen = state.table.square, cell == choice.partition("-")[0]
        marked = bool((state.x | state.o) >> board.cells.index(cell) & 1)
        yield _cube(board, cell, min(1.0, share), chosen=chosen, marked=marked)


def _cube(board: Square, cell: str, share: float, *, chosen: bool, marked: bool = False) -> Spot:
    x, y = centre(square_shape(board), board.cells.index(cell))
    corner, side = UNIT // 2 - CUBE_INSET, UNIT - 2 * CUBE_INSET
    text = f"{_short_percent(share)}%" if share >= MIN_WRITTEN else ""
    return Spot(x - corner, y - corner, side, side, _strength(share), text, chosen, marked)


def _stick_spots(state: NimState, picture: Any, shares: Shares, choice: str) -> Iterator[Spot]:
    """Nim: a match stands for taking it and those to its right, as on the board to play on."""
    places = iter(picture.sticks)
    for heap, count in enumerate(state.heaps):
        for left in range(count):
            x, y = next(places)
            take = f"{ascii_lowercase[heap]}{count - left}"
            if (share := shares.get(take)) is not None:
                text = _short_percent(share) if share >= MIN_WRITTEN else ""
                chosen = take == choice
                yield Spot(x, y, STICK_WIDTH, STICK_HEIGHT, _strength(share), text, chosen)


def _short_percent(share: float) -> str:
    """`97`, `>99`: a cell is small, and a match narrow."""
    return ">99" if 0.995 <= share < 1 else f"{100 * share:.0f}"


def _strength(share: float) -> float:
    return round(MAX_STRENGTH * share, 3)


def _edges(state: Any) -> tuple[tuple[str, ...], tuple[str, ...], int]:
    """The names of heaps, or of rows and columns, and the size of a figure."""
    if isinstance(state, NimState):
        return tuple(ascii_lowercase[: len(state.heaps)]), (), 11
    size = BOARD.size if isinstance(state, TicTacToeState) else state.table.size
    rows = tuple(str(size - at) for at in range(size))
    return rows, tuple(ascii_lowercase[:size]), 18 + 4 * size


# By game: (state, its picture, shares, the move that is played) -> spots.
SPOTS: Mapping[str, Callable[[Any, Any, Shares, str], Iterator[Spot]]] = {
    "tictactoe": _cell_spots,
    "quixo": _cube_spots,
    "nim": _stick_spots,
}
