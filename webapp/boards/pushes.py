"""Quixo's pushes as arrows about a drawn board: from where a cube goes in to where it came from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.quixo import Push, QuixoState
from webapp.boards.grid import UNIT, centre
from webapp.boards.lines import shape_of

BESIDE = 34  # from the middle of a line within the board, so that marks stay in sight
FIRST_LANE = 22  # from the rim, of arrows along an edge
NEXT_LANE = 20
TAIL = 14  # how far outside an arrow begins
HEAD = 13

Way = tuple[int, int]  # to the right and down, -1 to 1


@dataclass(frozen=True, slots=True)
class PushArrows:
    """An arrow for each push, in a drawing that is this much larger than its board all round."""

    paths: tuple[str, ...]  # what `d` of a path says, in the order of the pushes
    around: int
    size: int  # of the whole drawing


def arrows_of(state: QuixoState, pushes: Sequence[Push]) -> PushArrows:
    """Along an edge of the board they lie outside, in lanes, the shortest next to it."""
    lanes: dict[Way, int] = {}  # taken so far, by the side on which they lie
    placed: dict[Push, int] = {}
    for push in sorted(pushes, key=lambda push: _length(state, push)):
        side = _side(state, push)
        if side is not None:
            placed[push] = lanes.get(side, 0)
            lanes[side] = placed[push] + 1
    around = FIRST_LANE + NEXT_LANE * max(lanes.values(), default=0) + HEAD
    paths = tuple(_path(state, push, placed.get(push)) for push in pushes)
    return PushArrows(paths, around, state.table.size * UNIT + 2 * around)


def _ends(state: QuixoState, push: Push) -> tuple[Way, Way]:
    """Where the cube goes in and where it came from, as middles of cells."""
    square = state.table.square
    entry, source = (square.cells.index(name) for name in (push.target, push.source))
    return centre(shape_of(square), entry), centre(shape_of(square), source)


def _length(state: QuixoState, push: Push) -> int:
    (x1, y1), (x2, y2) = _ends(state, push)
    return abs(x2 - x1) + abs(y2 - y1)


def _way(state: QuixoState, push: Push) -> Way:
    """Which way the line slides."""
    (x1, y1), (x2, y2) = _ends(state, push)
    return (x2 > x1) - (x2 < x1), (y2 > y1) - (y2 < y1)


def _side(state: QuixoState, push: Push) -> Way | None:
    """The side of the board along which the line lies, if it lies along one."""
    across, down = _way(state, push)
    (x, y), _ = _ends(state, push)
    last = state.table.size * UNIT - UNIT // 2
    for at, side in ((UNIT // 2, -1), (last, 1)):
        if across and y == at:
            return 0, side
        if down and x == at:
            return side, 0
    return None


def _path(state: QuixoState, push: Push, lane: int | None) -> str:
    """A line and its head; a lane is None within the board, where two ways lie side by side."""
    across, down = _way(state, push)
    (x1, y1), (x2, y2) = _ends(state, push)
    side = _side(state, push)
    if side is None or lane is None:
        right, below = -down * BESIDE, across * BESIDE  # on the left of who goes this way
    else:
        out = UNIT // 2 + FIRST_LANE + NEXT_LANE * lane
        right, below = side[0] * out, side[1] * out
    start = UNIT // 2 + (TAIL if side is None else -HEAD)
    x1, y1 = x1 + right - across * start, y1 + below - down * start
    x2, y2 = x2 + right, y2 + below
    one, other = (
        f"{x2 - (across + turn * down) * HEAD} {y2 - (down + turn * across) * HEAD}"
        for turn in (1, -1)
    )
    return f"M{x1} {y1}L{x2} {y2}M{one}L{x2} {y2}L{other}"
