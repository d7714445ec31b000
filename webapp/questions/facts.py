"""Facts: what is computed for a question, and what it says about each answer."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum, StrEnum
from functools import cached_property

from agents.formats import decimal, proven_text
from engine import Seat
from engine.core import Verdict
from engine.errors import quoted
from webapp.questions.models import Choice, CurveTrace, Judgement, Question, UnknowableError
from webapp.questions.parser import (
    NEVER,
    Arguments,
    NumberRange,
    parse_range,
    parse_winner,
    parse_yes_no,
)

TOLERANCE = 1e-9  # of shares, which are sums of floats


@dataclass(frozen=True, slots=True)
class MovesFact:
    """The judgement of each move."""

    answers: tuple[Judgement, ...]
    sentence: str
    source: str
    shown: str

    def judge(self, choices: Sequence[Choice]) -> tuple[Judgement, ...]:
        """The judgement of each choice as the move that it claims; without choices of all moves."""
        known = {one.text: one for one in self.answers}
        judged = tuple(replace(known[choice.claim], text=choice.text) for choice in choices)
        return judged or self.answers


class ClaimFact(ABC):
    """A fact that choices make claims about."""

    @abstractmethod
    def agrees(self, claim: str) -> bool:
        """Whether a claim is true."""

    def judge(self, choices: Sequence[Choice]) -> tuple[Judgement, ...]:
        """Judge each choice as right or wrong."""
        agreed = [(choice.text, self.agrees(choice.claim)) for choice in choices]
        return tuple(
            Judgement(text, right, "right" if right else "wrong") for text, right in agreed
        )


@dataclass(frozen=True, slots=True)
class WinnerFact(ClaimFact):
    """Who wins with best play from both sides."""

    winner: Seat | None
    mover: Seat
    sentence: str
    source: str

    @property
    def shown(self) -> str:
        return "a draw" if self.winner is None else f"{self.winner.mark} wins"

    def agrees(self, claim: str) -> bool:
        return parse_winner(claim, self.mover) is self.winner


@dataclass(frozen=True, slots=True)
class HoldsFact(ClaimFact):
    """A yes or a no."""

    holds: bool
    sentence: str
    source: str
    curve: CurveTrace | None = None

    @property
    def shown(self) -> str:
        return "yes" if self.holds else "no"

    def agrees(self, claim: str) -> bool:
        return parse_yes_no(claim) is self.holds


@dataclass(frozen=True, slots=True)
class NumberFact(ClaimFact):
    """A number, or None for "never".

    If it was sampled only at some points, the exact number lies above `since`.
    """

    number: float | None
    sentence: str
    source: str
    since: float | None = None
    unit: str = ""
    written: str = ""  # its text, where two decimals are not enough
    curve: CurveTrace | None = None

    @property
    def shown(self) -> str:
        if self.number is None:
            return "never"
        if self.written:
            return self.written
        whole = abs(self.number - round(self.number)) < TOLERANCE
        return f"{decimal(self.number, 0 if whole else 2)}{self.unit}"

    def agrees(self, claim: str) -> bool:
        """Raises UnknowableError where it depends on what was not sampled."""
        span = parse_range(claim)
        if self.number is None or span is NEVER:
            return self.number is None and span is NEVER
        if self.since is not None and _is_split(span, self.since + 1, self.number):
            raise UnknowableError(
                f"whether {quoted(claim)} is right depends on what happened between "
                f"{decimal(self.since, 0)} and {decimal(self.number, 0)}, where nobody looked: "
                "choose other borders"
            )
        if span.low == span.high:
            return abs(self.number - span.low) < TOLERANCE
        return self.number in span


def _is_split(span: NumberRange, first: float, last: float) -> bool:
    """Whether the range holds some of the numbers from first to last, but not all."""
    if (first in span) != (last in span):
        return True
    return first not in span and first < span.low < last


@dataclass(frozen=True, slots=True)
class CurveFact:
    """A curve; no answer to it is simply right or wrong."""

    curve: CurveTrace
    sentence: str
    source: str
    shown: str = "the curve"

    def judge(self, choices: Sequence[Choice]) -> tuple[Judgement, ...]:
        return ()


KnownFact = MovesFact | WinnerFact | HoldsFact | NumberFact | CurveFact


def judge_moves(verdicts: dict[str, Verdict]) -> tuple[Judgement, ...]:
    """Judge each move by its exact value, best first; all best moves are right."""
    best = max(verdict.value for verdict in verdicts.values())
    answers = [
        Judgement(
            move,
            verdict.value == best,
            proven_text(verdict.value, verdict.plies),
            verdict.value,
            verdict.plies,
        )
        for move, verdict in verdicts.items()
    ]
    return tuple(sorted(answers, key=lambda one: _merit(one.value, one.plies), reverse=True))


def _merit(value: float | None, plies: int | None) -> tuple[float, float]:
    """A quicker win and a slower loss are better."""
    value = value or 0
    return value, -value * (plies or 0)


class AnsweredBy(StrEnum):
    """What the answers to a truth are."""

    MOVE = "a move"
    WINNER = "who wins"
    HOLDS = "yes or no"
    NUMBER = "a number"
    SKETCH = "a curve"


class About(IntEnum):
    """What a truth is about: a question must name it, and a page draws it."""

    NO_GAME = 0
    GAME = 1  # nothing is drawn
    POSITION = 2


@dataclass(frozen=True)  # without slots: cached properties need a __dict__
class TruthKind:
    """A kind of truth; how many words and which options it has is read from its usage."""

    usage: str  # name, arguments in capitals, optional ones in brackets
    answers: AnsweredBy
    tells: str
    find: Callable[[Question, Arguments], KnownFact]
    about: About = About.POSITION
    more_words: int = 0  # beyond those of its usage
    more_options: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return self.usage.partition(" ")[0]

    @cached_property
    def _parts(self) -> tuple[str, ...]:
        return tuple(part for part in self.usage.split()[1:] if part != "…")

    @cached_property
    def options(self) -> tuple[str, ...]:
        """Names of its options: `[depth=N]`."""
        found = (part[1:].partition("=") for part in self._parts if part.startswith("["))
        return (*(name for name, sign, _ in found if sign), *self.more_options)

    def takes(self, words: int) -> bool:
        """Whether it may have so many words after its name."""
        least = sum(not part.startswith("[") for part in self._parts)
        optional = len(self._parts) - least - len(self.options) + len(self.more_options)
        return least <= words <= least + optional + self.more_words


def list_text(texts: Sequence[str], most: int, what: str) -> str:
    """`a1`, `a1 and b2`, `a1, b2 and c3`; beyond `most` their number: `12 moves`."""
    if len(texts) > most:
        return f"{len(texts)} {what}"
    return join_texts(texts)


def join_texts(texts: Sequence[str]) -> str:
    """`1, 3, 5 and 7`."""
    return " and ".join(part for part in (", ".join(texts[:-1]), *texts[-1:]) if part)
