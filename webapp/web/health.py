"""Whether the server is up, and whether it can do its work: for whoever watches over it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from threading import Event, Lock, Thread
from time import monotonic

from flask import Blueprint, Response, jsonify, make_response

FRESH = 1.0  # seconds that an answer stands
PATIENCE = 0.1  # seconds that whoever finds it old waits for the new one
LATE = 2.0  # seconds after which a database that has not answered counts as one that does not


@dataclass(frozen=True, slots=True)
class Reading:
    """What was found, and when."""

    database: bool
    at: float


class Readiness:
    """Asks the database on a thread of its own; whether the thinkers are alive is known at once."""

    def __init__(
        self,
        database: Callable[[], bool],
        thinkers: Callable[[], bool],
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._database = database
        self._thinkers = thinkers
        self._clock = clock
        self._lock = Lock()
        self._last: Reading | None = None
        self._asked = 0.0  # when the look under way began
        self._done = Event()
        self._done.set()

    def now(self) -> tuple[bool, bool]:
        """Whether the database answers, and whether the thinkers are alive."""
        with self._lock:
            fresh = self._last is not None and self._clock() - self._last.at < FRESH
            mine = not fresh and self._done.is_set()
            if mine:
                self._done.clear()
                self._asked = self._clock()
                Thread(target=self._look, name="readiness", daemon=True).start()
        if mine:
            self._done.wait(PATIENCE)
        return self._known(), self._thinkers()

    def _known(self) -> bool:
        """The last answer, unless the next has been awaited too long."""
        if not self._done.is_set() and self._clock() - self._asked > LATE:
            return False
        return self._last is not None and self._last.database

    def _look(self) -> None:
        try:
            answers = self._database()
        except Exception:  # noqa: BLE001 - whatever it is, the database did not answer
            answers = False
        self._last = Reading(answers, self._clock())
        self._done.set()


def health_routes(readiness: Callable[[], Readiness]) -> Blueprint:
    """`/healthz` and `/readyz` of one app."""
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
