"""What the pages share: the store, the thinking processes, allowances and the configuration."""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import BoundedSemaphore

from flask import current_app, request

from webapp.config import Config
from webapp.play.store import Store
from webapp.thinking.pool import SHORT, Pending, Thinking
from webapp.thinking.questions import Answer, Asked
from webapp.thinking.queueing import Rank
from webapp.web.players import current_player
from webapp.web.rates import Allowance

NAME = "zermelo"
WAITING = 2  # threads that may wait at a time: the others have pages to make
PATIENCE = 0.2  # seconds a web thread waits for a thought before it says "still thinking"


@dataclass(frozen=True, slots=True)
class Services:
    """One of each per app."""

    config: Config
    store: Store
    thinking: Thinking
    by_player: Allowance
    by_address: Allowance
    waiting: BoundedSemaphore = field(default_factory=lambda: BoundedSemaphore(WAITING))

    def spend(self) -> None:
        """Count this request; raises TooManyRequestsError."""
        address = request.remote_addr or ""
        self.by_address.take(address)
        if (player := current_player()) is not None:
            self.by_player.take(player)

    def ask(self, question: Asked, rank: Rank, seconds: float | None = None) -> Pending:
        """The thought on this question, on behalf of whoever sends this request.

        Whoever only looks is given a short thought while many wait.
        """
        given = self.config.think_seconds if seconds is None else seconds
        if rank is Rank.PANEL and self.thinking.crowded:
            given = min(given, SHORT)
        return self.thinking.ask(question, given, rank, visitor_of_this_request())

    def wait_for(self, thought: Pending) -> Answer | None:
        """The answer if it comes in a moment; where enough threads wait already, if it is here."""
        if thought.is_done or not self.waiting.acquire(blocking=False):
            return thought.wait(0)
        try:
            return thought.wait(PATIENCE)
        finally:
            self.waiting.release()


def visitor_of_this_request() -> str:
    """Whose turn a thought takes up: a player's, or of an address without a cookie."""
    return current_player() or f"address {request.remote_addr}"


def services() -> Services:
    """Those of the app that answers this request."""
    found: Services = current_app.extensions[NAME]
    return found
