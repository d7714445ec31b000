"""The HTTP server: waitress, with a stop that lets running requests finish."""

from __future__ import annotations

import socket
from time import monotonic
from typing import TYPE_CHECKING, Any

from waitress import wasyncore
from waitress.channel import HTTPChannel
from waitress.server import TcpWSGIServer, create_server

if TYPE_CHECKING:
    from flask import Flask

TICK = 0.25  # seconds until a stop is noticed when nothing else happens
BACKLOG = 1024
MERCY = 5.0  # seconds that running requests are given


class Server:
    """Listens from the start, so that a port in use is known before anything is set up."""

    def __init__(
        self, host: str, port: int, *, threads: int, connections: int, behind_proxy: bool
    ) -> None:
        family, kind, protocol, _, where = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        self._socket = socket.socket(family, kind, protocol)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            self._socket.bind(where)
            self._socket.listen(BACKLOG)  # whoever is early waits instead of being refused
        except OSError:
            self._socket.close()
            raise
        self.port: int = self._socket.getsockname()[1]
        self._threads = threads
        self._connections = connections
        self._behind_proxy = behind_proxy
        self._stopping = False

    def stop(self) -> None:
        """Ask `run` to come to an end; safe in a signal handler."""
        self._stopping = True

    def run(self, app: Flask) -> None:
        """Serve until told to stop, then finish what was begun."""
        sockets: dict[int, Any] = {}
        server = create_server(
            app,
            map=sockets,
            sockets=[self._socket],
            ident="zermelo",
            threads=self._threads,
            connection_limit=self._connections,
            clear_untrusted_proxy_headers=not self._behind_proxy,
        )
        assert isinstance(server, TcpWSGIServer)  # one socket, one server
        while not self._stopping:
            wasyncore.loop(timeout=TICK, map=sockets, count=1)
        server.accepting = False
        until = monotonic() + MERCY
        while _busy(sockets) and monotonic() < until:
            wasyncore.loop(timeout=TICK, map=sockets, count=1)
        server.task_dispatcher.shutdown()
        wasyncore.close_all(sockets)


def _busy(sockets: dict[int, Any]) -> bool:
    """Whether a request is being answered, or its answer still on the way out."""
    return any(
        channel.requests or channel.total_outbufs_len
        for channel in sockets.values()
        if isinstance(channel, HTTPChannel)
    )
