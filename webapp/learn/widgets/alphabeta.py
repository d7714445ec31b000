"""Widgets of alpha-beta: predict its cut-offs, and count positions by move order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from agents.formats import counted
from agents.search.trace import Algorithm, Order, Plan
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
from webapp.boards.grid import Board
from webapp.learn.markup import figure_value
from webapp.learn.positions import Position, read_position
from webapp.learn.widgets.widget import REVEAL, START_AGAIN, Button, Widget, read_answers
from webapp.questions.search import unfold

MAX_TREE_DEPTH = 20  # plies: deeper than any tree in a lesson
LOOKS, SKIPS = "y", "n"
TICTACTOE_PLIES = 9  # of the longest game
MoveNote = tuple[str, str, str]  # move, what is known of it, CSS class
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
    match = Match.begin(position.game, position.state)
    return Searched(position, unfold(match, Plan(algorithm, MAX_TREE_DEPTH, order)))


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


class Cutting(Widget):
    """The next decision after those answered, the path to it, and why the last one was so."""

    template = "learn/widgets/cutting.html"

    def __init__(self, about: str, held: str) -> None:
        found = searched(about, Algorithm.ALPHABETA)
        asked = list(decisions(found, (found.root,)))
        given, at = read_answers(held, LOOKS + SKIPS, len(asked))
        right = sum(
            (letter == LOOKS) == one.looks for letter, one in zip(given, asked, strict=False)
        )
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
        self.choices = tuple(Button(given + letter, label) for label, letter in choices if now)
        rest = (Button(given + REVEAL, "Show the count"),) if now else ()
        self.presses = (*rest, START_AGAIN) if held else rest


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


def _steps(found: Searched, now: Decision) -> Iterator[tuple[Board, str, list[MoveNote]]]:
    """The positions from the root down to the current one: picture, title, notes on the moves."""
    for level, spot in enumerate(now.above):
        below = now.above[level + 1].path[-1] if level + 1 < len(now.above) else now.next.turn
        here = level + 1 == len(now.above)
        picture = picture_for(found.position.game, spot.state)
        moves = [_move(tried, below, here) for tried in found.tree.tried(spot)]
        yield picture, f"{spot.state.to_move.mark} to move", moves


def _move(tried: Tried, turn: int, here: bool) -> MoveNote:
    """The note on a move: known, current or open."""
    if tried.turn < turn and tried.value is not None:
        worth = f"{tried.bound} {value_text(tried.value, certain=tried.certain)}".strip()
        return str(tried.move), worth, "seen"
    if tried.turn == turn:
        return str(tried.move), "?" if here else "under way", "now"
    return str(tried.move), "not yet", "later"


class Orders(Widget):
    """The orders tried so far, below minimax."""

    template = "learn/widgets/orders.html"
    sheets = ("exhibits/exhibits",)

    def __init__(self, about: str, held: str) -> None:
        self.position = read_position(about)
        seen = [order for order in Order if order in held.split(".")]
        counts = dict(zip((None, *Order), map(figure_value, self.needs(about)), strict=True))
        self.rows = tuple(  # title, count, and the width of its bar
            (
                f"alpha-beta, {TITLES[order]}" if order else "minimax, in any order",
                counts[order],
                round(_number(counts[order]) / _number(counts[None]), 4),
            )
            for order in (None, *seen)
        )
        left = [order for order in Order if order not in seen]
        presses = [Button(".".join([*seen, one]), TITLES[one].capitalize()) for one in left]
        again = [Button("", "Start again", look="quiet")] if seen else []
        self.presses = (*presses, *again)

    @staticmethod
    def needs(about: str) -> tuple[str, ...]:
        """The positions that minimax looks at, and alpha-beta with each order."""
        deep = f"depth={TICTACTOE_PLIES}"
        ordered = (f"nodes alphabeta {deep} order={order} {about}" for order in Order)
        return (f"nodes minimax {deep} {about}", *ordered)


def _number(count: str) -> int:
    return int(count.replace(",", ""))


WIDGETS = {"cutting": Cutting, "orders": Orders}
