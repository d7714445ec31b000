"""A match as a printable sheet: players, date, result, every move, and diagrams of chosen plies."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property

from agents.formats import counted
from engine.catalog import variant_title
from webapp.boards import Picture, board_for, picture_for
from webapp.replays.view import MatchView, ending_text, result_text
from webapp.web.query import Query, text

MAX_PLIES_CHARS = 60
MAX_DIAGRAMS = 12


@dataclass(frozen=True)
class SheetQuery(Query):
    """Which plies are drawn: their numbers, however separated; none: the last."""

    plies: str = text(MAX_PLIES_CHARS, "")


@dataclass(frozen=True)  # no slots: cached properties
class ScoreSheet:
    """What `replays/score_sheet.html` reads: the same for every visitor."""

    view: MatchView  # as nobody in particular sees it
    query: SheetQuery

    @property
    def title(self) -> str:
        return f"{self.view.match.game.title}, {variant_title(self.view.record.game)}"

    @property
    def date(self) -> str:
        """When the match began; empty for a game that is not stored as a match."""
        began = datetime.fromtimestamp(self.view.record.created, UTC)
        return f"{began.day} {began:%B %Y}" if self.view.record.created else ""

    @property
    def result(self) -> str:
        match, outcome, players = self.view.match, self.view.outcome, self.view.players
        if outcome is None:
            return f"Not finished, after {counted(match.ply, 'move', 'moves')}"
        board = board_for(match, ply=match.ply, may_move=False, outcome=outcome)
        why = board.why or ending_text(self.view.record, outcome, players)
        return result_text(outcome, players, why)

    @cached_property
    def plies(self) -> tuple[int, ...]:
        """The plies to draw: those of the query that were played, else the last."""
        named = dict.fromkeys(map(int, re.findall(r"[0-9]+", self.query.plies)))
        played = [ply for ply in named if ply <= self.view.last_ply]
        return tuple(played[:MAX_DIAGRAMS]) or (self.view.last_ply,)

    @property
    def diagrams(self) -> tuple[tuple[str, Picture], ...]:
        """Caption and picture of each."""
        match = self.view.match
        last_moves = (None, *match.moves)
        return tuple(
            (
                f"After move {ply}, {last_moves[ply]}" if ply else "Before the first move",
                picture_for(match.game, match.states[ply], last_moves[ply]),
            )
            for ply in self.plies
        )
