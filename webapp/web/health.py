"""Health checks: `/healthz` (the process answers) and `/readyz` (database and workers do)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from threading import Event, Lock, Thread
from time import monotonic

from flask import Blueprint, Response, jsonify, make_response

CACHE_S = 1.0  # a result is used this long
REFRESH_WAIT_S = 0.1  # the request that starts a new check waits this long for it
DATABASE_TIMEOUT_S = 2.0


@dataclass(frozen=True, slots=True)
class Reading:
    """The result of a check, and its time."""

    database: bool
    at: float


class Readiness:
    """Checks the database in a thread, so that no web thread hangs with it."""

    def __init__(
        self,
        database: Callable[[], bool],
        workers: Callable[[], bool],
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._database = database
        self._workers = workers
        self._clock = clock
        self._lock = Lock()
        self._last: Reading | None = None
        self._begun = 0.0  # when the check under way began
        self._done = Event()
        self._done.set()

    def now(self) -> tuple[bool, bool]:
        """Whether the database answers, and whether the workers are alive."""
        with self._lock:
            fresh = self._last is not None and self._clock() - self._last.at < CACHE_S
            mine = not fresh and self._done.is_set()
            if mine:
                self._done.clear()
                self._begun = self._clock()
                Thread(target=self._check, name="readiness", daemon=True).start()
        if mine:
            self._done.wait(REFRESH_WAIT_S)
        return self._database_answers(), self._workers()

    def _database_answers(self) -> bool:
        """The last result, unless the check under way takes too long."""
        if not self._done.is_set() and self._clock() - self._begun > DATABASE_TIMEOUT_S:
            return False
        return self._last is not None and self._last.database

    def _check(self) -> None:
        try:
            answers = self._database()
        except Exception:  # noqa: BLE001 - whatever it is, the database did not answer
            answers = False
        self._last = Reading(answers, self._clock())
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
        """The database answers and the workers are alive, or did so a moment ago."""
        database, workers = readiness().now()
        return jsonify(database=database, workers=workers), 200 if database and workers else 503

    return health
