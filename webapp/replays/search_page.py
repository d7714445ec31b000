"""What the pages of recorded searches share: the position that is searched, and the way back."""

from __future__ import annotations

from dataclasses import dataclass

from agents.formats import counted
from webapp.boards import picture_for
from webapp.boards.grid import Board
from webapp.replays.query import MatchQuery, TreeQuery, UctQuery
from webapp.replays.view import MatchView, PlayerKind
from webapp.web.navigation import keys_url


@dataclass(frozen=True)  # no slots: subclasses cache properties
class SearchPage:
    """The position above a recorded search."""

    view: MatchView  # at the searched ply
    query: TreeQuery | UctQuery

    @property
    def _path(self) -> str:
        return self.view.path

    @property
    def match_url(self) -> str:
        """The match at this ply."""
        return MatchQuery(ply=self.view.ply, present=self.query.present).url(self._path)

    @property
    def keys_url(self) -> str:
        """Dialog: the keyboard shortcuts."""
        return keys_url(MatchQuery(ply=self.view.ply).url(self._path))

    @property
    def back(self) -> str:
        place = self.view.record.place
        return f"Back to the {'match' if place is None else place.name}"

    @property
    def position(self) -> Board:
        view = self.view
        move = view.match.moves[view.ply - 1] if view.ply else None
        return picture_for(view.match.game, view.state, move)

    @property
    def status(self) -> str:
        """x to move after 4 moves."""
        mover = self.view.mover
        who = "" if mover is None else f"{mover.title}, {mover.mark}, to move"
        if mover is not None and mover.kind is PlayerKind.YOU:
            who = f"You are {mover.mark}, and to move"
        return f"{who}, after {counted(self.view.ply, 'move', 'moves')}".removeprefix(", ")
