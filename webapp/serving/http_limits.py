"""Limits of the HTTP server: body size, timeouts, and which connections to close when it is full.

All are enforced in the thread that polls the sockets, before a request takes a web thread or disk.
A connection has one request at a time: the next is parsed once the response to the one before was
read. So a client that pipelines a hundred requests and reads nothing costs one response, and no
web thread ever waits for a slow reader.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from io import BytesIO
from time import time
from typing import Any

from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser, ParsingError
from waitress.receiver import FixedStreamReceiver
from waitress.server import TcpWSGIServer
from waitress.task import WSGITask
from waitress.utilities import RequestEntityTooLarge

from webapp.config import HttpLimits
from webapp.serving.turns import WAITING_BOTS, FairDispatcher

MAX_HEADER_BYTES = 16 * 1024  # of all header lines of a request
# A body that is too large is read and discarded up to here, so that an error page can be sent.
MAX_DISCARDED_BYTES = 1 << 20
SWEEP_INTERVAL_S = 1.0  # between two checks for connections that are overdue
MIN_BYTES_PER_S = 32 * 1024  # of a slow sender, whose timeout grows with the length of the body
NO_WATERMARK = sys.maxsize  # bytes buffered at which a web thread would wait for its reader


class DiscardedBody(BytesIO):
    """A buffer that stores nothing."""

    def append(self, data: bytes) -> None:
        return None

    def getfile(self) -> BytesIO:
        return BytesIO()

    def __len__(self) -> int:
        return 0


class LimitedParser(HTTPRequestParser):
    """Refuses a body as soon as it is known to be too large."""

    path: str
    ahead = b""  # bytes received after the request, before its response

    def parse_header(self, header_plus: bytes) -> None:
        try:
            super().parse_header(header_plus)
        except ValueError as error:  # a length of thousands of digits, an address such as http://[
            raise ParsingError("Header cannot be read") from error
        if self._max_body < self.content_length <= MAX_DISCARDED_BYTES:
            # The app sees the length, reads nothing, and responds with a page.
            nothing: Any = DiscardedBody()
            self.body_rcv = FixedStreamReceiver(self.content_length, nothing)

    def received(self, data: bytes) -> int:
        consumed = super().received(data)
        if self.error is None and self.headers_finished and self._is_too_large:
            self.error = RequestEntityTooLarge(f"at most {self._max_body:,} bytes may be sent here")
            self.completed = True
        if self.completed:
            self.expect_continue = False  # or the client would be told to go on
        if self.completed and not self.empty:
            self.ahead = data[consumed:]
            return len(data)  # or the channel would parse the next request
        return consumed

    @property
    def _is_too_large(self) -> bool:
        if self.chunked:
            return self.body_bytes_received > self._max_body
        return self.content_length > max(self._max_body, MAX_DISCARDED_BYTES)

    @property
    def _max_body(self) -> int:
        largest: Callable[[str], int] = self.adj.largest_body  # type: ignore[attr-defined]
        return largest(self.path)


class LimitedTask(WSGITask):
    """A request that knows how many of bots wait."""

    def get_environment(self) -> dict[str, Any]:
        environment: dict[str, Any] = super().get_environment()
        server: LimitedServer = self.channel.server  # type: ignore[assignment]
        environment[WAITING_BOTS] = server.task_dispatcher.waiting_bots
        return environment


class LimitedChannel(HTTPChannel):
    """A connection that knows how long it has been waited for."""

    task_class = LimitedTask
    parser_class = LimitedParser
    server: LimitedServer
    requests: list[LimitedParser]  # one, while its response is made

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self.free_since = self.creation_time  # when it was opened, or last responded to
        self.has_requested = False
        self._began = 0.0  # when the request began that is being received
        self._ahead = b""  # pipelined requests, not parsed yet

    def readable(self) -> bool:
        return self.connected and not self._ahead and bool(super().readable())

    def writable(self) -> bool:
        return self.connected and (self._has_next or bool(super().writable()))

    def handle_write(self) -> None:
        super().handle_write()
        if self._has_next:
            ahead, self._ahead = self._ahead, b""
            self.received(ahead)

    @property
    def _has_next(self) -> bool:
        """Whether the last response was read and another request is waiting."""
        free = self.connected and not self.requests and not self.total_outbufs_len
        return free and bool(self._ahead)

    def received(self, data: bytes) -> bool:
        before = self.request
        taken = super().received(data)
        if self.request is not before:
            self._began = time()
        return taken

    def write_soon(self, data: Any) -> int:
        if not self.total_outbufs_len:
            self.last_activity = time()  # the timeout starts when there is something to read
        return super().write_soon(data)

    def service(self) -> None:
        self._ahead = self.requests[0].ahead
        self.server.running.add(self)
        super().service()
        self.has_requested = True
        self.free_since = time()

    def is_overdue(self, now: float, limits: HttpLimits) -> bool:
        """Whether a timeout has passed: for sending a request, or for reading the response."""
        if self.total_outbufs_len:
            return now - self.last_activity > limits.idle
        if self.requests:
            return False
        if (part := self.request) is not None:
            return now - self._began > limits.request + part.content_length / MIN_BYTES_PER_S
        return now - self.free_since > (limits.idle if self.has_requested else limits.request)


class LimitedServer(TcpWSGIServer):
    """A waitress server with these limits; when it is full, idle connections are closed."""

    channel_class = LimitedChannel
    task_dispatcher: FairDispatcher
    active_channels: dict[int, LimitedChannel]  # type: ignore[assignment]

    def __init__(
        self,
        *arguments: Any,
        limits: HttpLimits,
        running: set[Any],
        **settings: Any,
    ) -> None:
        """`running` is told the channels whose responses are being made."""
        self.running = running
        super().__init__(
            *arguments,
            max_request_header_size=MAX_HEADER_BYTES,
            cleanup_interval=SWEEP_INTERVAL_S,
            log_socket_errors=False,  # clients that disconnect early are normal
            outbuf_high_watermark=NO_WATERMARK,
            **settings,
        )
        self.adj.largest_body = limits.body_bound  # type: ignore[attr-defined]
        self._limits = limits

    def maintenance(self, now: float) -> None:
        """Close the connections that are overdue.

        At once: `will_close` takes effect at the next write, which never comes for a client that
        reads nothing.
        """
        for channel in list(self.active_channels.values()):
            if channel.is_overdue(now, self._limits):
                channel.handle_close()

    def make_room(self) -> None:
        """When it is full, close a tenth of the connections that have no request running.

        Those of the address with most connections go first, the longest idle before others.
        """
        limit: int = self.adj.connection_limit
        if len(self._map) < limit:  # type: ignore[attr-defined]
            return
        channels = list(self.active_channels.values())
        by_address = Counter(channel.addr[0] for channel in channels)
        waiting = [channel for channel in channels if not channel.requests]
        waiting.sort(key=lambda channel: (-by_address[channel.addr[0]], channel.free_since))
        gone = waiting[: max(1, limit // 10)]
        for channel in gone:
            channel.handle_close()
        self.logger.warning("%d connections are open: %d that waited are closed", limit, len(gone))
