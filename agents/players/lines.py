"""A channel of text lines to a process, over its standard input and a pipe of replies."""

from __future__ import annotations

import os
from collections.abc import Callable
from select import select
from threading import Thread
from time import monotonic

from agents.errors import BrokenAgentError

MAX_LINE_BYTES = 1 << 20
MAX_TAIL_BYTES = 8_000  # of a log, kept for an error
CHUNK = 65_536


class LineTooLongError(BrokenAgentError):
    """A player that floods the channel of its answers."""


class LineChannel:
    """Our end, with the methods of a `Connection` that a `Worker` uses; messages are lines."""

    def __init__(self, replies: int, requests: int) -> None:
        self._replies, self._requests = replies, requests
        self._buffer = b""

    def send(self, line: str) -> None:
        os.write(self._requests, line.encode() + b"\n")

    def poll(self, seconds: float) -> bool:
        """Whether a whole line comes in time, or the end; raises LineTooLongError."""
        end = monotonic() + seconds
        while b"\n" not in self._buffer:
            ready, _, _ = select([self._replies], [], [], max(0.0, end - monotonic()))
            if not ready:
                return False
            chunk = os.read(self._replies, CHUNK)
            if not chunk:
                return True
            self._buffer += chunk
            if len(self._buffer) > MAX_LINE_BYTES:
                raise LineTooLongError("it answered more than anyone could read")
        return True

    def recv(self) -> str:
        line, found, rest = self._buffer.partition(b"\n")
        if not found:
            raise EOFError
        self._buffer = rest
        return line.decode("utf-8", "replace")

    def close(self) -> None:
        os.close(self._replies)
        os.close(self._requests)


class ChildEnd:
    """The descriptors that the process inherits, closed here once it runs."""

    def __init__(self, requests: int, replies: int) -> None:
        self.requests, self.replies = requests, replies

    def close(self) -> None:
        os.close(self.requests)
        os.close(self.replies)


def connect() -> tuple[LineChannel, ChildEnd]:
    """(our end, the process's end)."""
    requests, to_process = os.pipe()
    from_process, replies = os.pipe()
    return LineChannel(from_process, to_process), ChildEnd(requests, replies)


class LogTail:
    """Drains what a process prints, so that it never blocks; keeps the last of it."""

    def __init__(self, descriptor: int, write: Callable[[bytes], None]) -> None:
        self._descriptor, self._write = descriptor, write
        self.tail = b""
        self._thread = Thread(target=self._drain, daemon=True)
        self._thread.start()

    def _drain(self) -> None:
        with os.fdopen(self._descriptor, "rb", buffering=0) as stream:
            while chunk := stream.read(CHUNK):
                self.tail = (self.tail + chunk)[-MAX_TAIL_BYTES:]
                self._write(chunk)

    def text(self, seconds: float = 0.5) -> str:
        """The last that was printed, once the process has ended."""
        self._thread.join(seconds)
        return self.tail.decode("utf-8", "replace")
