"""The query string of a training game shown update by update."""

from __future__ import annotations

from dataclasses import dataclass

from agents.q_trace import MAX_AHEAD
from webapp.web.query import Query, flag, number, text

MAX_SPEC_CHARS = 500


@dataclass(frozen=True)
class UpdatesQuery(Query):
    """Whose training, which game of it, and how many of its updates are made."""

    game: str = text(MAX_SPEC_CHARS, "tictactoe")
    agent: str = text(MAX_SPEC_CHARS, "qlearning:games=200")
    ahead: int = number(0, high=MAX_AHEAD)  # games after those of the brain
    step: int | None = number()  # updates made; None: all
    present: bool = flag()
    known: bool = flag()  # of a poll: the page knows that it waits
