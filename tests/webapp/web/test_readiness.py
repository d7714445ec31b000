"""Whether the server can do its work: one thread asks, and nobody waits for it."""

import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path
from threading import Event
from time import monotonic
from types import SimpleNamespace

import pytest

from agents.compute.child_process import is_stopped
from tests.webapp.jobs.working import MANY, HereAndNow, a_training
from webapp.jobs.coordinator import Coordinator
from webapp.jobs.coordinator_process import HANG_S, CoordinatorProcess
from webapp.jobs.leases import NEGLECT_S
from webapp.jobs.models import JobState
from webapp.jobs.store import JobStore
from webapp.services import NAME
from webapp.web import health
from webapp.web.health import CACHE_S, DATABASE_TIMEOUT_S, Readiness
from webapp.workers.pool import WorkerPool


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


class SlowDatabase:
    """Answers when it is let."""

    def __init__(self):
        self.asked = 0
        self.may_answer = Event()

    def __call__(self):
        self.asked += 1
        return self.may_answer.wait(60)


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture(autouse=True)
def patient(monkeypatch):
    """A check that answers is waited for, however late this machine lets its thread begin."""
    monkeypatch.setattr(health, "REFRESH_WAIT_S", 60)


@pytest.fixture
def slow():
    database = SlowDatabase()
    yield database
    database.may_answer.set()


def test_however_many_ask_a_slow_database_is_asked_once(slow, clock, monkeypatch):
    monkeypatch.setattr(health, "REFRESH_WAIT_S", 0.01)
    readiness = Readiness(slow, lambda: True, clock=clock)
    assert [readiness.now() for _ in range(20)] == [(False, True, False)] * 20
    assert slow.asked == 1


def test_an_answer_stands_for_a_moment(clock):
    asked = []
    readiness = Readiness(lambda: not asked.append(1), lambda: True, clock=clock)
    assert [readiness.now() for _ in range(20)] == [(True, True, True)] * 20
    assert len(asked) == 1
    clock.now += CACHE_S
    assert readiness.now() == (True, True, True)
    assert len(asked) == 2


def test_while_the_next_is_awaited_the_last_counts_but_not_for_long(slow, clock, monkeypatch):
    slow.may_answer.set()
    readiness = Readiness(slow, lambda: True, clock=clock)
    assert readiness.now() == (True, True, True)
    slow.may_answer.clear()
    monkeypatch.setattr(health, "REFRESH_WAIT_S", 0.01)
    clock.now += CACHE_S
    assert readiness.now() == (True, True, True)
    clock.now += DATABASE_TIMEOUT_S + 0.1
    assert readiness.now() == (False, True, False)


def test_without_a_thread_to_ask_in_nothing_is_well_until_there_is_one(clock, monkeypatch):
    def refuse(*_, **__):
        raise RuntimeError("can't start new thread")

    readiness = Readiness(lambda: True, lambda: True, clock=clock)
    with monkeypatch.context() as crowded:
        crowded.setattr(health, "Thread", refuse)
        assert readiness.now() == (False, True, False)
    clock.now += CACHE_S
    assert readiness.now() == (True, True, True)


def test_a_database_that_raises_does_not_answer(clock):
    assert Readiness(lambda: 1 / 0, lambda: True, clock=clock).now() == (False, True, False)


def test_the_page_says_which_part_is_missing(app):
    client = app.test_client()
    assert client.get("/readyz").json == {"database": True, "workers": True, "jobs": True}
    app.extensions[NAME][WorkerPool].close()
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert answer.json == {"database": True, "workers": False, "jobs": True}


def test_a_full_disk_and_a_file_that_was_moved_are_told(opened, monkeypatch):
    assert opened.is_writable()
    monkeypatch.setattr("webapp.storage.database.MIN_FREE_BYTES", 1 << 60)
    assert not opened.is_writable()
    monkeypatch.undo()
    file = Path(opened.url.database)
    file.rename(file.with_suffix(".moved"))
    assert not opened.is_writable()


def test_a_held_write_lock_is_told(opened, monkeypatch):
    monkeypatch.setattr("webapp.storage.database.BUSY_TIMEOUT_MS", 10)
    other = sqlite3.connect(opened.url.database, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    readiness = Readiness(opened.is_writable, lambda: True)
    assert readiness.now()[0] is False
    other.execute("ROLLBACK")
    other.close()
    assert Readiness(opened.is_writable, lambda: True).now()[0] is True


@pytest.mark.stores
def test_jobs_that_nobody_takes_are_told(opened):
    now = [1000.0]
    store = JobStore(opened, MANY, clock=lambda: now[0])
    first = store.begin(a_training())
    assert not store.leases.is_neglected()
    now[0] += NEGLECT_S + 1
    assert store.leases.is_neglected()
    store.leases.claim("one", 8.0, 1)
    assert store.find(first.id).state is JobState.RUNNING
    store.begin(a_training())  # waits for the owner's first
    now[0] += 7
    assert not store.leases.is_neglected()
    now[0] += NEGLECT_S + 2  # its coordinator hangs: the lease ended
    assert store.leases.is_neglected()


def test_a_worker_that_was_stopped_is_not_alive():
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    assert not is_stopped(process.pid)
    os.kill(process.pid, signal.SIGSTOP)
    try:
        until = monotonic() + 60
        while not is_stopped(process.pid):
            assert monotonic() < until
    finally:
        process.kill()
        process.communicate()
    assert not is_stopped(process.pid)


class Forked:
    """A process that lives until it is killed."""

    killed = False
    exitcode = None

    def is_alive(self):
        return not self.killed

    def join(self, seconds=None):
        return None

    def kill(self):
        self.killed = True


def test_a_coordinator_that_hangs_is_killed(config):
    process = Forked()
    watching = CoordinatorProcess(config)
    watching._watch(process, SimpleNamespace(value=monotonic() - HANG_S - 1))
    assert process.killed


def test_a_coordinator_says_that_it_goes_on(opened):
    heart, stopping = SimpleNamespace(value=0.0), Event()
    coordinator = Coordinator(JobStore(opened), HereAndNow())
    coordinator.turn = lambda _: stopping.set()
    before = monotonic()
    coordinator.run(stopping, heart)
    assert heart.value >= before
