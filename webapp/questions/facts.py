"""What a kind of truth is: how it is written, answered and found, and what it is about."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum, StrEnum
from typing import ClassVar

from agents.formats import decimal, end_in_sight
from engine import Seat
from engine.core import Verdict
from engine.errors import quoted
from webapp.questions.models import Pick, PosedQuestion, UnknowableError
from webapp.questions.parser import NEVER, Arguments, Span, holds_in, span_in, winner_in

CLOSE = 1e-9  # shares are sums of floats


@dataclass(frozen=True, slots=True)
class PossibleAnswer:
    """One answer that can be given, and what it comes to."""

    text: str  # the move, or the pick as it is shown
    right: bool
    says: str  # in a word or two: `win in 5`, `right`
    value: int | None = None  # +1, 0, -1 for who is to move, where it is a move with a value
    plies: int | None = None  # to the end with best play, where that is known


@dataclass(frozen=True, slots=True)
class Truth:
    """What is true, what that makes of every answer, and why."""

    shown: str  # in a word or two: `x wins`, `44`, `c1 and d3`
    sentence: str  # why, from what was computed
    source: str  # how it is known
    answers: tuple[PossibleAnswer, ...]  # every one that can be given; of moves the best first

    @property
    def right(self) -> tuple[str, ...]:
        return tuple(one.text for one in self.answers if one.right)

    @property
    def tells_apart(self) -> bool:
        """Whether any answer is wrong: in a lost position every move is as good as the next."""
        return len(self.right) < len(self.answers)

    def answer(self, text: str) -> PossibleAnswer | None:
        """What an answer comes to; None where it is none that can be given."""
        return next((one for one in self.answers if one.text == text), None)


@dataclass(frozen=True, slots=True)
class MovesFact:
    """What each move comes to; the answer is one of them."""

    answers: tuple[PossibleAnswer, ...]
    sentence: str
    source: str
    shown: str

    wanted: ClassVar = "a move"


@dataclass(frozen=True, slots=True)
class WinnerFact:
    """Who wins with best play from both sides."""

    winner: Seat | None
    mover: Seat
    sentence: str
    source: str

    wanted: ClassVar = "x wins | o wins | a draw"

    @property
    def shown(self) -> str:
        return "a draw" if self.winner is None else f"{self.winner.mark} wins"

    def agrees(self, claim: str) -> bool:
        return winner_in(claim, self.mover) is self.winner


@dataclass(frozen=True, slots=True)
class HoldsFact:
    """Whether something is so."""

    holds: bool
    sentence: str
    source: str

    wanted: ClassVar = "yes | no"

    @property
    def shown(self) -> str:
        return "yes" if self.holds else "no"

    def agrees(self, claim: str) -> bool:
        return holds_in(claim) is self.holds


@dataclass(frozen=True, slots=True)
class NumberFact:
    """A number; None where what is counted never comes about.

    Where it was looked at only now and then, it lies somewhere above `since`.
    """

    number: float | None
    sentence: str
    source: str
    since: float | None = None
    unit: str = ""
    written: str = ""  # where two decimals are not enough

    wanted: ClassVar = "under 10 | 10 to 100 | over 100"

    @property
    def shown(self) -> str:
        if self.number is None:
            return "never"
        if self.written:
            return self.written
        whole = abs(self.number - round(self.number)) < CLOSE
        return f"{decimal(self.number, 0 if whole else 2)}{self.unit}"

    def agrees(self, claim: str) -> bool:
        """Raises UnknowableError where that hangs on what was not looked at."""
        span = span_in(claim)
        if self.number is None or span is NEVER:
            return self.number is None and span is NEVER
        if self.since is not None and _is_split(span, self.since + 1, self.number):
            raise UnknowableError(
                f"whether {quoted(claim)} is right hangs on what happened between "
                f"{decimal(self.since, 0)} and {decimal(self.number, 0)}, where nobody looked: "
                "choose other borders"
            )
        if span.low == span.high:
            return abs(self.number - span.low) < CLOSE
        return self.number in span


def _is_split(span: Span, first: float, last: float) -> bool:
    """Whether the span holds some of the numbers from the first to the last and not all."""
    if (first in span) != (last in span):
        return True
    return first not in span and first < span.low < last


ChosenFact = WinnerFact | HoldsFact | NumberFact
KnownFact = MovesFact | ChosenFact


def judged_picks(fact: ChosenFact, picks: Sequence[Pick]) -> Iterator[PossibleAnswer]:
    """Each pick as right or wrong."""
    for pick in picks:
        right = fact.agrees(pick.claim)
        yield PossibleAnswer(pick.text, right, "right" if right else "wrong")


def picked_moves(fact: MovesFact, picks: Sequence[Pick]) -> Iterator[PossibleAnswer]:
    """Each pick as the move that it claims."""
    known = {one.text: one for one in fact.answers}
    for pick in picks:
        yield replace(known[pick.claim], text=pick.text)


def judged_moves(verdicts: dict[str, Verdict]) -> tuple[PossibleAnswer, ...]:
    """Each move with its exact value, best first; right are all that give nothing away."""
    best = max(verdict.value for verdict in verdicts.values())
    answers = [
        PossibleAnswer(
            move,
            verdict.value == best,
            end_in_sight(verdict.value, verdict.plies),
            verdict.value,
            verdict.plies,
        )
        for move, verdict in verdicts.items()
    ]
    return tuple(sorted(answers, key=lambda one: _merit(one.value, one.plies), reverse=True))


def _merit(value: int | None, plies: int | None) -> tuple[int, int]:
    """A quicker win and a slower loss are better."""
    value = value or 0
    return value, -value * (plies or 0)


class AnsweredBy(StrEnum):
    """What a truth is held against."""

    MOVE = "a move"
    WINNER = "who wins"
    HOLDS = "yes or no"
    NUMBER = "a number"


class About(IntEnum):
    """What a truth is about, and so what a question has to name and a page to draw."""

    NO_GAME = 0
    GAME = 1  # nothing is drawn of it
    POSITION = 2


@dataclass(frozen=True, slots=True)
class TruthKind:
    """One way to find out what is true."""

    usage: str  # its name first, what it needs in capitals, what may be left out in brackets
    answers: AnsweredBy
    tells: str
    find: Callable[[PosedQuestion, Arguments], KnownFact]
    least: int = 0  # words after its name
    most: int = 0
    options: tuple[str, ...] = ()
    about: About = About.POSITION

    @property
    def name(self) -> str:
        return self.usage.partition(" ")[0]


def listed(texts: Sequence[str], most: int, what: str) -> str:
    """`a1`, `a1 and b2`, `a1, b2 and c3`; beyond the most their number: `12 moves`."""
    if len(texts) > most:
        return f"{len(texts)} {what}"
    return joined(texts)


def joined(texts: Sequence[str]) -> str:
    """`1, 3, 5 and 7`."""
    return " and ".join(part for part in (", ".join(texts[:-1]), *texts[-1:]) if part)
