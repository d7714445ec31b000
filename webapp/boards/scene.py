"""What any board is drawn from: a state, how it came about and what the visitor may do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from agents.core import Candidate
from engine.core import Game, Outcome


@dataclass(frozen=True, slots=True)
class BeadCount:
    """How many of a colour an open head has for a move: beads, for one."""

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
    outcome: Outcome | None = None  # only where the shown position is the end
    values: Mapping[str, Candidate[Any]] = field(default_factory=dict)  # by the move's text
    tallies: Mapping[str, BeadCount] = field(default_factory=dict)  # instead of values, by move
    hint: str | None = None  # the text of a move
    answer: str | None = None  # the text of a move that the visitor has voted for
    aid: bool = False  # with what helps to think, where the board has such


class Board(Protocol):
    """What `webapp.boards.board_for` makes: one frozen dataclass per game."""

    @property
    def template(self) -> str:
        """The template that draws it, such as `boards/_nim.html`."""

    @property
    def prompt(self) -> str | None:
        """What a half-made move wants next (`Push d5 back in: a5, e5 or d1`), else None."""

    @property
    def why(self) -> str | None:
        """How the game ended on the board (`five in row 3`), else None."""
