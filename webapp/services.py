"""What the pages share: the store, the thinking processes, allowances and the configuration."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from threading import BoundedSemaphore, Event
from time import time

from flask import current_app, request

from engine import Seat
from webapp.classroom.store import ClassStore
from webapp.config import Config
from webapp.jobs.brain_store import BrainStore
from webapp.jobs.models import JobPoint, JobRecord, Strand
from webapp.jobs.store import GameStore, JobStore
from webapp.matches.store import Store
from webapp.web.cookies import current_player, is_newcomer
from webapp.web.health import Readiness
from webapp.web.presence import Attendance
from webapp.web.rate_limits import Allowance, network_of
from webapp.workers.pool import Pending, Thinking
from webapp.workers.queue import Rank
from webapp.workers.requests import Answer, Request

NAME = "zermelo"
WAITING = 2  # threads that may wait at a time: the others have pages to make
PLIES = 100  # of a match that is copied or brought along, which count as another match
OLD_JOBS = 20  # of one visitor, that go when another is begun
PATIENCE = 0.2  # seconds a web thread waits for a thought before it says "still thinking"


@dataclass(frozen=True, slots=True)
class Services:
    """One of each per app."""

    config: Config
    store: Store
    jobs: JobStore
    brains: BrainStore
    games: GameStore  # of arenas
    thinking: Thinking
    readiness: Readiness
    removal: Event  # set: nothing is removed any more
    by_player: Allowance
    by_address: Allowance
    matches_by_player: Allowance
    matches_by_address: Allowance
    newcomers: Allowance
    guesses: Allowance  # of codes that lead to no class, by visitor
    guesses_by_address: Allowance  # the same for whoever comes without a cookie
    attendance: Attendance[tuple[str, Seat]]  # who is here, at a match with a friend
    classes: ClassStore
    students: Attendance[tuple[str, int]]  # who is here, in a class
    clock: Callable[[], float] = time
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

    def begin_job(
        self,
        record: JobRecord,
        strands: Mapping[int, Strand] | None = None,
        points: Sequence[JobPoint] = (),
    ) -> JobRecord:
        """The job, now waiting; of its owner's jobs that are over the oldest make room for it.

        Raises TooManyJobsError and FullQueueError.
        """
        each, queue = self.config.jobs_each, self.config.jobs_queue
        begun = self.jobs.create(record, each=each, queue=queue, strands=strands, points=points)
        for old in self.jobs.over(begun.owner, OLD_JOBS, self.config.jobs_kept):
            self.throw_away(old)
        return begun

    def throw_away(self, job_id: str) -> None:
        """The job with all it has written; brains that have a name or are played with stay."""
        digests = self.brains.there(job_id)
        self.jobs.remove(job_id)
        self.brains.sweep(digests)

    def ask(self, question: Request, rank: Rank, seconds: float | None = None) -> Pending:
        """The thought on this question, on behalf of whoever sends this request."""
        for spec in question.brains:
            self.brains.ensure(spec)
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
