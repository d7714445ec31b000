"""Health checks: `/healthz` (the process answers), `/readyz` (database, workers, jobs do)."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from threading import Event, Lock, Thread
from time import monotonic

from flask import Blueprint, Response, jsonify, make_response

CACHE_S = 1.0  # a result is used this long
REFRESH_WAIT_S = 0.1  # the request that starts a new check waits this long for it
DATABASE_TIMEOUT_S = 2.0


class Readiness:
    """Checks database and jobs in a thread, so that no web thread hangs with them."""

    def __init__(
        self,
        database: Callable[[], bool],
        workers: Callable[[], bool],
        jobs: Callable[[], bool] = lambda: True,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._database = database
        self._workers = workers
        self._jobs = jobs
        self._jobs_go_on = False
        self._clock = clock
        self._lock = Lock()
        self._answered = False  # the last result, and its time
        self._checked = -inf
        self._begun = 0.0  # when the check under way began
        self._done = Event()
        self._done.set()

    def now(self) -> tuple[bool, bool, bool]:
        """Whether the database can be written, workers are alive, and jobs are worked on."""
        with self._lock:
            fresh = self._clock() - self._checked < CACHE_S
            mine = not fresh and self._done.is_set()
            if mine:
                self._done.clear()
                self._begun = self._clock()
                Thread(target=self._check, name="readiness", daemon=True).start()
        if mine:
            self._done.wait(REFRESH_WAIT_S)
        answers = self._database_answers()
        return answers, self._workers(), answers and self._jobs_go_on

    def _database_answers(self) -> bool:
        """The last result, unless the check under way takes too long."""
        if not self._done.is_set() and self._clock() - self._begun > DATABASE_TIMEOUT_S:
            return False
        return self._answered

    def _check(self) -> None:
        try:
            self._answered = self._database()
            self._jobs_go_on = self._jobs()
        except Exception:  # noqa: BLE001 - whatever it is, the database did not answer
            self._answered = False
        self._checked = self._clock()
        self._done.set()


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
    def ready() -> tuple[Response, int]:
        """Database, workers and jobs are well, or were so a moment ago."""
        database, workers, jobs = readiness().now()
        well = database and workers and jobs
        return jsonify(database=database, workers=workers, jobs=jobs), 200 if well else 503

    return health
