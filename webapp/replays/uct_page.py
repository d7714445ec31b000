"""The page of UCT: a search game by game, opened at the step of the query."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from agents.search.uct import UctPlan, UctRecording
from webapp.replays.query import TreeQuery, UctQuery, ask_class_url, child_url, path_fields
from webapp.replays.search_page import SearchPage
from webapp.replays.tree_page import algorithm_links
from webapp.replays.uct import UctWalk
from webapp.web.forms import Choice
from webapp.web.query import Pairs

GAME_CHOICES = (10, 20, 50, 100, 200)
EXPLORATION_CHOICES = (0, 50, 120, 200)  # in hundredths
PLAYER_DIFFERENCES = (
    "This is UCT as textbooks have it. The Monte Carlo tree search that plays also shares what it "
    "knows of a position between all ways to it, notices when a win or a loss is certain, tries "
    "new moves in random order, and expects a slip of its opponent now and then."
)


@dataclass(frozen=True)  # no slots: cached properties
class UctPage(SearchPage):
    """What `replays/_uct.html` reads."""

    query: UctQuery
    plan: UctPlan
    recording: UctRecording | None  # None: pending, failed, or nothing to search
    pending: bool = False  # GET `url` again

    title = "How UCT searches this position"
    besides = PLAYER_DIFFERENCES

    @cached_property
    def search(self) -> UctWalk | None:
        """The search at the step of the query."""
        if self.recording is None:
            return None
        match = self.view.match.at(self.view.ply)
        return UctWalk(self.recording, match, self.plan, self.query, self._path)

    @property
    def action(self) -> str:
        """Of its forms."""
        return child_url(self._path, "uct").partition("?")[0]

    @property
    def url(self) -> str:
        return self.query.address(self._path)

    @property
    def present_url(self) -> str:
        return replace(self.query, present=not self.query.present).address(self._path)

    @property
    def algorithms(self) -> tuple[tuple[str, str, bool], ...]:
        """Title, address, chosen."""
        query = TreeQuery(ply=self.query.ply, present=self.query.present)
        return algorithm_links(self._path, query, None)

    @property
    def games(self) -> tuple[Choice, ...]:
        numbers = sorted({*GAME_CHOICES, self.plan.games})
        return tuple(Choice(str(n), str(n), chosen=n == self.plan.games) for n in numbers)

    @property
    def explorations(self) -> tuple[Choice, ...]:
        chosen = self.query.exploration
        shares = sorted({*EXPLORATION_CHOICES, chosen})
        return tuple(Choice(str(n), f"{n / 100:g}", chosen=n == chosen) for n in shares)

    @property
    def settings(self) -> Pairs:
        """Hidden fields of the form with the settings."""
        others = replace(
            self.query.restarted, games=UctQuery.games, exploration=UctQuery.exploration
        )
        return (*path_fields(self._path), *others.pairs())

    @property
    def another(self) -> str:
        """The same with other random games."""
        return replace(self.query.restarted, seed=self.query.seed + 1).address(self._path)

    @property
    def fields(self) -> Pairs:
        """Hidden fields of a node's form, besides `open`."""
        return (*path_fields(self._path), *self.query.following.pairs())

    @property
    def failed(self) -> str:
        """Why there is nothing to walk through."""
        if self.view.state.outcome() is not None:
            return "The game is over here: there is nothing left to search."
        if self.pending or self.search is not None:
            return ""
        return "The search could not be worked out this time."

    @property
    def ask_url(self) -> str:
        """Asks a class about the position."""
        view = self.view
        moves = map(str, view.match.moves[: view.ply])
        return ask_class_url(view.record.game, view.record.start, moves)


def uct_plan(query: UctQuery) -> UctPlan:
    """The search of a query."""
    return UctPlan(query.games, query.exploration / 100, query.seed)
