"""Iterative deepening: the value by depth, and an arrow for each move."""

from __future__ import annotations

from dataclasses import dataclass
from math import atanh, inf, tanh

from agents.exhibits import Branching, Deepening, DepthReached
from agents.formats import counted, signed
from webapp.boards import arrows_for, picture_for
from webapp.boards.grid import Board
from webapp.boards.quixo import PushArrows
from webapp.charts import Chart, Curve, chart
from webapp.exhibits.exhibit import ExhibitContext, ExhibitView

GLYPHS = {"win": "▲", "draw": "=", "loss": "▼", "": "~"}
ROUNDING = 0.005  # of a value told: the engine counts in whole scores
MIN_OPACITY = 0.3  # of the worst move's arrow


@dataclass(frozen=True, slots=True)
class PushRow:
    """The moves to one resulting board, with the arrow of the first of them."""

    move: str
    others: str  # moves to the same board
    glyph: str
    tone: str
    value: str
    width: float  # of its bar
    arrow: str  # SVG path; empty if moves are not arrows
    strength: float  # opacity, 0 to 1
    chosen: bool


@dataclass(frozen=True, slots=True)
class PushMap:
    """The picture of the position and the viewBox with the arrows around it."""

    picture: Board
    frame: str  # a viewBox
    around: int
    board: int  # its width within the frame


class DeepeningView(ExhibitView):
    """The value of a search by depth, and the moves it chose from."""

    title = "How deep it looked"
    template = "exhibits/deepening.html"
    sheets = ("charts/chart",)

    def __init__(self, exhibit: Deepening, context: ExhibitContext) -> None:
        boards = [(branch, moves) for branch in exhibit.branches for moves in branch.boards]
        arrows = arrows_for(
            context.game,
            context.state,
            [context.game.parse_move(moves[0]) for _, moves in boards],
        )
        paths = arrows.paths if arrows is not None else ("",) * len(boards)
        played = next((at for at, (_, moves) in enumerate(boards) if context.plays(moves)), 0)
        values = [branch.value for branch in exhibit.branches]
        span = (min(values), max(values))
        self.sentence = _sentence(exhibit)
        self.swings = _swing_text(exhibit)
        self.chart = _chart(exhibit.depths)
        self.depths = tuple(  # depth, value, move, positions
            (str(each.depth), signed(each.value), each.move, f"{each.positions:,}")
            for each in exhibit.depths
        )
        self.map = None if arrows is None else _map(arrows, context)
        self.pushes = tuple(
            _push(branch, moves, path, span, chosen=at == played)
            for at, ((branch, moves), path) in enumerate(zip(boards, paths, strict=True))
        )


def _map(arrows: PushArrows, context: ExhibitContext) -> PushMap:
    around, size = arrows.around, arrows.size
    picture = picture_for(context.game, context.state)
    return PushMap(picture, f"{-around} {-around} {size} {size}", around, size - 2 * around)


def _sentence(exhibit: Deepening) -> str:
    boards = [moves for branch in exhibit.branches for moves in branch.boards]
    moves = counted(sum(map(len, boards)), "move leads", "moves lead")
    differ = f"{moves} to {counted(len(boards), 'board', 'boards')}"
    if len(boards) > len(exhibit.branches):
        differ += f", {len(exhibit.branches)} of them when mirror images count once"
    if not exhibit.depths:
        return f"{differ}. There was no time to look ahead."
    last = exhibit.depths[-1]
    if exhibit.line and exhibit.line[0] != last.move:
        last_choice = f"At depth {last.depth} it preferred {last.move}"
        return f"{differ}. {last_choice}; looking on, it changed to {exhibit.line[0]}."
    since = next(each.depth for each in exhibit.depths if _settled(each, exhibit.depths))
    return f"{differ}. It has preferred {last.move} since depth {since}."


def _swing_text(exhibit: Deepening) -> str:
    """Why the value told is halfway between the last two depths; empty where it is not."""
    best = exhibit.branches[0]
    if len(exhibit.depths) < 2 or best.sure:
        return ""
    before, last = exhibit.depths[-2:]
    if abs(best.value - halfway(before.value, last.value)) > ROUNDING:
        return ""
    even, odd = sorted((before, last), key=lambda each: each.depth % 2)
    return (
        "Who moves last before the search ends looks better, so values jump up and down from depth "
        "to depth. The value it tells is therefore the mean of an even and an odd depth: "
        f"{signed(even.value)} at {even.depth} and {signed(odd.value)} at {odd.depth} plies make "
        f"{signed(best.value)}."
    )


def halfway(one: float, other: float) -> float:
    """The mean of two values as the engine takes it: of their log-odds."""
    return tanh((atanh(one) + atanh(other)) / 2) if max(abs(one), abs(other)) < 1 else inf


def _settled(each: DepthReached, depths: tuple[DepthReached, ...]) -> bool:
    """Whether the best move stayed the same from this depth on."""
    return all(later.move == depths[-1].move for later in depths if later.depth >= each.depth)


def _chart(depths: tuple[DepthReached, ...]) -> Chart | None:
    if len(depths) < 2:
        return None
    points = tuple((each.depth, each.value) for each in depths)
    title = "What it thought of its best move, by depth: 1 won, −1 lost"
    return chart(title, [Curve("value", "first", points)], x_name="plies", percent=False)


def _push(
    branch: Branching, moves: tuple[str, ...], path: str, span: tuple[float, float], *, chosen: bool
) -> PushRow:
    low, high = span
    share = (branch.value - low) / (high - low) if high > low else 1.0
    return PushRow(
        move=moves[0],
        others=" ".join(moves[1:]),
        glyph=GLYPHS[branch.sure],
        tone=branch.sure or "draw",
        value=branch.sure or signed(branch.value),
        width=round((1 + branch.value) / 2, 4),
        arrow=path,
        strength=round(MIN_OPACITY + (1 - MIN_OPACITY) * share, 2),
        chosen=chosen,
    )
