"""Which request a web thread takes next: addresses take turns, and visitors of an address too.

A thousand requests of one address so cost another address at most one turn each; a class of 200
behind one address shares its turns by the visitors' cookies. Health checks have a thread of their
own, so that they are answered while every other is busy.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable
from hashlib import blake2b
from typing import Any

from waitress.task import ThreadedTaskDispatcher

from webapp.web.cookies import PLAYER_COOKIE
from webapp.web.rate_limits import network_of

HEALTH_PATHS = ("/healthz", "/readyz", "/metrics")

# Whose turn a request uses: an address, and a visitor of that address.
Party = tuple[str, str]


class FairTurns:
    """A queue whose next entry is that of the address, then of the visitor, served longest ago."""

    def __init__(self, party_of: Callable[[Any], Party]) -> None:
        self._party_of = party_of
        self._waiting: OrderedDict[str, OrderedDict[str, deque[Any]]] = OrderedDict()
        self._length = 0

    def __len__(self) -> int:
        return self._length

    def append(self, task: Any) -> None:
        address, visitor = self._party_of(task)
        visitors = self._waiting.setdefault(address, OrderedDict())
        visitors.setdefault(visitor, deque()).append(task)
        self._length += 1

    def popleft(self) -> Any:
        """The next entry; its address and its visitor go to the end. Raises IndexError."""
        if not self._waiting:
            raise IndexError("no request is waiting")
        address, visitors = self._waiting.popitem(last=False)
        visitor, tasks = visitors.popitem(last=False)
        task = tasks.popleft()
        if tasks:
            visitors[visitor] = tasks
        if visitors:
            self._waiting[address] = visitors
        self._length -= 1
        return task


class FairDispatcher(ThreadedTaskDispatcher):
    """Web threads that take requests in fair turns, and one for health checks."""

    queue: FairTurns  # type: ignore[assignment]

    def __init__(self, threads: int, *, behind_proxy: bool) -> None:
        super().__init__()
        self.queue = FairTurns(lambda channel: party_of(channel, behind_proxy))
        self.set_thread_count(threads)
        self._health = ThreadedTaskDispatcher()
        self._health.set_thread_count(1)

    def add_task(self, task: Any) -> None:
        if task.requests[0].path in HEALTH_PATHS:
            self._health.add_task(task)
        else:
            super().add_task(task)

    def shutdown(self, cancel_pending: bool = True, timeout: int = 5) -> bool:
        self._health.shutdown(cancel_pending, timeout)
        return bool(super().shutdown(cancel_pending, timeout))


def party_of(channel: Any, behind_proxy: bool) -> Party:
    """The client's network, and a digest of the player's cookie, unchecked; empty without one."""
    headers: dict[str, str] = channel.requests[0].headers
    address = str(channel.addr[0])
    if behind_proxy:
        address = headers.get("X_FORWARDED_FOR", address).rpartition(",")[2].strip()
    cookies = (part.strip().partition("=") for part in headers.get("COOKIE", "").split(";"))
    player = next((value for name, _, value in cookies if name.endswith(PLAYER_COOKIE)), "")
    visitor = blake2b(player.encode(errors="replace"), digest_size=8).hexdigest() if player else ""
    return network_of(address), visitor
