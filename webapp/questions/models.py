"""A question as it is put to people: a position, what is asked, and the name of its truth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine import Match, Seat
from engine.errors import InvalidTextError, ZermeloError
from engine.transcript import replayed


@dataclass(frozen=True, slots=True)
class Pick:
    """One of a few answers: what is shown, and what it claims in words that a truth reads.

    Mostly the two are the same (`x wins`); "It makes no difference" claims `a draw`.
    """

    text: str
    claim: str


@dataclass(frozen=True, slots=True)
class PosedQuestion:
    """A question for people. Equal questions have equal truths.

    It is about the position after the moves, or about what its truth names: a game, or not even
    that (`webapp.questions.facts.About`). Without picks the answer is a move there.
    """

    game: str  # spec; empty where it is about no game
    prompt: str
    truth: str = "best"  # its name and what it needs: `looks-at b1`; see `truths.TRUTHS`
    start: str | None = None  # a state's text, unless at the game's own start
    moves: tuple[str, ...] = ()
    picks: tuple[Pick, ...] = ()
    machine: str = ""  # whom to ask afterwards, and whose curve is meant

    @property
    def match(self) -> Match[Any, Any]:
        """The match up to the position; raises where a text is none of its game."""
        return replayed(self.game, self.start, self.moves)

    @property
    def to_move(self) -> Seat:
        mover: Seat = self.match.state.to_move
        return mover

    @property
    def wants_move(self) -> bool:
        """Whether it is answered on the board."""
        return not self.picks


class InvalidQuestionError(InvalidTextError):
    """A question that cannot be asked so; its text says what would be right."""


class UnknowableError(ZermeloError):
    """A truth that cannot be had here, although the question makes sense."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong with a text, and where."""

    line: int
    why: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.why}"


class InvalidLessonError(InvalidTextError):
    """A text that is no lesson; everything that is wrong with it, by line."""

    def __init__(self, text: str, problems: Sequence[Problem]) -> None:
        more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
        super().__init__(text, f"{problems[0]}{more}")
        self.problems = tuple(problems)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.text, self.problems)
