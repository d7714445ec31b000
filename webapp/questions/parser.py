"""What stands after the name of a truth: words in their order, and options `name=value`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

from engine import Game, Match, Seat, load_game
from engine.catalog import find_entry
from engine.errors import IllegalMoveError, nearest, quoted
from webapp.questions.models import InvalidQuestionError, Pick

LONGEST = 200
OPTION = re.compile(r"([a-z]+)=([\w.-]+)")


@dataclass(frozen=True, slots=True)
class Arguments:
    """A truth as it is written, taken apart."""

    text: str
    name: str
    words: tuple[str, ...] = ()
    options: tuple[tuple[str, str], ...] = ()

    def one_of(self, at: int, names: Sequence[str]) -> str:
        """The word in that place, which is one of these."""
        return self._known(self.words[at], names)

    def option(self, name: str, names: Sequence[str]) -> str | None:
        """The value of an option, which is one of these; None where it is not given."""
        value = dict(self.options).get(name)
        return None if value is None else self._known(value, names)

    def whole(self, name: str, low: int, high: int) -> int | None:
        """The value of an option that is a whole number; None where it is not given."""
        value = dict(self.options).get(name)
        return None if value is None else self.count(value, name, low, high)

    def count(self, text: str, what: str, low: int, high: int) -> int:
        """A whole number within its bounds."""
        known = text.isascii() and text.isdecimal() and len(text) <= 12
        if not known or not low <= int(text) <= high:
            raise self.wrong(f"{what} is a whole number from {low} to {high:,}")
        return int(text)

    def wrong(self, why: str) -> InvalidQuestionError:
        """What to say of this truth."""
        return InvalidQuestionError(self.text, f"{quoted(self.text, 60)}: {why}")

    def _known(self, word: str, names: Sequence[str]) -> str:
        if word not in names:
            raise self.wrong(f"unknown {quoted(word)}: {nearest(word, map(str, names))}")
        return word


def arguments_in(text: str) -> Arguments:
    """A truth's name and what stands after it; raises InvalidQuestionError."""
    if len(text) > LONGEST:
        why = f"a truth has at most {LONGEST} characters, {quoted(text)} has {len(text):,}"
        raise InvalidQuestionError(text, why)
    name, *words = text.split() or [""]
    found = [(word, OPTION.fullmatch(word)) for word in words]
    options = tuple((option[1], option[2]) for _, option in found if option is not None)
    plain = tuple(word for word, option in found if option is None)
    return Arguments(text, name, plain, options)


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


LONGEST_PROMPT = 300
LONGEST_PICK = 80


def position_in(text: str) -> Match[Any, Any]:
    """`SPEC` or `SPEC STATE` as a match begun there; raises what is wrong with it."""
    spec, _, rest = text.partition(" ")
    game: Game[Any, Any] = load_game(spec)
    if not rest.strip():
        return Match.begin(game)
    state = game.parse_state(" ".join(rest.split()))
    if (why := find_entry(game.key).out_of_reach(game, state)) is not None:
        raise InvalidQuestionError(text, f"no play leads to {state}: {why}")
    return Match.begin(game, state)


def played_on(match: Match[Any, Any], text: str) -> Match[Any, Any]:
    """The match after these moves, parted by spaces or commas; raises what is wrong with them."""
    for word in text.replace(",", " ").split():
        move = match.game.parse_move(word)
        try:
            match = match.play(move)
        except IllegalMoveError as error:
            raise InvalidQuestionError(word, f"{word} cannot be played: {error}") from error
    return match


def picks_in(text: str) -> tuple[Pick, ...]:
    """`x wins | It makes no difference = a draw`: what is shown, and what that claims."""
    picks = []
    for part in text.split("|"):
        shown, _, claim = part.strip().partition(" = ")
        shown = short(shown.strip(), "a choice", LONGEST_PICK)
        claim = short(claim.strip() or shown, "what a choice claims", LONGEST_PICK)
        picks.append(Pick(shown, claim))
    return tuple(picks)


def picks_text(picks: Iterable[Pick]) -> str:
    """What `picks_in` reads back."""
    return " | ".join(
        pick.text if pick.text == pick.claim else f"{pick.text} = {pick.claim}" for pick in picks
    )


def short(text: str, what: str, longest: int) -> str:
    """The text, if there is one and it is no longer than that."""
    if not text or len(text) > longest:
        why = f"{what} has 1 to {longest} letters, not {len(text)}"
        raise InvalidQuestionError(text, why)
    return text
