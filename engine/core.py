"""Types that every game shares: seats, outcomes, states, symmetries and the `Game` record."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum
from typing import Any, Generic, Protocol, Self, TypeVar

M = TypeVar("M")
S = TypeVar("S", bound="State[Any]")

OptionValue = int | float | bool | str | tuple[int, ...] | None
Options = Mapping[str, OptionValue]


class Seat(IntEnum):
    """Who moves first and who second; `x` and `o` in every text."""

    FIRST = 0
    SECOND = 1

    @property
    def other(self) -> Seat:
        return Seat.SECOND if self is Seat.FIRST else Seat.FIRST

    @property
    def mark(self) -> str:
        return "x" if self is Seat.FIRST else "o"

    def __str__(self) -> str:
        return self.name.lower()


class Ending(StrEnum):
    """Why a match is over."""

    LAST_OBJECT = "last object"
    LINE = "line"
    OPPONENT_LINE = "opponent's line"
    BOARD_FULL = "board full"
    REPETITION = "repetition"
    PLY_LIMIT = "ply limit"
    RESIGNATION = "resignation"
    NO_MOVES = "no move left"
    GOAL = "goal reached"


@dataclass(frozen=True, slots=True)
class Outcome:
    """Who won, if anyone, and why it is over."""

    winner: Seat | None
    ending: Ending

    def score(self, seat: Seat) -> int:
        """+1, 0 or -1 for that seat."""
        if self.winner is None:
            return 0
        return 1 if self.winner is seat else -1


@dataclass(frozen=True, slots=True)
class Verdict:
    """The exact value for the side to move, and the plies to the end if known."""

    value: int
    plies: int | None

    def seen_by_mover(self) -> Verdict:
        """The same verdict for the player whose move led here."""
        return Verdict(-self.value, None if self.plies is None else self.plies + 1)


class State(Protocol[M]):
    """A position with its rules: immutable, hashable, without history."""

    @property
    def to_move(self) -> Seat:
        """The seat to move; after the end, the seat that would be."""

    def legal_moves(self) -> tuple[M, ...]:
        """In the order of `Game.all_moves`; empty exactly when there is an outcome."""

    def play(self, move: M) -> Self:
        """The state after the move; raises IllegalMoveError."""

    def outcome(self) -> Outcome | None:
        """How the game ended on the board; a match may also end by its history."""

    def __str__(self) -> str:
        """A text that `Game.parse_state` reads back."""


@dataclass(frozen=True, slots=True)
class Symmetry(Generic[S, M]):
    """A rotation, reflection or reordering that maps states and moves to equivalent ones."""

    name: str
    state: Callable[[S], S]
    move: Callable[[M], M]


@dataclass(frozen=True, slots=True)
class Game(Generic[S, M]):
    """A game as data. A variant is another record; two records are equal when their specs are."""

    key: str
    title: str = field(compare=False)
    options: Options = field(compare=False)
    spec: str
    start: S = field(compare=False)
    all_moves: tuple[M, ...] = field(compare=False, repr=False)
    parse_move: Callable[[str], M] = field(compare=False, repr=False)
    parse_state: Callable[[str], S] = field(compare=False, repr=False)
    symmetries: tuple[Symmetry[S, M], ...] = field(compare=False, repr=False)
    ply_limit: int | None = field(default=None, compare=False)
    repetition: int | None = field(default=None, compare=False)
    # An upper bound on the reachable states, for tabulation; None if unknown.
    states: int | None = field(default=None, compare=False)

    def canonical(self, state: S) -> S:
        """The representative of all states symmetric to this one."""
        return min((symmetry.state(state) for symmetry in self.symmetries), key=str)

    def __repr__(self) -> str:
        return f"load_game({self.spec!r})"
