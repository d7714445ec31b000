"""A match at one ply as one visitor sees it: permissions and addresses derived from both."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from engine import Match, Outcome
from webapp.replays import permissions
from webapp.replays.models import Record
from webapp.replays.query import MatchQuery, child_url
from webapp.replays.seats import Player, players_at
from webapp.web.cookies import Actor


@dataclass(frozen=True, slots=True)
class Visit:
    """What a page needs of the request: who asks, for what, when, and by which address."""

    actor: Actor
    query: MatchQuery
    address: str = ""  # as requested, except for escapes in the path
    site: str = ""  # scheme and host, for absolute links
    games_met: frozenset[str] = frozenset()  # keys of the games this browser has played
    now: int = 0  # seconds since 1970
    known: str | None = None  # the key of what the page that asks has already


@dataclass(frozen=True)  # no slots: cached properties
class MatchView:
    """A record at the requested ply, with what this visitor may do there."""

    record: Record
    visit: Visit

    @property
    def match(self) -> Match[Any, Any]:
        return self.record.match

    @property
    def game(self) -> str:
        """Its key."""
        return self.match.game.key

    @property
    def query(self) -> MatchQuery:
        return self.visit.query

    @cached_property
    def ply(self) -> int:
        return permissions.check_ply(self.record, self.query.ply)

    @property
    def last_ply(self) -> int:
        return self.match.ply

    @property
    def state(self) -> Any:
        """The shown position."""
        return self.match.states[self.ply]

    @cached_property
    def players(self) -> tuple[Player, Player]:
        return players_at(self.record, self.ply, self.visit.actor, self.visit.now)

    @cached_property
    def mover(self) -> Player | None:
        """Who is to move at the shown ply; None when it is over there."""
        return next((player for player in self.players if player.to_move), None)

    @property
    def path(self) -> str:
        return self.record.path

    @property
    def here(self) -> str:
        """The address of what is shown."""
        return self.query.url(self.path)

    @property
    def live(self) -> bool:
        return self.ply == self.last_ply

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
    def url(self) -> str:
        """The address of the last ply with the same query."""
        return self.query.at_ply(None).url(self.path)

    def ply_url(self, ply: int) -> str:
        """The address of a ply with the same query."""
        if ply == self.last_ply:
            return self.url
        rest = self.url[len(self.path) + 1 :]
        joint = "&" if "?" in self.path else "?"
        return f"{self.path}{joint}ply={ply}&{rest}" if rest else f"{self.path}{joint}ply={ply}"

    def child(self, name: str) -> str:
        """The address of an action."""
        return child_url(self.path, name)
