"""Old rows are removed in the background, a few at a time."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from threading import Event, Thread

from sqlalchemy.exc import SQLAlchemyError

from engine.errors import ZermeloError

log = logging.getLogger(__name__)

INTERVAL_S = 3600.0
BATCH = 50  # rows in one transaction
CLOSE_TIMEOUT_S = 5.0
PAUSE_S = 0.5  # between two batches, in which others can write


@dataclass(frozen=True, slots=True)
class Removal:
    """Rows that are not kept for ever."""

    what: str  # for the log
    remove: Callable[[int], int]  # so many at most; returns how many were
    why: str = ""  # for the log, where someone might miss them


class Retention:
    """A thread that removes old rows once an hour."""

    def __init__(self, *removals: Removal) -> None:
        self._removals = removals
        self._ended = Event()
        self._thread = Thread(target=self._run, name="retention", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        """End the thread; its transaction is given time to finish with its connection."""
        self._ended.set()
        if self._thread.is_alive():
            self._thread.join(CLOSE_TIMEOUT_S)

    def remove_all(self, removal: Removal) -> int:
        """Remove batch after batch, and return how many rows were removed."""
        removed = 0
        while not self._ended.is_set():
            batch = removal.remove(BATCH)
            removed += batch
            if batch < BATCH:
                break
            self._ended.wait(PAUSE_S)
        return removed

    def _run(self) -> None:
        while not self._ended.is_set():
            for removal in self._removals:
                try:
                    if (removed := self.remove_all(removal)) and removal.why:
                        log.warning("%d %s were removed: %s", removed, removal.what, removal.why)
                except (SQLAlchemyError, ZermeloError) as error:
                    log.warning("%s could not be removed now: %s", removal.what, error)
            self._ended.wait(INTERVAL_S)
