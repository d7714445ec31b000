"""The input of every board (a state and what the visitor may do) and the boards' protocol."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from agents.core import Candidate
from engine.core import Game, Outcome


@dataclass(frozen=True, slots=True)
class BeadCount:
    """The beads that a matchbox holds for a move."""

    colour: int
    count: str


@dataclass(frozen=True, slots=True)
class Scene:
    """One position for one visitor."""

    game: Game[Any, Any]
    state: Any
    may_move: bool = False
    pick: str | None = None  # the first half of a move, as the visitor sent it
    last_move: Any = None
    outcome: Outcome | None = None  # if the game is over here
    values: Mapping[str, Candidate[Any]] = field(default_factory=dict)  # by the move's text
    tallies: Mapping[str, BeadCount] = field(default_factory=dict)  # by move, instead of values
    hint: str | None = None  # the text of a move
    answer: str | None = None  # the text of the move the visitor has voted for
    aid: bool = False  # with the board's thinking aid


class Board(Protocol):
    """The result of `webapp.boards.board_for`: one frozen dataclass per game."""

    @property
    def template(self) -> str:
        """The template that draws it, such as `boards/_nim.html`."""

    @property
    def prompt(self) -> str | None:
        """How to complete a half-made move (`Push d5 back in: a5, e5 or d1`), else None."""

    @property
    def why(self) -> str | None:
        """How the game ended on the board (`five in row 3`), else None."""
