"""A match at one ply as one visitor sees it: permissions and addresses derived from both."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from engine import Match, Outcome
from webapp.replays import permissions
from webapp.replays.models import Record
from webapp.replays.query import MatchQuery, Visit, child_url
from webapp.replays.seats import Player, players_at


@dataclass(frozen=True)  # no slots: cached properties
class Viewing:
    """A record at the requested ply, with what this visitor may do there."""

    record: Record
    visit: Visit

    @property
    def match(self) -> Match[Any, Any]:
        return self.record.match

    @property
    def query(self) -> MatchQuery:
        return self.visit.query

    @cached_property
    def ply(self) -> int:
        return permissions.check_ply(self.record, self.query.ply)

    @cached_property
    def players(self) -> tuple[Player, Player]:
        return players_at(self.record, self.ply, self.visit.actor, self.visit.now)

    @cached_property
    def path(self) -> str:
        return self.visit.place or self.record.path

    @property
    def live(self) -> bool:
        return self.ply == self.match.ply

    @property
    def outcome(self) -> Outcome | None:
        """The outcome of the match, if its last ply is shown."""
        return self.record.outcome if self.live else None

    @cached_property
    def may_change(self) -> bool:
        return permissions.may_change(self.record, self.visit.actor)

    @cached_property
    def may_move(self) -> bool:
        return self.live and permissions.may_move(self.record, self.visit.actor)

    @cached_property
    def advice_refusal(self) -> str | None:
        """Why agents give no advice here; None where they do."""
        return permissions.advice_refusal(self.record, self.visit.actor)

    @property
    def advice_allowed(self) -> bool:
        return self.advice_refusal is None

    @property
    def hint_allowed(self) -> bool:
        return self.may_move and self.advice_allowed

    @cached_property
    def awaits_reply(self) -> bool:
        """Whether an agent is to move and this visitor may request its reply."""
        return self.may_change and self.live and permissions.agent_is_to_move(self.record)

    @cached_property
    def latest(self) -> str:
        """The address of the last ply with the same query."""
        return self.query.at_ply(None).url(self.path)

    def url(self, ply: int) -> str:
        """The address of another ply with the same query."""
        if ply == self.match.ply:
            return self.latest
        rest = self.latest[len(self.path) + 1 :]
        return f"{self.path}?ply={ply}&{rest}" if rest else f"{self.path}?ply={ply}"

    def child(self, name: str) -> str:
        """The address of an action."""
        return child_url(self.path, name)
