"""Limits at the socket: what a request may send, how long it takes, who goes when it is full."""

import socket
from contextlib import ExitStack

import pytest
from waitress.adjustments import Adjustments

from tests.webapp.serving.process import Browser, ServerProcess
from webapp.config import HttpLimits
from webapp.serving.http_limits import (
    MAX_DISCARDED_BYTES,
    MIN_BYTES_PER_S,
    LimitedChannel,
    LimitedParser,
)
from webapp.serving.server import OTHER_FILES, raise_file_limit

MOST = 1000
FORM = b"Content-Type: application/x-www-form-urlencoded\r\nSec-Fetch-Site: same-origin\r\n"


def parsed(*pieces, path="/matches"):
    """A request as its pieces arrive; those after its end are left."""
    settings = Adjustments()
    settings.largest_body = lambda at: 5 * MOST if at.startswith("/brains") else MOST
    parser = LimitedParser(settings)
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\n".encode()
    for piece in (head, *pieces):
        parser.received(piece)
        if parser.completed:
            break
    return parser


def length(number):
    return f"Content-Length: {number}\r\n\r\n".encode()


@pytest.mark.parametrize(
    ("path", "size"), [("/matches", MOST), ("/brains/mine", 5 * MOST)], ids=["usual", "more"]
)
def test_of_a_body_a_little_too_large_nothing_is_kept_and_the_app_may_say_so(path, size):
    taken = parsed(length(size), b"x" * size, path=path)
    assert (taken.error, taken.get_body_stream().read()) == (None, b"x" * size)
    refused = parsed(length(size + 1), b"x" * (size + 1), path=path)
    assert (refused.completed, refused.error) == (True, None)
    assert refused.get_body_stream().read() == b""
    assert refused.headers["CONTENT_LENGTH"] == str(size + 1)


@pytest.mark.parametrize("expect", [b"", b"Expect: 100-continue\r\n"])
def test_a_body_far_too_large_is_refused_before_it_is_sent(expect):
    parser = parsed(expect + length(MAX_DISCARDED_BYTES + 1))
    assert parser.completed
    assert parser.error.code == 413
    assert not parser.expect_continue


def test_a_body_in_chunks_is_refused_as_soon_as_it_is_too_large():
    chunk = b"190\r\n" + b"x" * 400 + b"\r\n"
    parser = parsed(b"Transfer-Encoding: chunked\r\n\r\n", *[chunk] * 5)
    assert parser.error.code == 413
    assert parser.body_bytes_received < MOST + 2 * len(chunk)


@pytest.mark.parametrize(
    ("line", "path"),
    [(b"Content-Length: " + b"9" * 5000 + b"\r\n\r\n", "/"), (b"\r\n", "http://[")],
    ids=["a length of thousands of digits", "an address that is none"],
)
def test_what_cannot_be_read_is_a_bad_request(line, path):
    assert parsed(line, path=path).error.code == 400


class Connection(LimitedChannel):
    """One that was never opened."""

    def __init__(self, **state):
        self.requests, self.request, self.total_outbufs_len = [], None, 0
        self.free_since = self.last_activity = self._began = 0.0
        self.has_requested = False
        self.__dict__.update(state)


PATIENCE = HttpLimits(request=20, idle=60)
ASKED = [parsed(length(0))]
OVERDUE = {
    "silent": ({}, 20),
    "between requests": ({"has_requested": True}, 60),
    "takes nothing": ({"total_outbufs_len": 1}, 60),
    "takes nothing of many": ({"total_outbufs_len": 1, "requests": ASKED}, 60),
    "half a body": ({"request": parsed(length(10), b"x")}, 20 + 10 / MIN_BYTES_PER_S),
    "half a header": ({"request": parsed(b"Cookie: half")}, 20),
}


@pytest.mark.parametrize("name", OVERDUE)
def test_a_connection_has_its_time_and_no_longer(name):
    state, seconds = OVERDUE[name]
    assert not Connection(**state).is_overdue(seconds, PATIENCE)
    assert Connection(**state).is_overdue(seconds + 0.1, PATIENCE)


def test_whoever_is_answered_and_has_nothing_to_take_yet_is_never_overdue():
    assert not Connection(requests=ASKED).is_overdue(1e9, PATIENCE)


def test_of_requests_that_come_at_once_one_is_parsed():
    parser = parsed(length(2), b"ab" + b"GET /next HTTP/1.1\r\n\r\n")
    assert parser.get_body_stream().read() == b"ab"
    assert parser.ahead == b"GET /next HTTP/1.1\r\n\r\n"


def test_a_request_without_a_body_is_not_waited_for():
    assert not parsed(b"Expect: 100-continue\r\n\r\n").expect_continue


def test_there_are_files_for_every_connection_and_for_all_else():
    assert raise_file_limit(300) >= 300 + OTHER_FILES


def opened(port, sent=b""):
    connection = socket.create_connection(("127.0.0.1", port), timeout=120)
    connection.sendall(sent)
    return connection


def heard(connection):
    """All that comes until the other side has had enough."""
    parts = []
    try:
        while part := connection.recv(65536):
            parts.append(part)
    except ConnectionResetError:  # it left what we had sent lying
        pass
    return b"".join(parts)


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    limits = {"CONNECTIONS": "20", "REQUEST_SECONDS": "1", "WORKERS": "1"}
    settings = {f"ZERMELO_{name}": value for name, value in limits.items()}
    running = ServerProcess(tmp_path_factory.mktemp("limits"), **settings)
    yield running
    running.end()


@pytest.mark.slow
def test_idle_connections_do_not_keep_anyone_out(server):
    with ExitStack() as idle:
        for _ in range(60):
            idle.enter_context(opened(server.port))
        answer, text = Browser(server.port).request("GET", "/healthz")
    assert (answer.status, text) == (200, "ok\n")


@pytest.mark.slow
def test_whoever_never_finishes_a_request_or_sends_too_much_is_sent_away(server):
    """In one test, since they share a server and each waits for it alone."""
    for sent in (b"", b"GET / HTTP/1.1\r\nHost: loc", b"\r\n"):
        with opened(server.port, sent) as connection:
            assert heard(connection) == b""
    head = b"POST /matches/import HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" + FORM
    with opened(server.port, head + length(600_000) + b"x" * 600_000) as connection:
        said = heard(connection)
    assert said.startswith(b"HTTP/1.1 413 ")
    assert b"That is too much at once" in said
    with opened(server.port, head + length(1 << 30)) as connection:
        assert heard(connection).startswith(b"HTTP/1.1 413 ")


@pytest.mark.slow
def test_what_cannot_be_read_is_refused_in_words(server):
    for line in (b"Authorization: Bearer \x01\r\n", b"no colon\r\n", b"Content-Length: x\r\n"):
        sent = b"GET /api/1/turn HTTP/1.1\r\nHost: localhost\r\n" + line + b"\r\n"
        with opened(server.port, sent) as connection:
            assert b" 400 Bad Request" in heard(connection), line
