"""Matches that nobody came back to are removed, where the operator wants that: a few at a time."""

from __future__ import annotations

import logging
from threading import Event, Thread
from time import time

from sqlalchemy.exc import SQLAlchemyError

from engine.errors import ZermeloError
from webapp.play.store import Store

log = logging.getLogger(__name__)

A_DAY = 24 * 3600
EVERY = 3600.0  # seconds between two looks
AT_ONCE = 50  # matches in one transaction, which nobody notices
PAUSE = 0.5  # seconds between two of these, in which others write


def keep_removing(store: Store, days: float | None) -> Event:
    """Begin to remove what was untouched for so many days, until the event is set."""
    ended = Event()
    if days is not None:
        work = (store, days * A_DAY, ended)
        Thread(target=_work, args=work, name="removal", daemon=True).start()
    return ended


def remove_untouched(store: Store, before: float, ended: Event) -> int:
    """How many unfinished matches went that nobody has touched since."""
    removed = 0
    while not ended.is_set():
        found = store.untouched(int(before), AT_ONCE)
        removed += store.remove_untouched(found, int(before))
        if len(found) < AT_ONCE:
            break
        ended.wait(PAUSE)
    return removed


def _work(store: Store, seconds: float, ended: Event) -> None:
    while not ended.is_set():
        try:
            if removed := remove_untouched(store, time() - seconds, ended):
                log.warning("%d unfinished matches were removed: nobody came back", removed)
        except (SQLAlchemyError, ZermeloError) as error:
            log.warning("unfinished matches could not be removed now: %s", error)
        ended.wait(EVERY)
