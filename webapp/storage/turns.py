"""Who may write: a few at a time, and nobody waits long.

Where the database is locked by another process, one writer goes on trying, and whoever comes
meanwhile is told at once: a web thread that waits here makes no page for a reader.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore, Lock

from engine.errors import ZermeloError

PATIENCE = 0.3  # seconds that a writer waits for the others, hundreds of times what one takes


class BusyDatabaseError(ZermeloError):
    """A database that others keep from being written to."""

    retry_after = 3


class Turns:
    """So many writers at a time."""

    def __init__(self, writers: int, patience: float = PATIENCE) -> None:
        # A plain lock where one will do: it costs every move least.
        self._places = Lock() if writers == 1 else BoundedSemaphore(writers)
        self._patience = patience
        self._stuck = False

    @contextmanager
    def taken(self) -> Iterator[None]:
        """A turn for as long as the block lasts; raises BusyDatabaseError."""
        if not self._places.acquire(timeout=0 if self._stuck else self._patience):
            self._stuck = True
            why = "the database is kept busy just now, so nothing was changed: try again"
            raise BusyDatabaseError(why)
        try:
            yield
        finally:
            self._places.release()

    def went_well(self) -> None:
        """A writer has got through: the next ones may wait again."""
        self._stuck = False
