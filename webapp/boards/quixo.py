"""The Quixo board: pick a cube from the rim, then an end at which to push it in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from agents.core import Candidate, rank
from engine.core import Ending, Outcome, Seat
from engine.quixo import Push, QuixoState
from engine.square import Line, Square, bits
from webapp.boards.grid import (
    UNIT,
    Badge,
    Cell,
    GridBoard,
    Scene,
    badges,
    cell,
    centre,
    columns,
    mark_at,
    rows_from_top,
    with_votes,
)
from webapp.boards.square import (
    GridPicture,
    full_lines,
    line_text,
    square_picture,
    square_shape,
    winning_strokes,
)

# Arrows of `push_arrows`, in units of the overlay.
INNER_OFFSET = 34  # from the middle of an inner line, so that marks stay visible
FIRST_LANE_OFFSET = 22  # from the rim, along an edge
LANE_WIDTH = 20
TAIL_LENGTH = 14  # outside the board
HEAD_LENGTH = 13

OPENING = "take a blank cube from the rim"

Direction = tuple[int, int]  # x to the right, y down, -1 to 1

# The side at which a cube comes in, by the direction of the slide: a class of the end's cell.
SIDES = {(1, 0): "from-left", (-1, 0): "from-right", (0, 1): "from-top", (0, -1): "from-bottom"}


@dataclass(frozen=True, slots=True)
class GhostCube:
    """A cube after a push; x and y of its top left corner in the overlay."""

    x: int
    y: int
    mark: str
    entering: bool


@dataclass(frozen=True, slots=True)
class Ghost:
    """A preview of the pushed line, shown while the end with that number has the focus."""

    number: int
    cubes: tuple[GhostCube, ...]


@dataclass(frozen=True, slots=True)
class Arrow:
    """A chevron at the rim where a cube was, or would be, pushed in."""

    transform: str
    kind: str  # last or hint


@dataclass(frozen=True, slots=True)
class QuixoBoard(GridBoard):
    """The cubes, top row first, the ends of a picked cube, and the winning line."""

    ghosts: tuple[Ghost, ...] = ()
    arrows: tuple[Arrow, ...] = ()
    picked: str | None = None
    template: str = "boards/_quixo.html"


@dataclass(frozen=True, slots=True)
class PushArrows:
    """An arrow for each push, in a picture with a margin around the board."""

    paths: tuple[str, ...]  # attribute `d`, in the order of the pushes
    around: int  # the margin
    size: int  # of the whole picture


@dataclass(frozen=True, slots=True)
class _Hand:
    """The legal pushes, the picked cube and its ends."""

    pushes: dict[str, list[Push]]  # by source, empty if the visitor may not move
    picked: str | None
    ends: dict[str, Push]  # by target, of the picked cube, or of the hint


def quixo_board(scene: Scene) -> QuixoBoard:
    """The Quixo board of a scene; a `pick` that may not move is ignored."""
    state: QuixoState = scene.state
    square = state.table.square
    hand = _hand(scene)
    lines = _winning_lines(state, scene.outcome)
    worths = _badges(scene, hand)
    cells = {bit: _cell(scene, hand, lines, worths, bit) for bit in range(square.size**2)}
    return QuixoBoard(
        name="Quixo board",
        rows=rows_from_top(square_shape(square), cells),
        columns=columns(square_shape(square)),
        strokes=winning_strokes(scene, square, lines),
        ghosts=tuple(
            _ghost(number, state, push) for number, push in enumerate(hand.ends.values(), start=1)
        ),
        arrows=_arrows(square, scene, hand),
        why=_why(state, scene.outcome, lines),
        prompt=f"Push {hand.picked} back in at an arrow: {_alternatives(list(hand.ends))}"
        if hand.picked
        else None,
        opening=OPENING if _is_opening(scene) else "",
        moved=str(scene.last_move or ""),
        mover="",
        playable=scene.may_move,
        picked=hand.picked,
        wide=square.size,
        high=square.size,
    )


def quixo_picture(scene: Scene) -> GridPicture:
    state: QuixoState = scene.state
    last = scene.last_move and scene.last_move.target
    return square_picture(state.table.square, state.x, state.o, last)


def quixo_move_text(state: QuixoState, push: Push) -> str:
    """`Take a2 and push it in at the top of column a`."""
    side = SIDES[_direction(state.table.square, push)].removeprefix("from-")
    column, row = push.target[0], push.target[1:]
    place = {
        "left": f"on the left of row {row}",
        "right": f"on the right of row {row}",
        "top": f"at the top of column {column}",
        "bottom": f"at the bottom of column {column}",
    }[side]
    return f"Take {push.source} and push it in {place}"


def push_arrows(state: QuixoState, pushes: Sequence[Push]) -> PushArrows:
    """Arrows of these pushes; along an edge they are outside, in lanes, the shortest innermost."""
    square = state.table.square
    lanes: dict[Direction, int] = {}  # number used, by side
    placed: dict[Push, int] = {}
    for push in sorted(pushes, key=lambda push: _length(square, push)):
        side = _side(square, push)
        if side is not None:
            placed[push] = lanes.get(side, 0)
            lanes[side] = placed[push] + 1
    around = FIRST_LANE_OFFSET + LANE_WIDTH * max(lanes.values(), default=0) + HEAD_LENGTH
    paths = tuple(_path(square, push, placed.get(push)) for push in pushes)
    return PushArrows(paths, around, square.size * UNIT + 2 * around)


def arrow(square: Square, push: Push, kind: str) -> Arrow:
    """A chevron just outside the end, pointing in the direction of the slide."""
    (entry_x, entry_y), _ = _ends(square, push)
    across, down = _direction(square, push)
    turn = {(1, 0): 0, (0, 1): 90, (-1, 0): 180, (0, -1): 270}[(across, down)]
    x, y = entry_x - across * UNIT * 0.555, entry_y - down * UNIT * 0.555
    return Arrow(f"translate({x:g} {y:g}) rotate({turn})", kind)


def _hand(scene: Scene) -> _Hand:
    pushes: dict[str, list[Push]] = {}
    for push in scene.state.legal_moves() if scene.may_move else ():
        pushes.setdefault(push.source, []).append(push)
    source = None if scene.pick is None else scene.pick.partition("-")[0]
    picked = source if source in pushes else None
    if picked:
        return _Hand(pushes, picked, {push.target: push for push in pushes[picked]})
    # The arrow of a hint can be pressed: it pushes the hinted cube.
    hinted = (push for each in pushes.values() for push in each if str(push) == scene.hint)
    return _Hand(pushes, None, {push.target: push for push in hinted})


def _is_opening(scene: Scene) -> bool:
    """Whether the visitor is to make their first move: a mark never leaves the board."""
    state: QuixoState = scene.state
    own = state.x if state.to_move is Seat.FIRST else state.o
    return scene.may_move and not own


def _winning_lines(state: QuixoState, outcome: Outcome | None) -> tuple[Line, ...]:
    if outcome is None or outcome.winner is None:
        return ()
    mask = state.x if outcome.winner is Seat.FIRST else state.o
    return full_lines(state.table.square, mask)


def _why(state: QuixoState, outcome: Outcome | None, lines: tuple[Line, ...]) -> str | None:
    if outcome is None or outcome.winner is None or not lines:
        return None
    words = " and ".join(line_text(state.table.square, line) for line in lines)
    if outcome.ending is Ending.OPPONENT_LINE:
        return f"{outcome.winner.other.mark} pushed {outcome.winner.mark} to {words}"
    return words


def _cell(
    scene: Scene, hand: _Hand, lines: tuple[Line, ...], worths: dict[str, Badge], bit: int
) -> Cell:
    name = scene.state.table.square.cells[bit]
    won = any(line.mask >> bit & 1 for line in lines)
    facts = {
        "won": won,
        "dim": bool(lines) and not won,
        "last": scene.last_move is not None and scene.last_move.target == name,
        "picked": name == hand.picked,
        "takeable": _is_opening(scene) and not hand.picked and name in hand.pushes,
        "hinted": scene.hint is not None and scene.hint.partition("-")[0] == name,
        "answered": scene.answer is not None and scene.answer.partition("-")[0] == name,
    }
    classes = [fact for fact, holds in facts.items() if holds]
    if name in hand.ends:
        side = SIDES[_direction(scene.state.table.square, hand.ends[name])]
        classes += [] if hand.picked else ["advised"]
        classes += ["end", f"end-{list(hand.ends).index(name) + 1}", side]
    shows = mark_at(bit, scene.state.x, scene.state.o) or "blank"
    return cell(name, shows, _action(hand, name), tuple(classes), worths.get(name))


def _action(hand: _Hand, name: str) -> tuple[str, str, str]:
    """The action of a cell, its value, and the action in words."""
    if name in hand.ends:
        return "move", str(hand.ends[name]), f"push {hand.ends[name].source} in here"
    if name == hand.picked:
        return "unpick", "", "in your hand"
    if name in hand.pushes:
        return "pick", name, "take"
    if not hand.pushes:
        return "none", "", ""
    return "ask", f"{hand.picked}-{name}" if hand.picked else name, ""


def _badges(scene: Scene, hand: _Hand) -> dict[str, Badge]:
    """Badges by cell: of the push to each end, or, if none is picked, of each cube's best push."""
    if not scene.values and not scene.votes:
        return {}
    pushes: Iterable[Push] = hand.ends.values() if hand.picked else scene.state.legal_moves()
    worths: dict[str, Candidate[Any]] = {}
    for push in pushes:
        worth = scene.values.get(str(push))
        at = push.target if hand.picked else push.source
        if worth is not None and (at not in worths or rank(worth) < rank(worths[at])):
            worths[at] = worth
    votes: dict[str, int] = {}
    for push in scene.state.legal_moves() if not hand.picked else ():
        votes[push.source] = votes.get(push.source, 0) + scene.votes.get(str(push), 0)
    return with_votes(badges(worths), votes)


def _ghost(number: int, state: QuixoState, push: Push) -> Ghost:
    square, slide = state.table.square, state.table.slides[push]
    after = state.play(push)
    cubes = []
    for bit in bits(slide.source | slide.sliding):
        x, y = centre(square_shape(square), bit)
        entering = square.cells[bit] == push.target
        mark = mark_at(bit, after.x, after.o)
        cubes.append(GhostCube(x - UNIT // 2, y - UNIT // 2, mark, entering))
    return Ghost(number, tuple(cubes))


def _arrows(square: Square, scene: Scene, hand: _Hand) -> tuple[Arrow, ...]:
    """The last push and the hinted one; not the last while a cube's own ends are shown."""
    named = scene.hint or scene.answer
    legal = () if named is None else scene.state.legal_moves()
    hinted = next((push for push in legal if str(push) == named), None)
    pushes = {"last": None if hand.picked else scene.last_move, "hint": hinted}
    return tuple(arrow(square, push, kind) for kind, push in pushes.items() if push)


def _alternatives(names: list[str]) -> str:
    return f"{', '.join(names[:-1])} or {names[-1]}"


def _ends(square: Square, push: Push) -> tuple[Direction, Direction]:
    """The centres of the cells where the cube goes in and where it came from."""
    entry, source = (square.cells.index(name) for name in (push.target, push.source))
    return centre(square_shape(square), entry), centre(square_shape(square), source)


def _length(square: Square, push: Push) -> int:
    (x1, y1), (x2, y2) = _ends(square, push)
    return abs(x2 - x1) + abs(y2 - y1)


def _direction(square: Square, push: Push) -> Direction:
    """The direction of the slide."""
    (x1, y1), (x2, y2) = _ends(square, push)
    return (x2 > x1) - (x2 < x1), (y2 > y1) - (y2 < y1)


def _side(square: Square, push: Push) -> Direction | None:
    """The edge of the board that the line lies on, if any."""
    across, down = _direction(square, push)
    (x, y), _ = _ends(square, push)
    last = square.size * UNIT - UNIT // 2
    for at, side in ((UNIT // 2, -1), (last, 1)):
        if across and y == at:
            return 0, side
        if down and x == at:
            return side, 0
    return None


def _path(square: Square, push: Push, lane: int | None) -> str:
    """The arrow's path; `lane` is None inside the board, where two directions are side by side."""
    across, down = _direction(square, push)
    (x1, y1), (x2, y2) = _ends(square, push)
    side = _side(square, push)
    if side is None or lane is None:
        right, below = -down * INNER_OFFSET, across * INNER_OFFSET  # left of its direction
    else:
        out = UNIT // 2 + FIRST_LANE_OFFSET + LANE_WIDTH * lane
        right, below = side[0] * out, side[1] * out
    start = UNIT // 2 + (TAIL_LENGTH if side is None else -HEAD_LENGTH)
    x1, y1 = x1 + right - across * start, y1 + below - down * start
    x2, y2 = x2 + right, y2 + below
    one, other = (
        f"{x2 - (across + turn * down) * HEAD_LENGTH} {y2 - (down + turn * across) * HEAD_LENGTH}"
        for turn in (1, -1)
    )
    return f"M{x1} {y1}L{x2} {y2}M{one}L{x2} {y2}L{other}"
