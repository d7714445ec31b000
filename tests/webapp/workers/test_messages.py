"""What pages and probes say of the pool: busy, hurried, replaced, ready."""

import pytest

from tests.webapp.visitor import HTMX, OWN_PAGE, AtOnce, Never, Visitor
from webapp.workers.pool import WorkerPool


def test_a_busy_server_says_when_to_come_back(start):
    visitor = Visitor(start(Never, pool_queue=1))
    visitor.begins("tictactoe", "perfect", starts="opponent")
    visitor.begins("tictactoe", "perfect", starts="opponent")
    answer = visitor.does("reply", headers=OWN_PAGE | HTMX)
    assert answer.status_code == 503
    assert answer.headers["Retry-After"] == "2"
    assert visitor.template == "replays/_answer.html"


def test_who_only_looks_gets_a_short_thought_in_a_crowd_and_is_told_so(start, monkeypatch):
    monkeypatch.setattr(AtOnce, "crowded", True)
    visitor = Visitor(start(AtOnce, think_seconds=5.0))
    visitor.begins("tictactoe", "person")
    assert visitor.at("?values=1&agent=perfect").analysis.hurried


def test_a_substitute_move_is_played_and_the_board_says_so(visitor, monkeypatch):
    # As in a match that was stored before forms refused it.
    monkeypatch.setattr("webapp.lobby.forms.ready_spec", lambda spec, game, seconds: spec)
    visitor.begins("tictactoe", "random", **{"opponent.random.by": "heap"})
    visitor.moves("b2")
    match = visitor.hears()
    assert match.ply == 2
    assert match.message.text == (
        "Random · by heap fails to answer: any legal move was played in its place: "
        "random:by=heap cannot play tictactoe: it has no heaps."
    )


@pytest.mark.stores
def test_ready_means_that_database_and_workers_answer(visitor):
    answer = visitor.client.get("/readyz")
    assert answer.status_code == 200
    assert answer.json == {"database": True, "workers": True, "jobs": True}


def test_up_means_that_the_server_answers(visitor):
    assert visitor.client.get("/healthz").text == "ok\n"


def test_without_its_workers_the_server_is_not_ready(start):
    app = start(AtOnce)
    app.extensions["zermelo"][WorkerPool].close()
    answer = app.test_client().get("/readyz")
    assert answer.status_code == 503
    assert answer.json == {"database": True, "workers": False, "jobs": True}
