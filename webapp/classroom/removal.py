"""Classes end by themselves: what was said in them goes, unless the teacher keeps it."""

from __future__ import annotations

import logging
from threading import Event, Thread

from sqlalchemy.exc import SQLAlchemyError

from engine.errors import ZermeloError
from webapp.classroom.store import ClassStore

log = logging.getLogger(__name__)

EVERY = 3600.0  # seconds between two looks; what has ended is found by nobody meanwhile


def keep_ending(store: ClassStore, ended: Event) -> None:
    """Begin to remove classes whose time is over, until the event is set."""
    Thread(target=_work, args=(store, ended), name="classes", daemon=True).start()


def _work(store: ClassStore, ended: Event) -> None:
    while not ended.wait(EVERY):
        try:
            store.remove_ended()
        except (SQLAlchemyError, ZermeloError) as error:
            log.warning("classes that have ended could not be removed now: %s", error)
