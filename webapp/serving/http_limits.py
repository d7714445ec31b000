"""The door: how much a request may send, how long it may take, and who makes room when it is full.

All of it is settled in the thread at the sockets, before a request costs a web thread or the disk.
A connection has one request at a time: the next is begun once the reader has taken the answer to
the one before. So whoever asks a hundred times and reads nothing costs one answer, and no web
thread ever waits for a reader.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO
from time import time
from typing import Any

from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser, ParsingError
from waitress.receiver import FixedStreamReceiver
from waitress.server import TcpWSGIServer
from waitress.utilities import RequestEntityTooLarge

LONGEST_HEADER = 16 * 1024  # bytes of all header lines of a request
LEFT_LYING = (
    1 << 20
)  # a body up to here is let in and dropped, so that a page can say what is wrong
SWEEP = 1.0  # seconds between two looks at who is overdue
FLOW = 32 * 1024  # bytes a second that even a slow sender manages
NO_WATERMARK = sys.maxsize  # bytes in a buffer at which a web thread would wait for its reader


@dataclass(frozen=True, slots=True)
class Patience:
    """Seconds that a connection is given."""

    request: float = 20.0  # from its first byte, or since it was opened, to the whole of a request
    idle: float = 60.0  # between two requests, and without taking anything of an answer


class Dropped(BytesIO):
    """Stands where a body would be kept, and keeps none of it."""

    def append(self, data: bytes) -> None:
        return None

    def getfile(self) -> BytesIO:
        return BytesIO()

    def __len__(self) -> int:
        return 0


class DoorParser(HTTPRequestParser):
    """Refuses a body as soon as its size is known, or has become too large."""

    path: str
    ahead = b""  # what came after the request, before its answer

    def parse_header(self, header_plus: bytes) -> None:
        try:
            super().parse_header(header_plus)
        except ValueError as error:  # a length of thousands of digits, an address such as http://[
            raise ParsingError("Header cannot be read") from error
        if self._most < self.content_length <= LEFT_LYING:
            # The app sees the length, reads nothing, and answers with a page.
            nothing: Any = Dropped()
            self.body_rcv = FixedStreamReceiver(self.content_length, nothing)

    def received(self, data: bytes) -> int:
        consumed = super().received(data)
        if self.error is None and self.headers_finished and self._is_too_large:
            self.error = RequestEntityTooLarge(f"at most {self._most:,} bytes may be sent here")
            self.completed = True
        if self.completed:
            self.expect_continue = False  # or it would be told to go on
        if self.completed and not self.empty:
            self.ahead = data[consumed:]
            return len(data)  # or the channel would parse the next request
        return consumed

    @property
    def _is_too_large(self) -> bool:
        if self.chunked:
            return self.body_bytes_received > self._most
        return self.content_length > max(self._most, LEFT_LYING)

    @property
    def _most(self) -> int:
        largest: Callable[[str], int] = self.adj.largest_body  # type: ignore[attr-defined]
        return largest(self.path)


class DoorChannel(HTTPChannel):
    """One connection, which knows since when it has kept us waiting."""

    parser_class = DoorParser
    requests: list[DoorParser]  # one, while it is being answered

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self.free_since = self.creation_time  # since it was opened, or last answered
        self.has_asked = False
        self._began = 0.0  # when the request came of which a part is here
        self._ahead = b""  # requests that came before the answer to the one in hand

    def readable(self) -> bool:
        return self.connected and not self._ahead and bool(super().readable())

    def writable(self) -> bool:
        return self.connected and (self._is_next or bool(super().writable()))

    def handle_write(self) -> None:
        super().handle_write()
        if self._is_next:
            ahead, self._ahead = self._ahead, b""
            self.received(ahead)

    @property
    def _is_next(self) -> bool:
        """Whether all is answered and taken away, and more was asked meanwhile."""
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
            self.last_activity = time()  # a reader has its time from when there is something
        return super().write_soon(data)

    def service(self) -> None:
        self._ahead = self.requests[0].ahead
        super().service()
        self.has_asked = True
        self.free_since = time()

    def is_overdue(self, now: float, patience: Patience) -> bool:
        """Whether it has had its time: for a request, or for taking its answer away."""
        if self.total_outbufs_len:
            return now - self.last_activity > patience.idle
        if self.requests:
            return False
        if (part := self.request) is not None:
            return now - self._began > patience.request + part.content_length / FLOW
        return now - self.free_since > (patience.idle if self.has_asked else patience.request)


class Door(TcpWSGIServer):
    """Lets in as many as there is room for; when it is full, whoever waits longest must go."""

    channel_class = DoorChannel
    active_channels: dict[int, DoorChannel]  # type: ignore[assignment]

    def __init__(
        self,
        *arguments: Any,
        largest_body: Callable[[str], int],
        patience: Patience,
        **settings: Any,
    ) -> None:
        super().__init__(
            *arguments,
            max_request_header_size=LONGEST_HEADER,
            cleanup_interval=SWEEP,
            log_socket_errors=False,  # whoever leaves early is no news
            outbuf_high_watermark=NO_WATERMARK,
            **settings,
        )
        self.adj.largest_body = largest_body  # type: ignore[attr-defined]
        self._patience = patience

    def maintenance(self, now: float) -> None:
        """Close the connections that have had their time.

        At once: one that is told to close itself does so when its socket takes something, and that
        of a reader who takes nothing never does.
        """
        for channel in list(self.active_channels.values()):
            if channel.is_overdue(now, self._patience):
                channel.handle_close()

    def make_room(self) -> None:
        """When it is full, a tenth of the connections go: of the address that has most of them
        those first which have kept us waiting longest. Nobody is sent away who is being answered.
        """
        most: int = self.adj.connection_limit
        if len(self._map) < most:  # type: ignore[attr-defined]
            return
        channels = list(self.active_channels.values())
        from_there = Counter(channel.addr[0] for channel in channels)
        waiting = [channel for channel in channels if not channel.requests]
        waiting.sort(key=lambda channel: (-from_there[channel.addr[0]], channel.free_since))
        gone = waiting[: max(1, most // 10)]
        for channel in gone:
            channel.handle_close()
        self.logger.warning("%d connections are open: %d that waited are closed", most, len(gone))
