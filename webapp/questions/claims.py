"""What a choice claims, read: who wins, yes or no, a number or a range of them."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from typing import Any

from engine import Match, Seat
from engine.errors import quoted
from webapp.questions.errors import InvalidQuestionError

WINNERS = "x wins, o wins, a draw, mover wins or other wins"
NUMBERS = "44, 10 to 20, under 50, at most 50, over 50, at least 50 or never"
NUMBER = r"([\d,]+(?:\.\d+)?) ?%?"
DIGITS = 15  # a float holds as many


@dataclass(frozen=True, slots=True)
class Span:
    """The numbers a claim allows; of an open end the border itself is not one of them."""

    low: float
    high: float
    low_open: bool = False
    high_open: bool = False

    def __contains__(self, number: float) -> bool:
        above = number > self.low if self.low_open else number >= self.low
        return above and (number < self.high if self.high_open else number <= self.high)


NEVER = Span(inf, inf)  # of what does not come about, however far one counts

SHAPES: tuple[tuple[str, Callable[[float, float], Span]], ...] = (
    (rf"{NUMBER}", lambda number, _: Span(number, number)),
    (rf"{NUMBER} ?(?:to|-|–) ?{NUMBER}", Span),
    (rf"(?:under|below|fewer than|less than|<) ?{NUMBER}", lambda n, _: Span(-inf, n, False, True)),
    (rf"(?:at most|up to|<=|≤) ?{NUMBER}", lambda n, _: Span(-inf, n)),
    (rf"{NUMBER} or (?:fewer|less)", lambda n, _: Span(-inf, n)),
    (rf"(?:over|above|more than|>) ?{NUMBER}", lambda n, _: Span(n, inf, True, True)),
    (rf"(?:at least|>=|≥) ?{NUMBER}", lambda n, _: Span(n, inf, False, True)),
    (rf"{NUMBER} or more", lambda n, _: Span(n, inf, False, True)),
)


def winner_in(claim: str, mover: Seat) -> Seat | None:
    """Who wins by this claim, None for a draw."""
    who = claim.casefold().removesuffix(" wins")
    if who in ("a draw", "draw", "nobody"):
        return None
    seats = {"x": Seat.FIRST, "first": Seat.FIRST, "o": Seat.SECOND, "second": Seat.SECOND}
    seats |= {"mover": mover, "other": mover.other}
    if who not in seats:
        raise unreadable(claim, WINNERS)
    return seats[who]


def holds_in(claim: str) -> bool:
    """What this claim says of something that holds or does not."""
    if claim.casefold() not in ("yes", "no"):
        raise unreadable(claim, "yes or no")
    return claim.casefold() == "yes"


def move_in(claim: str, match: Match[Any, Any]) -> str:
    """The move that this claim names, which can be played there."""
    move = match.game.parse_move(claim)
    if move not in match.state.legal_moves():
        raise InvalidQuestionError(claim, f"{move} cannot be played there")
    return str(move)


def span_in(claim: str) -> Span:
    """Which numbers this claim allows."""
    if claim.casefold() == "never":
        return NEVER
    for shape, span in SHAPES:
        if (found := re.fullmatch(shape, claim.casefold())) is not None:
            numbers = [number_in(text) for text in found.groups()]
            return span(numbers[0], numbers[-1])
    raise unreadable(claim, NUMBERS)


def number_in(text: str) -> float:
    """`1,000`, `0.99`, `12%`; raises where it is none that a float holds."""
    plain = text.replace(",", "").removesuffix("%").strip()
    if not re.fullmatch(r"\d+(\.\d+)?", plain, re.ASCII) or len(plain) > DIGITS:
        raise InvalidQuestionError(text, f"{quoted(text)} is no number of at most {DIGITS} digits")
    return float(plain)


def unreadable(claim: str, wanted: str) -> InvalidQuestionError:
    """What to say of a claim that the truth cannot be held against."""
    why = (
        f"{quoted(claim)} cannot be held against the truth: write {wanted}, "
        "after ' = ' where people are to read something else"
    )
    return InvalidQuestionError(claim, why)
