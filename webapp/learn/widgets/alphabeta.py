"""Widgets of alpha-beta: predict its cut-offs, and count positions by move order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from agents.formats import counted
from agents.search.trace import Algorithm, Order, Plan, moves_in, record
from agents.search.trace_view import (
    Spot,
    Tried,
    Unfolded,
    Window,
    cut_text,
    value_text,
    window_text,
)
from engine.match import Match
from webapp.boards import picture_for
from webapp.boards.scene import Board
from webapp.learn.markup import figure_value
from webapp.learn.positions import Position, read_position
from webapp.learn.widgets.widget import Button, Widget

MAX_TREE_DEPTH = 20  # plies: deeper than any tree in a lesson
LOOKS, SKIPS = "y", "n"
REST = "!"  # at the end of the state: skip the remaining questions
TICTACTOE_PLIES = 9  # of the longest game
TITLES = {
    Order.BOARD: "as the board lists them",
    Order.BACKWARDS: "the other way round",
    Order.BEST: "the most promising first",
    Order.WORST: "the least promising first",
}


@dataclass(frozen=True, slots=True)
class Searched:
    """A position and its complete search tree."""

    position: Position
    tree: Unfolded

    @property
    def root(self) -> Spot:
        return self.tree.spots(())[0]


@lru_cache(maxsize=32)
def searched(about: str, algorithm: Algorithm, order: Order = Order.BOARD) -> Searched:
    """The textbook search from a position."""
    position = read_position(about)
    plan = Plan(algorithm, MAX_TREE_DEPTH, order)
    recording = record(Match.begin(position.game, position.state), plan)
    moves = moves_in(order, position.game)
    prunes = algorithm is Algorithm.ALPHABETA
    upto = len(recording.end) - 1
    return Searched(position, Unfolded(recording, position.state, moves, upto, prunes))


@lru_cache(maxsize=64)
def counted_nodes(about: str, order: Order) -> dict[Algorithm, int]:
    """Number of positions each algorithm visits."""
    looked = searched(about, Algorithm.ALPHABETA, order).tree.recording.looked_at
    return {algorithm: count or 0 for algorithm, count in looked.items()}


@dataclass(frozen=True, slots=True)
class Decision:
    """Whether a move is searched or cut off; asked before each move but the first."""

    above: tuple[Spot, ...]  # from the root to the position
    next: Tried
    window: Window  # at that moment
    looks: bool


@dataclass(frozen=True, slots=True)
class WayDown:
    """One position on the path to the question, with what is known of its moves."""

    picture: Board
    title: str
    moves: tuple[tuple[str, str, str], ...]  # move, what is known of it, class


def decisions(found: Searched, above: tuple[Spot, ...]) -> Iterator[Decision]:
    """All decisions in search order; none at the root, where every move is searched."""
    here = above[-1]
    window = here.window
    for turn, tried in enumerate(found.tree.tried(here)):
        if turn and len(above) > 1:
            yield Decision(above, tried, window, tried.spot is not None)
        if tried.spot is None:
            return
        yield from decisions(found, (*above, tried.spot))
        if tried.value is not None:
            window = window.after(tried.value, here.state.to_move)


class Cutting:
    """The next decision after those answered, the path to it, and why the last one was so."""

    template = "learn/widgets/cutting.html"
    sheets = ()

    def __init__(self, about: str, held: str) -> None:
        found = searched(about, Algorithm.ALPHABETA)
        asked = list(decisions(found, (found.root,)))
        given = [letter for letter in held.removesuffix(REST) if letter in (LOOKS, SKIPS)]
        given = given[: len(asked)]
        at = len(asked) if held.endswith(REST) else len(given)
        right = sum(
            (letter == LOOKS) == one.looks for letter, one in zip(given, asked, strict=False)
        )
        so_far = "".join(given)
        self.position = found.position
        self.status = _status(about, right, len(given), len(asked) - at)
        self.told = self.right = ""  # of the last answer: why, and yes or no
        if given and at == len(given):
            last = asked[len(given) - 1]
            self.told = _explanation(found, last)
            self.right = "yes" if (given[-1] == LOOKS) == last.looks else "no"
        now = asked[at] if at < len(asked) else None
        self.steps = () if now is None else tuple(_steps(found, now))
        self.question = "" if now is None else _question(now)
        self.window = "" if now is None else window_text(now.window)
        choices = (("Yes, it looks", LOOKS), ("No, it skips the rest", SKIPS))
        self.choices = tuple(Button(so_far + letter, label) for label, letter in choices if now)
        rest = (Button(so_far + REST, "Show the count"),) if now else ()
        self.presses = (*rest, Button("", "Start again")) if held else rest


def _question(now: Decision) -> str:
    mover = now.above[-1].state.to_move.mark
    return f"Here {mover} could also play {now.next.move}. Will alpha-beta look at it?"


def _explanation(found: Searched, last: Decision) -> str:
    if last.looks:
        return (
            f"It looked at {last.next.move}: with {window_text(last.window)} the answer could "
            "still change what happens above."
        )
    cut = found.tree.cut(last.above)
    assert cut is not None, "a move that is not searched was cut off"
    return cut_text(cut)


def _status(about: str, right: int, given: int, left: int) -> str:
    if left:
        return (
            f"{right} of {given} right." if given else f"{counted(left, 'question', 'questions')}."
        )
    counts = counted_nodes(about, Order.BOARD)
    score = f" You had {right} of {given} right." if given else ""
    return (
        f"Alpha-beta looked at {counts[Algorithm.ALPHABETA]} positions, minimax at "
        f"{counts[Algorithm.MINIMAX]}, and both give the same answer.{score}"
    )


def _steps(found: Searched, now: Decision) -> Iterator[WayDown]:
    """The positions from the root down to the current one."""
    for level, spot in enumerate(now.above):
        below = now.above[level + 1].path[-1] if level + 1 < len(now.above) else now.next.turn
        here = level + 1 == len(now.above)
        yield WayDown(
            picture=picture_for(found.position.game, spot.state),
            title=f"{spot.state.to_move.mark} to move",
            moves=tuple(_move(tried, below, here) for tried in found.tree.tried(spot)),
        )


def _move(tried: Tried, turn: int, here: bool) -> tuple[str, str, str]:
    """Move, value and CSS class of a move: known, current or open."""
    if tried.turn < turn and tried.value is not None:
        worth = f"{tried.bound} {value_text(tried.value, certain=tried.certain)}".strip()
        return str(tried.move), worth, "seen"
    if tried.turn == turn:
        return str(tried.move), "?" if here else "under way", "now"
    return str(tried.move), "not yet", "later"


@dataclass(frozen=True, slots=True)
class OrderRow:
    """One order of moves, with the positions visited."""

    title: str
    count: str
    width: float  # of its bar, 0 to 1


class Orders:
    """The orders tried so far, below minimax."""

    template = "learn/widgets/orders.html"
    sheets = ("exhibits/exhibits",)

    def __init__(self, about: str, held: str) -> None:
        self.position = read_position(about)
        seen = [order for order in Order if order in held.split(".")]
        whole = figure_value(_minimax(about))
        rows = [OrderRow("minimax, in any order", whole, 1.0)]
        for order in seen:
            count = figure_value(_alphabeta(about, order))
            rows.append(OrderRow(f"alpha-beta, {TITLES[order]}", count, _share(count, whole)))
        self.rows = tuple(rows)
        left = [order for order in Order if order not in seen]
        presses = [Button(".".join([*seen, one]), TITLES[one].capitalize()) for one in left]
        again = [Button("", "Start again", look="quiet")] if seen else []
        self.presses = (*presses, *again)


def _share(count: str, whole: str) -> float:
    part, all_of_it = (int(text.replace(",", "")) for text in (count, whole))
    return round(part / all_of_it, 4)


def _minimax(about: str) -> str:
    return f"nodes minimax depth={TICTACTOE_PLIES} {about}"


def _alphabeta(about: str, order: Order) -> str:
    return f"nodes alphabeta depth={TICTACTOE_PLIES} order={order} {about}"


def _needs(about: str) -> tuple[str, ...]:
    return (_minimax(about), *(_alphabeta(about, order) for order in Order))


WIDGETS = {
    "cutting": Widget(Cutting),
    "orders": Widget(Orders, _needs),
}
