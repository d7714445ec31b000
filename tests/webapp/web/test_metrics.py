"""What an operator sees: figures for Prometheus, a line for each request, and its id."""

import json
import logging

import pytest

from tests.webapp.classroom.people import Teacher
from tests.webapp.jobs.working import a_training
from tests.webapp.visitor import Visitor
from webapp.jobs.store import JobStore
from webapp.services import NAME
from webapp.serving.logs import OneObject, RequestIds
from webapp.web.access_log import visitor_id

SECRET = "a token of the operator"


@pytest.fixture
def read():
    """Reads metrics with Prometheus's own parser, by name and labels in their order."""
    parser = pytest.importorskip("prometheus_client.parser", reason="the extra [production]")

    def read(client, **given):
        answer = client.get("/metrics", **given)
        assert answer.status_code == 200, answer.text
        return {
            (sample.name, *(sample.labels[name] for name in sorted(sample.labels))): sample.value
            for family in parser.text_string_to_metric_families(answer.text)
            for sample in family.samples
        }

    return read


def test_requests_are_counted_by_route_method_and_status(app, read):
    visitor = Visitor(app)
    visitor.begins("tictactoe", "person")
    for _ in range(3):
        visitor.get(visitor.path)
    visitor.get("/nowhere")
    visitor.get("/nowhere/else")
    found = read(visitor.client)
    match = "/matches/<match_id>"
    assert found["zermelo_requests_total", "GET", match, "200"] == 4  # `begins` looks once
    assert found["zermelo_requests_total", "POST", "/matches", "303"] == 1
    assert found["zermelo_requests_total", "any", "none", "404"] == 2
    assert found["zermelo_request_seconds_count", match] == 4
    assert found["zermelo_request_seconds_bucket", "+Inf", match] == 4
    assert 0 < found["zermelo_request_seconds_sum", match] < 60
    assert not any(visitor.path in str(key) for key in found)  # no id of a match


def test_what_is_under_way_is_told(app, read, monkeypatch):
    monkeypatch.setattr("webapp.web.health.REFRESH_WAIT_S", 60)
    Teacher(app)
    jobs = app.extensions[NAME][JobStore]
    jobs.begin(a_training(owner="1" * 32))
    jobs.ask_to_cancel(jobs.begin(a_training(owner="2" * 32)).id)
    found = read(app.test_client())
    assert found["zermelo_jobs", "queued"] == 1
    assert found["zermelo_jobs", "cancelled"] == 1
    assert found["zermelo_jobs", "running"] == 0
    assert found["zermelo_classes",] == 1
    assert found["zermelo_bots",] == found["zermelo_bots_here",] == 0
    assert found["zermelo_thoughts", "waiting"] == found["zermelo_thoughts", "running"] == 0
    assert found["zermelo_ready", "database"] == 1
    assert found["zermelo_database_bytes",] > 10_000
    assert found["zermelo_memory_bytes", "web"] > 1 << 20


@pytest.mark.parametrize(
    ("address", "host", "token", "status"),
    [
        ("127.0.0.1", "localhost", None, 200),
        ("::1", "[::1]:8000", None, 200),
        ("192.0.2.7", "localhost", None, 403),
        ("127.0.0.1", "school.example", None, 403),  # a proxy's visitor
        ("192.0.2.7", "school.example", SECRET, 200),
        ("127.0.0.1", "localhost", "another token", 403),
    ],
)
def test_metrics_are_for_this_machine_or_with_the_token(start, address, host, token, status):
    pytest.importorskip("prometheus_client", reason="the extra [production]")
    trusted = ("localhost", "[::1]", "school.example")
    app = start(metrics_token=SECRET, trusted_hosts=trusted)
    headers = {"Host": host} | ({"Authorization": f"Bearer {token}"} if token else {})
    answer = app.test_client().get(
        "/metrics", headers=headers, environ_overrides={"REMOTE_ADDR": address}
    )
    assert answer.status_code == status


def test_every_response_has_an_id_which_its_lines_in_the_log_have_too(app, caplog, monkeypatch):
    monkeypatch.setattr("webapp.lobby.routes.find_entry", lambda key: 1 / 0)
    with caplog.at_level(logging.INFO):
        caplog.handler.addFilter(RequestIds())
        answer = Visitor(app).post("/matches", {"game": "nim"})
    found = answer.headers["X-Request-ID"]
    assert f"noted as {found}" in answer.text
    lines = [json.loads(OneObject().format(record)) for record in caplog.records]
    failed, done = (line for line in lines if line["logger"].startswith("webapp"))
    assert failed["request"] == done["request"] == found
    assert "ZeroDivisionError" in failed["message"]
    assert (done["method"], done["route"], done["status"]) == ("POST", "/matches", 500)
    assert done["address"] == "127.0.0.1"


def test_a_line_names_the_route_and_the_visitor_but_no_secret(app, caplog):
    visitor = Visitor(app)
    visitor.begins("tictactoe", "person")
    with caplog.at_level(logging.INFO):
        visitor.get(f"{visitor.path}?hint=1")
    (line,) = (record.getMessage() for record in caplog.records if record.name == "webapp.requests")
    owner = visitor.match.record.owner
    assert line.startswith("GET /matches/<match_id> 200 in ")
    assert visitor_id(owner) in line
    assert owner not in line
    assert visitor.path not in line


@pytest.mark.parametrize(("trusted", "kept"), [(True, True), (False, False)])
def test_the_id_of_a_proxy_is_taken_where_there_is_one(config, trusted, kept):
    from dataclasses import replace

    from tests.webapp.visitor import AtOnce
    from webapp.app import close, make_app

    app = make_app(replace(config, behind_proxy=trusted), AtOnce)
    given = {"X-Request-ID": "from-the-proxy.7"}
    assert (
        app.test_client().get("/healthz", headers=given).headers["X-Request-ID"]
        == given["X-Request-ID"]
    ) is kept
    bad = app.test_client().get("/healthz", headers={"X-Request-ID": "a b\tc" * 40})
    assert len(bad.headers["X-Request-ID"]) == 16
    close(app)
