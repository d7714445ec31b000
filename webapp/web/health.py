"""Health checks: `/healthz` (the process answers), `/readyz` (database, workers, jobs do)."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from threading import Event, Lock, Thread
from time import monotonic
from typing import Generic, TypeVar

from flask import Blueprint, Response, jsonify, make_response

CACHE_S = 1.0  # a result is used this long
REFRESH_WAIT_S = 0.1  # the request that starts a new check waits this long for it
DATABASE_TIMEOUT_S = 2.0
RETRY_S = 5


T = TypeVar("T")


class Background(Generic[T]):
    """What a function returns, called in a thread so that no web thread hangs with it."""

    def __init__(
        self, function: Callable[[], T], failed: T, clock: Callable[[], float] = monotonic
    ) -> None:
        self._function = function
        self._failed = failed  # returned where the function raises, hangs or was not called yet
        self._clock = clock
        self._lock = Lock()
        self._value = failed  # the last result, and its time
        self._called = -inf
        self._begun = 0.0  # when the call under way began
        self._done = Event()
        self._done.set()

    def now(self) -> T:
        """The last result; one older than a moment starts another call."""
        with self._lock:
            fresh = self._clock() - self._called < CACHE_S
            mine = not fresh and self._done.is_set()
            if mine:
                self._done.clear()
                self._begun = self._clock()
                try:
                    Thread(target=self._call, name="readiness", daemon=True).start()
                except RuntimeError:  # there are too many threads on this machine
                    self._finish(self._failed)
        if mine:
            self._done.wait(REFRESH_WAIT_S)
        hangs = not self._done.is_set() and self._clock() - self._begun > DATABASE_TIMEOUT_S
        return self._failed if hangs else self._value

    def _call(self) -> None:
        try:
            self._finish(self._function())
        except Exception:  # noqa: BLE001 - whatever it is, there is no answer
            self._finish(self._failed)

    def _finish(self, value: T) -> None:
        self._value, self._called = value, self._clock()
        self._done.set()


class Readiness:
    """Whether the database can be written, workers are alive, and jobs are worked on."""

    def __init__(
        self,
        database: Callable[[], bool],
        workers: Callable[[], bool],
        jobs: Callable[[], bool] = lambda: True,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._workers = workers
        self._stored = Background(lambda: (database(), jobs()), (False, False), clock)

    def now(self) -> tuple[bool, bool, bool]:
        """Of database, workers and jobs."""
        database, jobs = self._stored.now()
        return database, self._workers(), database and jobs


def health_routes(readiness: Callable[[], Readiness]) -> Blueprint:
    """The blueprint of both."""
    health = Blueprint("health", __name__)

    @health.get("/healthz")
    def up() -> Response:
        """This process answers."""
        response = make_response("ok\n")
        response.mimetype = "text/plain"
        return response

    @health.get("/readyz")
    def ready() -> Response:
        """Database, workers and jobs are well, or were so a moment ago."""
        database, workers, jobs = readiness().now()
        response = jsonify(database=database, workers=workers, jobs=jobs)
        if not (database and workers and jobs):
            response.status_code = 503
            response.headers["Retry-After"] = str(RETRY_S)
        return response

    return health
