"""Writers take turns, and where the database is locked they do not wait in a row."""

import sqlite3
from contextlib import closing
from threading import Event, Thread

import pytest

from tests.webapp.visitor import HTMX, OWN_PAGE
from webapp.storage.database import BusyDatabaseError, WriterSlots


@pytest.fixture
def holder():
    """Someone who has the only turn until let go."""
    slots, has_it, may_go = WriterSlots(1, timeout=0.01), Event(), Event()

    def hold():
        with slots.held():
            has_it.set()
            may_go.wait(60)

    thread = Thread(target=hold)
    thread.start()
    assert has_it.wait(60)
    yield slots, may_go, thread
    may_go.set()
    thread.join()


def refused(slots):
    with pytest.raises(BusyDatabaseError, match="nothing was changed"), slots.held():
        pytest.fail("there was a turn")


def test_after_one_has_waited_in_vain_nobody_waits_until_a_turn_goes_well(holder):
    slots, may_go, thread = holder
    refused(slots)
    slots._timeout = 3600  # seconds that the second would wait
    refused(slots)
    may_go.set()
    thread.join()
    with slots.held():
        slots.succeeded()
    assert not slots._stuck


@pytest.fixture
def locked(visitor, database):
    """The visitor's match, and the database locked by someone else."""
    visitor.begins("tictactoe", "person")
    path = database.removeprefix("sqlite:///")
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield visitor


@pytest.mark.slow
def test_while_another_process_writes_a_move_is_refused_and_reading_goes_on(locked):
    fields = {"move": "b2", "revision": 0}
    answer = locked.post(f"{locked.path}/moves", fields, headers=OWN_PAGE | HTMX)
    assert answer.status_code == 503
    assert answer.headers["Retry-After"]
    assert locked.get(locked.path).status_code == 200
    assert locked.get("/").status_code == 200
    assert locked.record["moves"] == []
