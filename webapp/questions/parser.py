"""Parsers of truths, claims, positions and choices, for addresses and plans."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

from engine import Game, Match, Seat, load_game
from engine.catalog import find_entry
from engine.errors import IllegalMoveError, quoted, suggestion_text
from webapp.questions.models import Choice, InvalidQuestionError

MAX_TRUTH_CHARS = 120  # as the column of a round holds
MAX_PROMPT_CHARS = 300
MAX_CHOICE_CHARS = 80
OPTION = re.compile(r"([a-z]+)=([\w.-]+)")


@dataclass(frozen=True, slots=True)
class Arguments:
    """A truth's text, split: name, words, and options `name=value`."""

    text: str
    name: str
    words: tuple[str, ...] = ()
    options: tuple[tuple[str, str], ...] = ()

    def one_of(self, at: int, names: Sequence[str]) -> str:
        """The word at that index, which must be one of these."""
        return self._check_known(self.words[at], names)

    def machine(self, at: int, default: str, otherwise: str) -> str:
        """The spec at that index, else the default; raises with this reason if there is neither."""
        if not (spec := self.words[at] if len(self.words) > at else default):
            raise self.wrong(otherwise)
        return spec

    def option(self, name: str, names: Sequence[str]) -> str | None:
        """The value of an option, which must be one of these; None if not given."""
        value = dict(self.options).get(name)
        return None if value is None else self._check_known(value, names)

    def whole(self, name: str, low: int, high: int) -> int | None:
        """The value of an option that is a whole number; None if not given."""
        value = dict(self.options).get(name)
        return None if value is None else self.count(value, name, low, high)

    def count(self, text: str, what: str, low: int, high: int) -> int:
        """A whole number within bounds."""
        known = text.isascii() and text.isdecimal() and len(text) <= 12
        if not known or not low <= int(text) <= high:
            raise self.wrong(f"{what} is a whole number from {low} to {high:,}")
        return int(text)

    def wrong(self, why: str) -> InvalidQuestionError:
        """An error about this truth."""
        return InvalidQuestionError(self.text, f"{quoted(self.text, 60)}: {why}")

    def _check_known(self, word: str, names: Sequence[str]) -> str:
        if word not in names:
            raise self.wrong(f"unknown {quoted(word)}: {suggestion_text(word, map(str, names))}")
        return word


def parse_arguments(text: str) -> Arguments:
    """Split a truth's text; raises InvalidQuestionError."""
    if len(text) > MAX_TRUTH_CHARS:
        why = f"a truth has at most {MAX_TRUTH_CHARS} characters, {quoted(text)} has {len(text):,}"
        raise InvalidQuestionError(text, why)
    name, *words = text.split() or [""]
    found = [(word, OPTION.fullmatch(word)) for word in words]
    options = tuple((option[1], option[2]) for _, option in found if option is not None)
    plain = tuple(word for word, option in found if option is None)
    return Arguments(text, name, plain, options)


WINNERS = "x wins, o wins, a draw, mover wins or other wins"
NUMBERS = "44, 10 to 20, under 50, at most 50, over 50, at least 50 or never"
NUMBER = r"([\d,]+(?:\.\d+)?) ?%?"
MAX_DIGITS = 15  # that a float holds


@dataclass(frozen=True, slots=True)
class NumberRange:
    """The numbers that a claim allows."""

    low: float
    high: float
    low_open: bool = False
    high_open: bool = False

    def __contains__(self, number: float) -> bool:
        above = number > self.low if self.low_open else number >= self.low
        return above and (number < self.high if self.high_open else number <= self.high)


NEVER = NumberRange(inf, inf)

SHAPES: tuple[tuple[str, Callable[[float, float], NumberRange]], ...] = (
    (rf"{NUMBER}", lambda number, _: NumberRange(number, number)),
    (rf"{NUMBER} ?(?:to|-|–) ?{NUMBER}", NumberRange),
    (
        rf"(?:under|below|fewer than|less than|<) ?{NUMBER}",
        lambda n, _: NumberRange(-inf, n, False, True),
    ),
    (rf"(?:at most|up to|<=|≤) ?{NUMBER}", lambda n, _: NumberRange(-inf, n)),
    (rf"{NUMBER} or (?:fewer|less)", lambda n, _: NumberRange(-inf, n)),
    (rf"(?:over|above|more than|>) ?{NUMBER}", lambda n, _: NumberRange(n, inf, True, True)),
    (rf"(?:at least|>=|≥) ?{NUMBER}", lambda n, _: NumberRange(n, inf, False, True)),
    (rf"{NUMBER} or more", lambda n, _: NumberRange(n, inf, False, True)),
)


def parse_winner(claim: str, mover: Seat) -> Seat | None:
    """The winner that a claim names; None for a draw."""
    who = claim.casefold().removesuffix(" wins")
    if who in ("a draw", "draw", "nobody"):
        return None
    seats = {"x": Seat.FIRST, "first": Seat.FIRST, "o": Seat.SECOND, "second": Seat.SECOND}
    seats |= {"mover": mover, "other": mover.other}
    if who not in seats:
        raise unreadable_claim(claim, WINNERS)
    return seats[who]


def parse_yes_no(claim: str) -> bool:
    """Whether a claim is `yes`; raises unless it is yes or no."""
    if claim.casefold() not in ("yes", "no"):
        raise unreadable_claim(claim, "yes or no")
    return claim.casefold() == "yes"


def parse_legal_move(claim: str, match: Match[Any, Any]) -> str:
    """The legal move that a claim names."""
    move = match.game.parse_move(claim)
    if move not in match.state.legal_moves():
        raise InvalidQuestionError(claim, f"{move} cannot be played there")
    return str(move)


def parse_range(claim: str) -> NumberRange:
    """The numbers that a claim allows."""
    if claim.casefold() == "never":
        return NEVER
    for shape, span in SHAPES:
        if (found := re.fullmatch(shape, claim.casefold())) is not None:
            numbers = [parse_number(text) for text in found.groups()]
            return span(numbers[0], numbers[-1])
    raise unreadable_claim(claim, NUMBERS)


def parse_number(text: str) -> float:
    """`1,000`, `0.99`, `12%`; raises InvalidQuestionError."""
    plain = text.replace(",", "").removesuffix("%").strip()
    if not re.fullmatch(r"\d+(\.\d+)?", plain, re.ASCII) or len(plain) > MAX_DIGITS:
        raise InvalidQuestionError(
            text, f"{quoted(text)} is no number of at most {MAX_DIGITS} digits"
        )
    return float(plain)


def unreadable_claim(claim: str, wanted: str) -> InvalidQuestionError:
    """An error about a claim that cannot be compared with the truth."""
    why = (
        f"{quoted(claim)} cannot be held against the truth: write {wanted}, "
        "after ' = ' where people are to read something else"
    )
    return InvalidQuestionError(claim, why)


def parse_position(text: str) -> Match[Any, Any]:
    """`SPEC` or `SPEC STATE` as a match; raises InvalidTextError."""
    spec, _, rest = text.partition(" ")
    game: Game[Any, Any] = load_game(spec)
    if not rest.strip():
        return Match.begin(game)
    state = game.parse_state(" ".join(rest.split()))
    if (why := find_entry(game.key).out_of_reach(game, state)) is not None:
        raise InvalidQuestionError(text, f"no play leads to {state}: {why}")
    return Match.begin(game, state)


def play_moves(match: Match[Any, Any], text: str) -> Match[Any, Any]:
    """The match after these moves, separated by spaces or commas; raises InvalidTextError."""
    for word in text.replace(",", " ").split():
        move = match.game.parse_move(word)
        try:
            match = match.play(move)
        except IllegalMoveError as error:
            raise InvalidQuestionError(word, f"{word} cannot be played: {error}") from error
    return match


def match_fields(match: Match[Any, Any]) -> dict[str, Any]:
    """Game, start and moves of a match as a question or a step holds them."""
    start = None if match.start is None else str(match.start)
    return {"game": match.game.spec, "start": start, "moves": tuple(map(str, match.moves))}


def parse_choices(text: str) -> tuple[Choice, ...]:
    """`x wins | It makes no difference = a draw`: text, and claim if it differs."""
    choices = []
    for part in text.split("|"):
        shown, _, claim = part.strip().partition(" = ")
        shown = check_length(shown.strip(), "a choice", MAX_CHOICE_CHARS)
        claim = check_length(claim.strip() or shown, "what a choice claims", MAX_CHOICE_CHARS)
        choices.append(Choice(shown, claim))
    return tuple(choices)


def choices_text(choices: Iterable[Choice]) -> str:
    """The inverse of `parse_choices`."""
    return " | ".join(
        choice.text if choice.text == choice.claim else f"{choice.text} = {choice.claim}"
        for choice in choices
    )


def check_length(text: str, what: str, longest: int) -> str:
    """The text, if it has 1 to `longest` characters; raises InvalidQuestionError."""
    if not text or len(text) > longest:
        why = f"{what} has 1 to {longest} letters, not {len(text)}"
        raise InvalidQuestionError(text, why)
    return text
