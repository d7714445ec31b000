"""Attendance: who requested a page lately, written to the database in batches."""

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

FLUSH_INTERVAL_S = 1.0
REWRITE_AFTER_S = 5  # before the same seat is written again
MAX_REMEMBERED = 10_000  # seats written lately

Key = TypeVar("Key", bound=Hashable)  # the id of a match or a class, and a seat


class Attendance(Generic[Key]):
    """When each seat was last active; repeats within REWRITE_AFTER_S are not written."""

    def __init__(
        self, write: Callable[[Mapping[Key, int]], None], clock: Callable[[], float] = time
    ) -> None:
        self._write = write
        self._clock = clock
        self._waiting: dict[Key, int] = {}
        self._written: OrderedDict[Key, int] = OrderedDict()
        self._lock = Lock()
        self._ended = Event()
        self._thread: Thread | None = None

    def note(self, key: Key) -> None:
        """This seat is active now."""
        now = int(self._clock())
        with self._lock:
            if now - self._written.get(key, 0) < REWRITE_AFTER_S:
                return
            self._waiting[key] = now
            if self._thread is None:
                self._thread = Thread(target=self._work, name="presence", daemon=True)
                self._thread.start()

    def flush(self) -> None:
        """Write what waits."""
        with self._lock:
            waiting, self._waiting = self._waiting, {}
            self._written.update(waiting)
            while len(self._written) > MAX_REMEMBERED:
                self._written.popitem(last=False)
        if waiting:
            self._write(waiting)

    def close(self) -> None:
        self._ended.set()

    def _work(self) -> None:
        while not self._ended.wait(FLUSH_INTERVAL_S):
            try:
                self.flush()
            except (SQLAlchemyError, ZermeloError) as error:  # they are noted again soon
                log.warning("who is here could not be written down: %s", error)
