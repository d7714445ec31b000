"""Who is here: noted as pages ask, and written down in one batch a second."""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from threading import Event, Lock, Thread
from time import time
from typing import Generic, TypeVar

from sqlalchemy.exc import SQLAlchemyError

from engine.errors import ZermeloError

log = logging.getLogger(__name__)

EVERY = 1.0  # seconds between two batches
AGAIN = 5  # seconds before the same seat is written down once more
REMEMBERED = 10_000  # seats

Noted = TypeVar("Noted", bound=Hashable)  # a match or a class, and whose seat


class Attendance(Generic[Noted]):
    """Who has looked lately. What is noted twice within seconds is written down once."""

    def __init__(
        self, write: Callable[[Mapping[Noted, int]], None], clock: Callable[[], float] = time
    ) -> None:
        self._write = write
        self._clock = clock
        self._waiting: dict[Noted, int] = {}
        self._written: OrderedDict[Noted, int] = OrderedDict()
        self._lock = Lock()
        self._ended = Event()
        self._thread: Thread | None = None

    def note(self, noted: Noted) -> None:
        """Whoever sits there has just looked."""
        now = int(self._clock())
        with self._lock:
            if now - self._written.get(noted, 0) < AGAIN:
                return
            self._waiting[noted] = now
            if self._thread is None:
                self._thread = Thread(target=self._work, name="presence", daemon=True)
                self._thread.start()

    def flush(self) -> None:
        """Write down what waits."""
        with self._lock:
            waiting, self._waiting = self._waiting, {}
            self._written.update(waiting)
            while len(self._written) > REMEMBERED:
                self._written.popitem(last=False)
        if waiting:
            self._write(waiting)

    def close(self) -> None:
        self._ended.set()

    def _work(self) -> None:
        while not self._ended.wait(EVERY):
            try:
                self.flush()
            except (SQLAlchemyError, ZermeloError) as error:  # they look again soon
                log.warning("who is here could not be written down: %s", error)
