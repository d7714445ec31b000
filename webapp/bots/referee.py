"""The referee: a thread that ends the games of bots whose time is over."""

from __future__ import annotations

import logging
from threading import Event, Thread

from sqlalchemy.exc import SQLAlchemyError

from engine.errors import ZermeloError
from webapp.bots.game_store import BotGameStore

log = logging.getLogger(__name__)

INTERVAL_S = 1.0
CLOSE_TIMEOUT_S = 5.0


class Referee:
    """Looks at the clocks once a second; several processes may do so at once."""

    def __init__(self, games: BotGameStore) -> None:
        self._games = games
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
            try:
                self._games.forfeit_overdue()
            except (SQLAlchemyError, ZermeloError) as error:  # it looks again in a second
                log.warning("the clocks of bots could not be looked at: %s", error)
