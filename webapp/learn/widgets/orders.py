"""The same search with its moves in another order: how much alpha-beta then looks at."""

from __future__ import annotations

from dataclasses import dataclass

from agents.search.trace import Order
from webapp.learn.figures import told
from webapp.learn.positions import Position, read_position
from webapp.learn.widgets.widget import Button, Widget

WHOLE = 9  # plies: as long as a game of tic-tac-toe can last
TITLES = {
    Order.BOARD: "as the board lists them",
    Order.BACKWARDS: "the other way round",
    Order.BEST: "the most promising first",
    Order.WORST: "the least promising first",
}


@dataclass(frozen=True, slots=True)
class OrderRow:
    """One way to go about it, with how much was looked at."""

    title: str
    count: str
    width: float  # of its bar, 0 to 1


@dataclass(frozen=True, slots=True)
class OrdersView:
    """What was tried so far, below what minimax looks at."""

    rows: tuple[OrderRow, ...]
    presses: tuple[Button, ...]
    position: Position
    template: str = "learn/widgets/orders.html"
    sheets: tuple[str, ...] = ("exhibits/rows", "exhibits/samples")


def orders_view(about: str, held: str) -> OrdersView:
    """Each order once it was asked for."""
    seen = [order for order in Order if order in held.split(".")]
    whole = told(_minimax(about))
    rows = [OrderRow("minimax, in any order", whole, 1.0)]
    for order in seen:
        count = told(_alphabeta(about, order))
        rows.append(OrderRow(f"alpha-beta, {TITLES[order]}", count, _share(count, whole)))
    presses = [
        Button(".".join([*seen, order]), TITLES[order].capitalize())
        for order in Order
        if order not in seen
    ]
    if seen:
        presses.append(Button("", "Start again", look="quiet"))
    return OrdersView(tuple(rows), tuple(presses), read_position(about))


def _share(count: str, whole: str) -> float:
    part, all_of_it = (int(text.replace(",", "")) for text in (count, whole))
    return round(part / all_of_it, 4)


def _minimax(about: str) -> str:
    return f"nodes minimax depth={WHOLE} {about}"


def _alphabeta(about: str, order: Order) -> str:
    return f"nodes alphabeta depth={WHOLE} order={order} {about}"


def _needs(about: str) -> tuple[str, ...]:
    return (_minimax(about), *(_alphabeta(about, order) for order in Order))


ORDERS = Widget(orders_view, _needs)
