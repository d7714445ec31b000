"""Questions for people: a position, a prompt, the name of the truth; and errors about them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine import Match, Seat
from engine.errors import InvalidTextError, ZermeloError
from engine.transcript import replayed


@dataclass(frozen=True, slots=True)
class Pick:
    """A choice: its text, and the claim that is compared with the truth.

    Mostly the two are the same (`x wins`); "It makes no difference" claims `a draw`.
    """

    text: str
    claim: str


@dataclass(frozen=True, slots=True)
class PosedQuestion:
    """A question for people. Equal questions have equal truths.

    It is about the position after the moves, about a game or about neither
    (`webapp.questions.facts.About`). Without picks the answer is a move.
    """

    game: str  # spec; empty if it is about no game
    prompt: str
    truth: str = "best"  # name and arguments: `looks-at b1`; see `truths.TRUTHS`
    start: str | None = None  # a state, unless the game's own start
    moves: tuple[str, ...] = ()
    picks: tuple[Pick, ...] = ()
    machine: str = ""  # whose analysis or curve it is about

    @property
    def match(self) -> Match[Any, Any]:
        """The match up to the position; raises InvalidTextError or IllegalMoveError."""
        return replayed(self.game, self.start, self.moves)

    @property
    def to_move(self) -> Seat:
        mover: Seat = self.match.state.to_move
        return mover

    @property
    def wants_move(self) -> bool:
        """Whether the answer is a move on the board."""
        return not self.picks


class InvalidQuestionError(InvalidTextError):
    """A malformed question; the text says how to write it."""


class UnknowableError(ZermeloError):
    """A truth that cannot be computed here."""


@dataclass(frozen=True, slots=True)
class Problem:
    """An error in a text, and its line."""

    line: int
    why: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.why}"


class InvalidPlanError(InvalidTextError):
    """An invalid plan of a class, with all errors by line."""

    def __init__(self, text: str, problems: Sequence[Problem]) -> None:
        more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
        super().__init__(text, f"{problems[0]}{more}")
        self.problems = tuple(problems)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.text, self.problems)
