"""The HTTP server: waitress behind our door, with a stop that lets running requests finish."""

from __future__ import annotations

import socket
import sys
from collections.abc import Callable
from time import monotonic
from typing import TYPE_CHECKING, Any

from waitress import wasyncore
from waitress.channel import HTTPChannel

from webapp.serving.http_limits import Door, Patience

if TYPE_CHECKING:
    from flask import Flask

TICK = 0.25  # seconds until a stop is noticed when nothing else happens
BACKLOG = 1024
MERCY = 5.0  # seconds that running requests are given
OTHER_FILES = 200  # open at a time beside the connections: the database, pipes, what is sent


class Server:
    """Listens from the start, so that a port in use is known before anything is set up."""

    def __init__(
        self,
        host: str,
        port: int,
        *,
        threads: int,
        connections: int,
        behind_proxy: bool,
        largest_body: Callable[[str], int],
        patience: Patience,
    ) -> None:
        family, kind, protocol, _, where = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        self._socket = socket.socket(family, kind, protocol)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6 and host == "::":  # everywhere: the older addresses as well
            self._socket.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        try:
            self._socket.bind(where)
            self._socket.listen(BACKLOG)  # whoever is early waits instead of being refused
        except OSError:
            self._socket.close()
            raise
        self.port: int = self._socket.getsockname()[1]
        self._stopping = False
        self._settings: dict[str, Any] = {
            "threads": threads,
            "connection_limit": min(connections, files_allowed(connections) - OTHER_FILES),
            "clear_untrusted_proxy_headers": not behind_proxy,
            "largest_body": largest_body,
            "patience": patience,
        }

    def stop(self) -> None:
        """Ask `run` to come to an end; safe in a signal handler."""
        self._stopping = True

    def run(self, app: Flask) -> None:
        """Serve until told to stop, then finish what was begun."""
        sockets: dict[int, Any] = {}
        where = self._socket
        door = Door(
            app,
            sockets,
            _sock=where,
            bind_socket=False,
            sockinfo=(where.family, where.type, where.proto, where.getsockname()),
            ident="zermelo",
            **self._settings,
        )
        while not self._stopping:
            door.make_room()
            _look(sockets)
        door.accepting = False
        until = monotonic() + MERCY
        while _busy(sockets) and monotonic() < until:
            _look(sockets)
        door.task_dispatcher.shutdown()
        wasyncore.close_all(sockets)


def files_allowed(connections: int) -> int:
    """How many files this process may have open, raised as far as the connections need it."""
    if sys.platform == "win32":
        return connections + OTHER_FILES
    import resource

    now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = connections + OTHER_FILES
    if now != resource.RLIM_INFINITY and now < wanted:
        now = wanted if most == resource.RLIM_INFINITY else min(wanted, most)
        resource.setrlimit(resource.RLIMIT_NOFILE, (now, most))
    return wanted if now == resource.RLIM_INFINITY else now


def _look(sockets: dict[int, Any]) -> None:
    """Read and write what can be. By poll: select gives up at the 1024th file."""
    wasyncore.loop(timeout=TICK, use_poll=True, map=sockets, count=1)


def _busy(sockets: dict[int, Any]) -> bool:
    """Whether a request is being answered, or its answer still on the way out."""
    return any(
        channel.requests or channel.total_outbufs_len
        for channel in sockets.values()
        if isinstance(channel, HTTPChannel)
    )
