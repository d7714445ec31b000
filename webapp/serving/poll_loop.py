"""The thread that reads and writes all sockets: it asks only those for news that may have any.

waitress asks every open connection before every poll whether it wants to read or to write; with a
hundred open that is half of all the processor time a server of Python has.
"""

from __future__ import annotations

from selectors import EVENT_READ, EVENT_WRITE, DefaultSelector
from typing import Any

from waitress import wasyncore


class SocketMap(dict[int, Any]):
    """waitress's channels by file descriptor; notes which are new, and forgets which are gone."""

    def __init__(self, selector: DefaultSelector) -> None:
        super().__init__()
        self._selector = selector
        self.changed: set[int] = set()  # descriptors of channels to ask what they wait for

    def __setitem__(self, descriptor: int, channel: Any) -> None:
        super().__setitem__(descriptor, channel)
        self.changed.add(descriptor)

    def __delitem__(self, descriptor: int) -> None:
        """Before the socket is closed, whose number the next may get."""
        super().__delitem__(descriptor)
        self.changed.discard(descriptor)
        if descriptor in self._selector.get_map():
            self._selector.unregister(descriptor)


class PollLoop:
    """Polls the sockets of a server.

    What a channel waits for changes when its socket was read or written, here, or while a web
    thread makes its response: such a channel is in `running` until it is seen to have ended.
    """

    def __init__(self) -> None:
        self._selector = DefaultSelector()
        self.sockets = SocketMap(self._selector)
        self.running: set[Any] = set()  # web threads add to it, and only this one removes

    def poll(self, listener: Any, timeout: float) -> None:
        """Read and write what is ready, or becomes so within the timeout."""
        self._watch(listener)  # it also closes connections that are overdue
        for served in tuple(self.running):
            if not served.requests:
                self.running.discard(served)
            self._watch(served)
        while self.sockets.changed:
            self._watch(self.sockets[self.sockets.changed.pop()])
        for key, events in self._selector.select(timeout):
            channel: Any = self.sockets.get(key.fd)
            if channel is None:  # closed by what came before it
                continue
            self.sockets.changed.add(key.fd)
            if events & EVENT_READ:
                wasyncore.read(channel)
            if events & EVENT_WRITE and key.fd in self.sockets:
                wasyncore.write(channel)

    def close(self) -> None:
        wasyncore.close_all(self.sockets)
        self._selector.close()

    def _watch(self, channel: Any) -> None:
        """Wait for what this channel waits for, unless it was closed."""
        descriptor: int | None = channel._fileno
        if descriptor is None or descriptor not in self.sockets:
            return
        events = EVENT_READ if channel.readable() else 0
        if channel.writable() and not channel.accepting:
            events |= EVENT_WRITE
        known = self._selector.get_map().get(descriptor)
        if known is None:
            if events:
                self._selector.register(descriptor, events)
        elif not events:
            self._selector.unregister(descriptor)
        elif known.events != events:
            self._selector.modify(descriptor, events)
