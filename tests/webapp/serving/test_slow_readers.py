"""Clients that ask and do not read: they wait for themselves alone."""

import socket
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection
from threading import Event, Thread

import pytest

from tests.webapp.serving.test_http_limits import heard
from webapp.config import HttpLimits
from webapp.serving.http_limits import LimitedChannel
from webapp.serving.server import Server

LARGE = 900_000  # bytes of a page
AHEAD = 8  # pages of which sockets and buffers have room before they are read: Linux takes 4 MB
MANY = 50  # requests that are sent without a look at an answer
THREADS = 2
SECONDS = 120  # for anything that is waited for, on a machine that is busy


class Pages:
    """An app of large pages that counts how often it was asked."""

    def __init__(self):
        self.asked = []

    def __call__(self, environ, start_response):
        path = environ["PATH_INFO"]
        self.asked.append(path)
        body = b"ok" if path == "/healthz" else path.encode().ljust(LARGE, b".")
        start_response("200 OK", [("Content-Length", str(len(body)))])
        return [body]


@contextmanager
def serving(pages, **timeouts):
    server = Server(
        "127.0.0.1",
        0,
        HttpLimits(connections=100, largest_body=1000, larger_bodies=(), **timeouts),
        threads=THREADS,
        behind_proxy=False,
    )
    thread = Thread(target=server.run, args=(pages,), daemon=True)
    thread.start()
    try:
        yield server.port
    finally:
        server.stop()
        thread.join(SECONDS)


@pytest.fixture
def pages():
    return Pages()


def asks(port, *paths):
    """A client that sends its requests at once and takes little of what comes back."""
    line = socket.socket()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    line.settimeout(SECONDS)
    line.connect(("127.0.0.1", port))
    line.sendall(b"".join(f"GET {path} HTTP/1.1\r\n\r\n".encode() for path in paths))
    return line


def health(port):
    connection = HTTPConnection("127.0.0.1", port, timeout=SECONDS)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().read()
    finally:
        connection.close()


def test_readers_who_do_not_read_keep_nobody_else_waiting(pages):
    with serving(pages) as port, ExitStack() as readers:
        for number in range(2 * THREADS):
            readers.enter_context(asks(port, *[f"/{number}"] * MANY))
        # Each waits its turn behind the readers': who gets far ahead has taken every thread.
        assert [health(port) for _ in range(MANY)] == [b"ok"] * MANY
        assert len(pages.asked) - MANY <= 2 * THREADS * AHEAD


def test_requests_sent_at_once_are_answered_one_after_another(pages):
    paths = [f"/{number}" for number in range(3 * AHEAD)]
    with (
        serving(pages) as port,
        asks(port, *paths) as reader,
        reader.makefile("rb") as answers,
    ):
        for number, path in enumerate(paths):
            assert answers.readline() == b"HTTP/1.1 200 OK\r\n"
            assert len(pages.asked) <= number + AHEAD
            while answers.readline() != b"\r\n":
                pass
            assert answers.read(LARGE).rstrip(b".") == path.encode()
    assert pages.asked == paths


def test_a_reader_who_takes_nothing_is_sent_away(pages, monkeypatch):
    closed, close = Event(), LimitedChannel.handle_close

    def seen(channel):
        close(channel)
        closed.set()

    monkeypatch.setattr(LimitedChannel, "handle_close", seen)
    with serving(pages, idle=1.0) as port, asks(port, *["/"] * MANY) as reader:
        assert closed.wait(SECONDS)
        assert len(heard(reader)) < AHEAD * LARGE
