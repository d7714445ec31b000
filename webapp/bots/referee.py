"""The referee: a thread that sees to the clocks of bots and to the contests they play in."""

from __future__ import annotations

import logging
from collections.abc import Callable
from threading import Event, Thread

from sqlalchemy.exc import SQLAlchemyError

from engine.errors import ZermeloError

log = logging.getLogger(__name__)

INTERVAL_S = 1.0
CLOSE_TIMEOUT_S = 5.0


class Referee:
    """Does its duties once a second; several processes may do so at once."""

    def __init__(self, *duties: Callable[[], object]) -> None:
        self._duties = duties
        self._ended = Event()
        self._thread = Thread(target=self._run, name="referee", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        """End the thread; its transaction is given time to finish."""
        self._ended.set()
        if self._thread.is_alive():
            self._thread.join(CLOSE_TIMEOUT_S)

    def _run(self) -> None:
        while not self._ended.wait(INTERVAL_S):
            for duty in self._duties:
                try:
                    duty()
                except (SQLAlchemyError, ZermeloError) as error:  # it tries again in a second
                    log.warning("bots were not seen to (%s): %s", duty.__qualname__, error)
