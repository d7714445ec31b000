"""How bots of students are rated in the league of a task."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from webapp.assignments.models import AssignmentRecord
from webapp.bots.leagues.models import UnknownLeagueError
from webapp.bots.leagues.store import LeagueStore
from webapp.bots.leagues.table import LeagueTable, machines_of
from webapp.bots.store import BotStore
from webapp.questions.assignments import Task, TaskKind
from webapp.web.errors import InvalidFormError


@dataclass(frozen=True, slots=True)
class LeagueRating:
    """Looks up leagues and the ratings in them."""

    leagues: LeagueStore
    bots: BotStore

    def with_leagues(self, record: AssignmentRecord) -> AssignmentRecord:
        """The assignment with the leagues that its tasks name; raises InvalidFormError."""
        return replace(record, tasks=tuple(self._with_league(task) for task in record.tasks))

    def _with_league(self, task: Task) -> Task:
        if task.kind is not TaskKind.BOT:
            return task
        found = self.leagues.admission(task.league)
        if found is None or found.league_id is None:
            raise InvalidFormError(task.league, f"no league that is on has the code {task.league}")
        return replace(task, league_id=found.league_id)

    def best(self, task: Task, players: Sequence[str]) -> tuple[str, float] | None:
        """Name and rating of the best of these players' bots; None if none has played."""
        try:
            league = self.leagues.find(task.league_id)
        except UnknownLeagueError:
            return None
        bots = self.bots.of_league(league.id)
        own = {bot.seat for bot in bots if bot.owner in players}
        seated = (*(bot.seat for bot in bots), *machines_of(league.game))
        table = LeagueTable(league, seated, self.leagues.scores(league.id))
        rated = [
            (row.name, row.rating.elo)
            for row in table.rows
            if row.player in own and row.rating is not None
        ]
        return max(rated, key=lambda each: each[1], default=None)
