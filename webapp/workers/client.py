"""The worker pool as routes use it: requests on behalf of the visitor, and short waits."""

from __future__ import annotations

from collections.abc import Callable
from threading import BoundedSemaphore

from webapp.web.rate_limits import visitor_key
from webapp.workers.pool import Pending, WorkerPool
from webapp.workers.queue import Rank
from webapp.workers.requests import A, Request

MAX_WAITING_THREADS = 2  # web threads that may wait at a time: the others have pages to make
WAIT_S = 0.2  # a web thread waits this long before the page says "still thinking"


class WorkerClient:
    """Sends requests to the pool for the visitor of the current HTTP request."""

    def __init__(
        self, pool: WorkerPool, ensure_brain: Callable[[str], None], seconds: float
    ) -> None:
        self._pool = pool
        self._ensure_brain = ensure_brain  # has an agent's brain on this machine
        self._seconds = seconds  # unless a request is given other
        self._waiting = BoundedSemaphore(MAX_WAITING_THREADS)

    def ask(self, request: Request[A], rank: Rank, seconds: float | None = None) -> Pending[A]:
        """Queue the request, or find it there; raises BusyError."""
        for spec in request.brains:
            self._ensure_brain(spec)
        given = self._seconds if seconds is None else seconds
        return self._pool.ask(request, given, rank, visitor_key())

    def wait_for(self, pending: Pending[A], wait_s: float = WAIT_S) -> A | None:
        """The answer if it comes within that time; without waiting where enough threads wait."""
        if pending.is_done or not self._waiting.acquire(blocking=False):
            return pending.wait(0)
        try:
            return pending.wait(wait_s)
        finally:
            self._waiting.release()

    def answer(self, request: Request[A], rank: Rank, seconds: float | None = None) -> A | None:
        """Ask and wait for it; raises BusyError."""
        return self.wait_for(self.ask(request, rank, seconds))
