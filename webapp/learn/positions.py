"""Positions in lessons: `tictactoe`, or `tictactoe x.o/.x./..o x`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from urllib.parse import urlencode

from engine.core import Game
from engine.match import Match
from webapp.boards import board_for, picture_for
from webapp.boards.grid import Board
from webapp.questions.parser import parse_position
from webapp.questions.query import ASK
from webapp.web.query import Pairs


@dataclass(frozen=True, slots=True)
class Position:
    """A game and a state of it."""

    game: Game[Any, Any]
    state: Any

    @property
    def url(self) -> str:
        """The page of the position."""
        return f"/positions?{urlencode({'game': self.game.spec, 'state': str(self.state)})}"

    @property
    def ask_url(self) -> str | None:
        """The page to ask a class about it; None if the game is over."""
        if self.state.outcome() is not None:
            return None
        fields = {"game": self.game.spec, "state": str(self.state)}
        return f"{ASK}?{urlencode(fields, safe=':,/')}"

    def match_fields(self, opponent: str, seat: str) -> Pairs:
        """The fields of the form that begins a match from it."""
        played = (("opponent", opponent), ("seat", seat))
        return (("game", self.game.spec), ("state", str(self.state)), *played)

    @property
    def picture(self) -> Board:
        return picture_for(self.game, self.state)

    @property
    def label(self) -> str:
        """What the picture shows, for screen readers."""
        return f"{self.game.title}, {self.state}"

    @property
    def rule(self) -> str:
        """The rule that the board of its game states; empty if it states none."""
        return _rule(self)


@lru_cache(maxsize=256)
def _rule(position: Position) -> str:
    board = board_for(Match.begin(position.game, position.state), ply=0, may_move=False)
    return str(getattr(board, "rule", ""))


def position_of(match: Match[Any, Any]) -> Position:
    """The position that a match has come to."""
    return Position(match.game, match.state)


@lru_cache(maxsize=256)
def read_position(text: str) -> Position:
    """Parse a position; raises InvalidTextError."""
    return position_of(parse_position(text.strip()))
