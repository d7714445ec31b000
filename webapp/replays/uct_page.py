"""The page of UCT: a search game by game, opened at the step of the query."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from agents.search.uct import UctPlan, UctRecording
from webapp.replays.models import Record
from webapp.replays.query import UctQuery, path_fields
from webapp.replays.search_page import Chooser, SearchPage
from webapp.replays.uct import UctWalk
from webapp.web.forms import Choice
from webapp.web.query import Pairs
from webapp.workers.recordings import UctRequest

GAME_CHOICES = (10, 20, 50, 100, 200)
EXPLORATION_CHOICES = (0, 50, 120, 200)  # in hundredths
PLAYER_DIFFERENCES = (
    "This is UCT as textbooks have it. The Monte Carlo tree search that plays also shares what it "
    "knows of a position between all ways to it, notices when a win or a loss is certain, tries "
    "new moves in random order, and expects a slip of its opponent now and then."
)


@dataclass(frozen=True)  # no slots: cached properties
class UctPage(SearchPage[UctQuery, UctPlan, UctRecording]):
    """What `replays/_uct.html` reads."""

    query_type = UctQuery
    template = "replays/_uct.html"
    heading = "UCT step by step"
    request_for = UctRequest
    searching = "Searching: every game is kept as it is played…"
    leap = "Next game"
    moment = "Step"
    title = "How UCT searches this position"
    chosen = None
    why_not = "The search could not be worked out this time."
    besides = PLAYER_DIFFERENCES

    @staticmethod
    def plan_for(record: Record, ply: int, query: UctQuery) -> UctPlan:
        return UctPlan(query.games, query.exploration / 100, query.seed)

    @cached_property
    def search(self) -> UctWalk | None:
        """The search at the step of the query."""
        if self.recording is None:
            return None
        match = self.view.match.at(self.view.ply)
        return UctWalk(self.recording, match, self.plan, self.query, self._path)

    @property
    def choosers(self) -> tuple[Chooser, ...]:
        games, exploration = self.plan.games, self.query.exploration
        counts = sorted({*GAME_CHOICES, games})
        shares = sorted({*EXPLORATION_CHOICES, exploration})
        return (
            ("games", "Games", tuple(Choice(str(n), str(n), chosen=n == games) for n in counts)),
            (
                "c",
                "c",
                tuple(Choice(str(n), f"{n / 100:g}", chosen=n == exploration) for n in shares),
            ),
        )

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
