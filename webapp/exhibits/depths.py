"""A search that looks deeper and deeper: its value by depth, and an arrow for each push."""

from __future__ import annotations

from dataclasses import dataclass

from agents.exhibits import Branching, Deepening, DepthReached
from agents.formats import counted, signed
from webapp.boards import arrows_for, picture_for
from webapp.boards.scene import Board
from webapp.charts import Chart, Curve, chart
from webapp.exhibits.exhibit import Stand

GLYPHS = {"win": "▲", "draw": "=", "loss": "▼", "": "~"}
FAINTEST = 0.3  # of the arrow of the worst move, where the best has 1


@dataclass(frozen=True, slots=True)
class PushRow:
    """One board that moves lead to, and the arrow of the first of them."""

    move: str
    others: str  # that lead to the same board
    glyph: str
    tone: str
    value: str
    width: float  # of its bar
    arrow: str  # the path that draws it; nothing in a game whose moves are no arrows
    strength: float
    chosen: bool


@dataclass(frozen=True, slots=True)
class PushMap:
    """The position, and the frame in which arrows are drawn about it."""

    picture: Board
    frame: str  # a viewBox
    around: int
    board: int  # its width within the frame


@dataclass(frozen=True, slots=True)
class DeepeningView:
    """The course of a search, and what it had to choose from."""

    sentence: str
    swings: (
        str  # why a move is told another value than the last depth gave; nothing where it is not
    )
    chart: Chart | None
    depths: tuple[tuple[str, str, str, str], ...]  # depth, value, move, positions
    map: PushMap | None
    pushes: tuple[PushRow, ...]
    title: str = "How deep it looked"
    template: str = "exhibits/deepening.html"
    sheets: tuple[str, ...] = ("charts/chart",)
    press: str | None = None


def deepening_view(shown: Deepening, stand: Stand) -> DeepeningView:
    boards = [(branch, moves) for branch in shown.branches for moves in branch.boards]
    pushes = [stand.game.parse_move(moves[0]) for _, moves in boards]
    arrows = arrows_for(stand.game, stand.state, pushes)
    paths = arrows.paths if arrows is not None else ("",) * len(boards)
    played = next((at for at, (_, moves) in enumerate(boards) if stand.plays(moves)), 0)
    low = min(branch.value for branch in shown.branches)
    high = max(branch.value for branch in shown.branches)
    return DeepeningView(
        sentence=_sentence(shown),
        swings=_swings(shown),
        chart=_chart(shown.depths),
        depths=tuple(
            (str(each.depth), signed(each.value), each.move, f"{each.positions:,}")
            for each in shown.depths
        ),
        map=None
        if arrows is None
        else PushMap(
            picture_for(stand.game, stand.state),
            f"{-arrows.around} {-arrows.around} {arrows.size} {arrows.size}",
            arrows.around,
            arrows.size - 2 * arrows.around,
        ),
        pushes=tuple(
            _push(branch, moves, path, (low, high), chosen=at == played)
            for at, ((branch, moves), path) in enumerate(zip(boards, paths, strict=True))
        ),
    )


def _sentence(shown: Deepening) -> str:
    boards = [moves for branch in shown.branches for moves in branch.boards]
    moves = counted(sum(map(len, boards)), "move leads", "moves lead")
    differ = f"{moves} to {counted(len(boards), 'board', 'boards')}"
    if len(boards) > len(shown.branches):
        differ += f", {len(shown.branches)} of them when mirror images count once"
    if not shown.depths:
        return f"{differ}. There was no time to look ahead."
    last = shown.depths[-1]
    if shown.line and shown.line[0] != last.move:
        told = f"At depth {last.depth} it preferred {last.move}"
        return f"{differ}. {told}; looking on, it changed to {shown.line[0]}."
    since = next(each.depth for each in shown.depths if _settled(each, shown.depths))
    return f"{differ}. It has preferred {last.move} since depth {since}."


def _swings(shown: Deepening) -> str:
    """What is told of its move beside what it came to at the last depth, where these differ."""
    best = shown.branches[0]
    if len(shown.depths) < 2 or best.sure:
        return ""
    told, last = signed(best.value), signed(shown.depths[-1].value)
    if told == last:
        return ""
    return (
        "Whoever moves last before the horizon looks better, so the value swings with the depth. "
        f"What is told of a move lies between the last two depths: {told}, not {last}."
    )


def _settled(each: DepthReached, depths: tuple[DepthReached, ...]) -> bool:
    """Whether from this depth on the move stayed the same."""
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
        strength=round(FAINTEST + (1 - FAINTEST) * share, 2),
        chosen=chosen,
    )
