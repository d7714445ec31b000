"""Whether the server can do its work: one thread asks, and nobody waits for it."""

from threading import Event

import pytest

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
    readiness = Readiness(slow, lambda: True, clock)
    assert [readiness.now() for _ in range(20)] == [(False, True)] * 20
    assert slow.asked == 1


def test_an_answer_stands_for_a_moment(clock):
    asked = []
    readiness = Readiness(lambda: not asked.append(1), lambda: True, clock)
    assert [readiness.now() for _ in range(20)] == [(True, True)] * 20
    assert len(asked) == 1
    clock.now += CACHE_S
    assert readiness.now() == (True, True)
    assert len(asked) == 2


def test_while_the_next_is_awaited_the_last_counts_but_not_for_long(slow, clock, monkeypatch):
    slow.may_answer.set()
    readiness = Readiness(slow, lambda: True, clock)
    assert readiness.now() == (True, True)
    slow.may_answer.clear()
    monkeypatch.setattr(health, "REFRESH_WAIT_S", 0.01)
    clock.now += CACHE_S
    assert readiness.now() == (True, True)
    clock.now += DATABASE_TIMEOUT_S + 0.1
    assert readiness.now() == (False, True)


def test_a_database_that_raises_does_not_answer(clock):
    assert Readiness(lambda: 1 / 0, lambda: True, clock).now() == (False, True)


def test_the_page_says_which_part_is_missing(app):
    client = app.test_client()
    assert client.get("/readyz").json == {"database": True, "workers": True}
    app.extensions[NAME][WorkerPool].close()
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json) == (503, {"database": True, "workers": False})
