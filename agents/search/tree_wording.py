"""Values, windows and cuts of a recorded search in words. Plies are counted from its root."""

from __future__ import annotations

from math import inf

from agents.formats import counted, signed
from agents.search.alphabeta import CERTAIN, WIN
from agents.search.recorded import MOST, Algorithm
from agents.search.unfolded import Cut, Window
from engine.core import Seat

TITLES = {Algorithm.MINIMAX: "Minimax", Algorithm.ALPHABETA: "Alpha-beta"}


def meaning(value: float, *, certain: bool) -> tuple[str, str]:
    """The glyph and its name, for the first seat: ▲ it wins, = a draw, ▼ it loses, ~ nobody knows.

    A bound at the horizon stays unknown even where it is 0.
    """
    if abs(value) > CERTAIN:
        return ("▲", "win") if value > 0 else ("▼", "loss")
    return ("=", "draw") if certain else ("~", "open")


def in_words(value: float, *, certain: bool) -> str:
    """`x wins in 3`, `draw`, `+0.38`."""
    if abs(value) > CERTAIN:
        return f"{_winner(value).mark} wins in {_plies(value)}"
    return "draw" if certain else signed(value)


def in_short(value: float) -> str:
    """The same for a window: `x in 3`, `−∞`, `0`."""
    if abs(value) == inf:
        return "+∞" if value > 0 else "−∞"
    if abs(value) > CERTAIN:
        return f"{_winner(value).mark} in {_plies(value)}"
    return signed(value) if value else "0"


def window_words(window: Window) -> str:
    """`α −∞ β x in 3`."""
    return f"α {in_short(window.alpha)} β {in_short(window.beta)}"


def narrowing(before: Window, after: Window) -> str:
    """How a window closed while the moves of a position were tried: `α −∞ → x in 3, β +∞`."""
    alpha, beta = (
        in_short(old) if old == new else f"{in_short(old)} → {in_short(new)}"
        for old, new in ((before.alpha, after.alpha), (before.beta, after.beta))
    )
    return f"α {alpha}, β {beta}"


def cut_words(cut: Cut) -> str:
    """Why the rest did not matter, with the two values that make it so."""
    assert cut.answer.value is not None
    assert cut.better.value is not None
    mine, theirs = cut.mover.mark, cut.mover.other.mark
    reached = _amount(cut.answer.value, certain=cut.answer.certain)
    has = _amount(cut.better.value, certain=cut.better.certain)
    where = "" if cut.above == 1 else f", {cut.above} plies above,"
    rest = counted(cut.left_out, "other move", "other moves")
    return (
        f"With {cut.answer.move} {mine} has {reached} here, or better; "
        f"instead of {cut.instead_of}{where} {theirs} already has {cut.better.move}, worth {has}. "
        f"That is no worse for {theirs}, so {theirs} will not come this way: {rest} "
        f"and everything below were never looked at."
    )


def count_words(algorithm: Algorithm, count: int | None) -> str:
    """`Minimax looks at 1,053`."""
    looked = f"more than {MOST:,}" if count is None else f"{count:,}"
    return f"{TITLES[algorithm]} looks at {looked}"


def _amount(value: float, *, certain: bool) -> str:
    """In the middle of a sentence, as what someone has."""
    if abs(value) > CERTAIN:
        return f"a win for {_winner(value).mark} in {_plies(value)}"
    return "a draw" if certain else f"{signed(value)} by what is seen at the horizon"


def _winner(value: float) -> Seat:
    return Seat.FIRST if value > 0 else Seat.SECOND


def _plies(value: float) -> int:
    return WIN - int(abs(value))
