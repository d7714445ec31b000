"""A record at the ply that is looked at, by one visitor: what follows from that."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from engine import Match, Outcome
from webapp.replays import permissions
from webapp.replays.models import Record
from webapp.replays.query import Look, Visit, at_ply, child_of, with_query
from webapp.replays.seats import Player, players_of


@dataclass(frozen=True)  # without slots: what follows from the fields is worked out once
class Viewing:
    """A record at the ply that is looked at, by one visitor."""

    record: Record
    visit: Visit

    @property
    def match(self) -> Match[Any, Any]:
        return self.record.match

    @property
    def look(self) -> Look:
        return self.visit.look

    @cached_property
    def ply(self) -> int:
        return permissions.check_ply(self.record, self.look.ply)

    @cached_property
    def players(self) -> tuple[Player, Player]:
        return players_of(self.record, self.ply, self.visit.actor, self.visit.now)

    @cached_property
    def path(self) -> str:
        return self.visit.place or self.record.path

    @property
    def live(self) -> bool:
        return self.ply == self.match.ply

    @property
    def outcome(self) -> Outcome | None:
        """How it ended, when the end is what is shown."""
        return self.record.outcome if self.live else None

    @cached_property
    def may_change(self) -> bool:
        return permissions.may_change(self.record, self.visit.actor)

    @cached_property
    def may_move(self) -> bool:
        return self.live and permissions.may_move(self.record, self.visit.actor)

    @cached_property
    def unadvised(self) -> str | None:
        """Why no machine says here what it thinks, where none does."""
        return permissions.unadvised(self.record, self.visit.actor)

    @property
    def is_advised(self) -> bool:
        return self.unadvised is None

    @property
    def may_be_hinted(self) -> bool:
        return self.may_move and self.is_advised

    @cached_property
    def awaits_reply(self) -> bool:
        """Whether an agent owes a move that this visitor may ask for."""
        return self.may_change and self.live and permissions.agent_is_to_move(self.record)

    @cached_property
    def latest(self) -> str:
        """The address of the last ply, the look kept."""
        return with_query(self.path, at_ply(self.look, None))

    def url(self, ply: int) -> str:
        """The address of another ply, the look kept."""
        if ply == self.match.ply:
            return self.latest
        rest = self.latest[len(self.path) + 1 :]
        return f"{self.path}?ply={ply}&{rest}" if rest else f"{self.path}?ply={ply}"

    def child(self, name: str) -> str:
        """The address of an action."""
        return child_of(self.path, name)
