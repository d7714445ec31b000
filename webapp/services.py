"""What the pages share: the store, the thinking processes, allowances and the configuration."""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import BoundedSemaphore, Event

from flask import current_app, request

from webapp.config import Config
from webapp.play.store import Store
from webapp.thinking.pool import Pending, Thinking
from webapp.thinking.questions import Answer, Asked
from webapp.thinking.queueing import Rank
from webapp.web.players import current_player, is_newcomer
from webapp.web.rates import Allowance, network_of
from webapp.web.readiness import Readiness

NAME = "zermelo"
WAITING = 2  # threads that may wait at a time: the others have pages to make
PLIES = 100  # of a match that is copied or brought along, which count as another match
PATIENCE = 0.2  # seconds a web thread waits for a thought before it says "still thinking"


@dataclass(frozen=True, slots=True)
class Services:
    """One of each per app."""

    config: Config
    store: Store
    thinking: Thinking
    readiness: Readiness
    removal: Event  # set: nothing is removed any more
    by_player: Allowance
    by_address: Allowance
    matches_by_player: Allowance
    matches_by_address: Allowance
    newcomers: Allowance
    waiting: BoundedSemaphore = field(default_factory=lambda: BoundedSemaphore(WAITING))

    def spend(self) -> None:
        """Count this request; raises TooManyRequestsError."""
        self.by_address.take(address_of_this_request())
        if (player := current_player()) is not None:
            self.by_player.take(player)

    def spend_on_match(self, plies: int) -> None:
        """Count a match that is about to be kept, the more the longer it is already.

        Whoever comes without a cookie is new each time, so that only the address can be counted;
        raises TooManyRequestsError.
        """
        amount = 1 + plies // PLIES
        address = address_of_this_request()
        if is_newcomer():
            self.newcomers.take(address, amount)
        else:
            self.matches_by_player.take(visitor_of_this_request(), amount)
        self.matches_by_address.take(address, amount)

    def ask(self, question: Asked, rank: Rank, seconds: float | None = None) -> Pending:
        """The thought on this question, on behalf of whoever sends this request."""
        given = self.config.think_seconds if seconds is None else seconds
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
    return current_player() or f"address {address_of_this_request()}"


def address_of_this_request() -> str:
    """Where it comes from, as far as one can tell visitors apart by it."""
    return network_of(request.remote_addr or "")


def services() -> Services:
    """Those of the app that answers this request."""
    found: Services = current_app.extensions[NAME]
    return found
