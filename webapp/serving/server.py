"""The HTTP server: waitress with our limits, and a graceful stop."""

from __future__ import annotations

import socket
import sys
from time import monotonic
from typing import TYPE_CHECKING, Any

from waitress.channel import HTTPChannel

from webapp.config import HttpLimits
from webapp.serving.http_limits import LimitedServer
from webapp.serving.poll_loop import PollLoop
from webapp.serving.turns import FairDispatcher

if TYPE_CHECKING:
    from flask import Flask

POLL_S = 0.25  # within which a stop is noticed
BACKLOG = 1024
SHUTDOWN_GRACE_S = 5.0  # for running requests
OTHER_FILES = 200  # open at a time beside connections: database, pipes, static files


class Server:
    """Binds when made, so that a port in use is known before anything else is set up."""

    def __init__(
        self,
        host: str,
        port: int,
        limits: HttpLimits,
        *,
        threads: int,
        behind_proxy: bool,
    ) -> None:
        family, kind, protocol, _, where = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        self._socket = socket.socket(family, kind, protocol)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6 and host == "::":  # all interfaces: IPv4 as well
            self._socket.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        try:
            self._socket.bind(where)
            self._socket.listen(BACKLOG)  # early connections wait instead of being refused
        except OSError:
            self._socket.close()
            raise
        self.port: int = self._socket.getsockname()[1]
        self._stopping = False
        self._threads, self._behind_proxy = threads, behind_proxy
        self._settings: dict[str, Any] = {
            "connection_limit": min(
                limits.connections, raise_file_limit(limits.connections) - OTHER_FILES
            ),
            "clear_untrusted_proxy_headers": not behind_proxy,
            "limits": limits,
        }

    def stop(self) -> None:
        """Let `run` end; safe in a signal handler."""
        self._stopping = True

    def run(self, app: Flask) -> None:
        """Serve until stopped, then finish running requests."""
        loop, where = PollLoop(), self._socket
        server = LimitedServer(
            app,
            loop.sockets,
            running=loop.running,
            _sock=where,
            bind_socket=False,
            sockinfo=(where.family, where.type, where.proto, where.getsockname()),
            ident="zermelo",
            dispatcher=FairDispatcher(self._threads, behind_proxy=self._behind_proxy),
            **self._settings,
        )
        while not self._stopping:
            server.make_room()
            loop.poll(server, POLL_S)
        server.accepting = False
        until = monotonic() + SHUTDOWN_GRACE_S
        while _busy(loop.sockets) and monotonic() < until:
            loop.poll(server, POLL_S)
        server.task_dispatcher.shutdown()
        loop.close()


def raise_file_limit(connections: int) -> int:
    """The limit of open files, raised as far as the connections need it."""
    if sys.platform == "win32":
        return connections + OTHER_FILES
    import resource

    now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = connections + OTHER_FILES
    if now != resource.RLIM_INFINITY and now < wanted:
        now = wanted if most == resource.RLIM_INFINITY else min(wanted, most)
        resource.setrlimit(resource.RLIMIT_NOFILE, (now, most))
    return wanted if now == resource.RLIM_INFINITY else now


def _busy(sockets: dict[int, Any]) -> bool:
    """Whether a request is running, or its response not yet sent."""
    return any(
        channel.requests or channel.total_outbufs_len
        for channel in sockets.values()
        if isinstance(channel, HTTPChannel)
    )
