"""The door: what a request may send, how long it may take, and who goes when it is full."""

import socket
from contextlib import ExitStack

import pytest
from waitress.adjustments import Adjustments

from tests.webapp.serving.process import Browser
from webapp.serving.http_limits import (
    MAX_DISCARDED_BYTES,
    MIN_BYTES_PER_S,
    ConnectionTimeouts,
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


def test_a_body_within_the_bound_is_taken():
    parser = parsed(length(MOST), b"x" * MOST)
    assert parser.error is None
    assert parser.get_body_stream().read() == b"x" * MOST


def test_of_a_body_a_little_too_large_nothing_is_kept_and_the_app_may_say_so():
    parser = parsed(length(MOST + 1), b"x" * (MOST + 1))
    assert (parser.completed, parser.error) == (True, None)
    assert parser.get_body_stream().read() == b""
    assert parser.headers["CONTENT_LENGTH"] == str(MOST + 1)


def test_a_body_far_too_large_is_refused_before_it_is_sent():
    parser = parsed(length(MAX_DISCARDED_BYTES + 1))
    assert parser.completed
    assert parser.error.code == 413


def test_whoever_asks_first_whether_to_send_it_is_not_told_to_go_on():
    parser = parsed(b"Expect: 100-continue\r\n" + length(MAX_DISCARDED_BYTES + 1))
    assert parser.error.code == 413
    assert not parser.expect_continue


def test_a_body_in_chunks_is_refused_as_soon_as_it_is_too_large():
    chunk = b"190\r\n" + b"x" * 400 + b"\r\n"
    parser = parsed(b"Transfer-Encoding: chunked\r\n\r\n", chunk, chunk, chunk, chunk, chunk)
    assert parser.error.code == 413
    assert parser.body_bytes_received < MOST + 2 * len(chunk)


def test_where_more_may_be_sent_more_is_taken():
    parser = parsed(length(5 * MOST), b"x" * 5 * MOST, path="/brains/mine")
    assert parser.get_body_stream().read() == b"x" * 5 * MOST


@pytest.mark.parametrize("line", [b"Content-Length: " + b"9" * 5000 + b"\r\n\r\n"])
def test_a_length_of_thousands_of_digits_is_a_bad_request(line):
    assert parsed(line).error.code == 400


def test_an_address_that_is_none_is_a_bad_request():
    assert parsed(b"\r\n", path="http://[").error.code == 400


class Connection(LimitedChannel):
    """One that was never opened."""

    def __init__(self, **state):
        self.requests, self.request, self.total_outbufs_len = [], None, 0
        self.free_since = self.last_activity = self._began = 0.0
        self.has_requested = False
        self.__dict__.update(state)


PATIENCE = ConnectionTimeouts(request=20, idle=60)


@pytest.mark.parametrize(
    ("state", "seconds"),
    [
        ({}, 20),
        ({"has_requested": True}, 60),
        ({"total_outbufs_len": 1}, 60),
        ({"total_outbufs_len": 1, "requests": [parsed(length(0))]}, 60),
        ({"request": parsed(length(10), b"x")}, 20 + 10 / MIN_BYTES_PER_S),
        ({"request": parsed(b"Cookie: half")}, 20),
    ],
    ids=[
        "silent",
        "between requests",
        "takes nothing",
        "takes nothing of many",
        "half a body",
        "half a header",
    ],
)
def test_a_connection_has_its_time_and_no_longer(state, seconds):
    assert not Connection(**state).is_overdue(seconds, PATIENCE)
    assert Connection(**state).is_overdue(seconds + 0.1, PATIENCE)


def test_whoever_is_answered_and_has_nothing_to_take_yet_is_never_overdue():
    assert not Connection(requests=[parsed(length(0))]).is_overdue(1e9, PATIENCE)


def test_of_requests_that_come_at_once_one_is_parsed():
    parser = parsed(length(2), b"ab" + b"GET /next HTTP/1.1\r\n\r\n")
    assert parser.get_body_stream().read() == b"ab"
    assert parser.ahead == b"GET /next HTTP/1.1\r\n\r\n"


def test_a_request_without_a_body_is_not_waited_for():
    assert not parsed(b"Expect: 100-continue\r\n\r\n").expect_continue


def test_there_are_files_for_every_connection_and_for_all_else():
    assert raise_file_limit(300) >= 300 + OTHER_FILES


def opened(port, sent=b""):
    connection = socket.create_connection(("127.0.0.1", port), timeout=30)
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
    from tests.webapp.serving.process import ServerProcess

    running = ServerProcess(
        tmp_path_factory.mktemp("door"),
        ZERMELO_CONNECTIONS="20",
        ZERMELO_REQUEST_SECONDS="1",
        ZERMELO_WORKERS="1",
    )
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
@pytest.mark.parametrize("sent", [b"", b"GET / HTTP/1.1\r\nHost: loc", b"\r\n"])
def test_whoever_never_finishes_a_request_is_sent_away(server, sent):
    with opened(server.port, sent) as connection:
        assert heard(connection) == b""


@pytest.mark.slow
def test_a_form_that_is_too_large_is_answered_with_a_page(server):
    head = b"POST /matches/import HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" + FORM
    with opened(server.port, head + length(600_000) + b"x" * 600_000) as connection:
        said = heard(connection)
    assert said.startswith(b"HTTP/1.1 413 ")
    assert b"That is too much at once" in said


@pytest.mark.slow
def test_a_gigabyte_is_refused_by_its_announcement(server):
    head = b"POST /matches/import HTTP/1.1\r\nHost: localhost\r\n" + FORM
    with opened(server.port, head + length(1 << 30)) as connection:
        assert heard(connection).startswith(b"HTTP/1.1 413 ")
