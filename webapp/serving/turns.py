"""Which request a web thread takes next: addresses take turns, and visitors of an address too.

A thousand requests of one address so cost another address at most one turn each; a class of 200
behind one address shares its turns by the visitors' cookies, and bots by their tokens. However long
theirs take, an address leaves one thread to the others, and a visitor two. Health
checks have a thread of their own, so that they are answered while every other is busy; so have the
turns of bots, which one after the other are faster than at once, and keep no page waiting.
"""

from __future__ import annotations

from collections import Counter, OrderedDict, deque
from collections.abc import Callable
from hashlib import blake2b
from math import inf
from typing import Any

from waitress.task import ThreadedTaskDispatcher

from webapp.web.cookies import PLAYER_COOKIE
from webapp.web.rate_limits import network_of

HEALTH_PATHS = ("/healthz", "/readyz", "/metrics")
BOT_TURN_PATH = "/api/1/turn"
MAX_ANSWERS_IN_A_ROW = 3
WAITING_BOTS = "zermelo.waiting_bots"  # in a request's environment: how many of bots wait

# Whose turn a request uses: an address, and a visitor of that address.
Party = tuple[str, str]


class FairTurns:
    """A queue whose next entry is that of the address, then of the visitor, served longest ago.

    With bounds, an address and a visitor have only so many entries taken and not `done`: what
    waits for that is not offered, and does not count for `bool`.
    """

    def __init__(
        self, party_of: Callable[[Any], Party], most: float = inf, each: float = inf
    ) -> None:
        self._party_of = party_of
        self._most, self._each = most, each  # at a time: of an address, of a visitor
        self._waiting: OrderedDict[str, OrderedDict[str, deque[Any]]] = OrderedDict()
        self._taken: Counter[str | Party] = Counter()  # by address, and by party
        self._length = 0

    def __len__(self) -> int:
        return self._length

    def __bool__(self) -> bool:
        return self._next() is not None

    def append(self, task: Any) -> None:
        address, visitor = self._party_of(task)
        visitors = self._waiting.setdefault(address, OrderedDict())
        visitors.setdefault(visitor, deque()).append(task)
        self._length += 1

    def popleft(self) -> Any:
        """The next entry, which counts as done; raises IndexError."""
        party, task = self.take()
        self.done(party)
        return task

    def take(self) -> tuple[Party, Any]:
        """The next entry and whose it is: address and visitor go to the end. Raises IndexError."""
        if (party := self._next()) is None:
            raise IndexError("no request is waiting")
        address, visitor = party
        visitors = self._waiting.pop(address)
        tasks = visitors.pop(visitor)
        task = tasks.popleft()
        if tasks:
            visitors[visitor] = tasks
        if visitors:
            self._waiting[address] = visitors
        self._length -= 1
        self._taken.update((address, party))
        return party, task

    def done(self, party: Party) -> None:
        """An entry that was taken has ended."""
        for name in (party[0], party):
            self._taken[name] -= 1
            if not self._taken[name]:
                del self._taken[name]

    def _next(self) -> Party | None:
        """Whose turn it is. Few are passed over: no more than there are threads that are busy."""
        for address, visitors in self._waiting.items():
            if self._taken[address] < self._most:
                for visitor in visitors:
                    if self._taken[address, visitor] < self._each:
                        return address, visitor
        return None


class AnswersFirst:
    """The queue of bots: answers, whose clocks run, before those who ask whether it is their turn.

    Every fourth time somebody who asks is served, however many answers wait.
    """

    def __init__(self, party_of: Callable[[Any], Party]) -> None:
        self._answers, self._others = FairTurns(party_of), FairTurns(party_of)
        self._in_a_row = 0  # answers, while others waited

    def __len__(self) -> int:
        return len(self._answers) + len(self._others)

    def append(self, task: Any) -> None:
        is_answer = task.requests[0].command == "POST"
        (self._answers if is_answer else self._others).append(task)

    def popleft(self) -> Any:
        """The next entry; raises IndexError."""
        if self._answers and (not self._others or self._in_a_row < MAX_ANSWERS_IN_A_ROW):
            self._in_a_row += 1
            return self._answers.popleft()
        self._in_a_row = 0
        return self._others.popleft()


class FairDispatcher(ThreadedTaskDispatcher):
    """Web threads that take requests in fair turns, one for health checks and one for bots."""

    queue: FairTurns  # type: ignore[assignment]

    def __init__(self, threads: int, *, behind_proxy: bool) -> None:
        super().__init__()
        self.queue = FairTurns(
            lambda channel: party_of(channel, behind_proxy),
            max(1, threads - 1),
            max(1, threads - 2),
        )
        self.set_thread_count(threads)
        self._health = ThreadedTaskDispatcher()
        self._health.set_thread_count(1)
        self._bots = ThreadedTaskDispatcher()
        waiting: Any = AnswersFirst(lambda channel: party_of(channel, behind_proxy))
        self._bots.queue = waiting
        self._bots.set_thread_count(1)

    @property
    def waiting_bots(self) -> int:
        """Requests for a bot's turn that wait."""
        return len(self._bots.queue)

    def handler_thread(self, thread_no: int) -> None:
        """The loop of a web thread, as waitress has it, which says when a request has ended."""
        while (found := self._next(thread_no)) is not None:
            party, task = found
            try:
                task.service()
            except BaseException:
                self.logger.exception("Exception when servicing %r", task)
            with self.lock:
                self.queue.done(party)

    def _next(self, thread_no: int) -> tuple[Party, Any] | None:
        """The next request; None where this thread is to end."""
        with self.lock:
            while not self.queue and self.stop_count == 0:
                self.active_count -= 1
                self.queue_cv.wait()
                self.active_count += 1
            if self.stop_count > 0:
                self.active_count -= 1
                self.stop_count -= 1
                self.threads.discard(thread_no)
                self.thread_exit_cv.notify()
                return None
            return self.queue.take()

    def add_task(self, task: Any) -> None:
        path = getattr(task.requests[0], "path", "")  # of one that cannot be read there is none
        if path in HEALTH_PATHS:
            self._health.add_task(task)
        elif path.startswith(BOT_TURN_PATH):
            self._bots.add_task(task)
        else:
            super().add_task(task)

    def shutdown(self, cancel_pending: bool = True, timeout: int = 5) -> bool:
        self._health.shutdown(cancel_pending, timeout)
        self._bots.shutdown(cancel_pending, timeout)
        return bool(super().shutdown(cancel_pending, timeout))


def party_of(channel: Any, behind_proxy: bool) -> Party:
    """The client's network, and a digest of the cookie or token, unchecked; empty without one."""
    headers: dict[str, str] = channel.requests[0].headers
    address = str(channel.addr[0])
    if behind_proxy:
        address = headers.get("X_FORWARDED_FOR", address).rpartition(",")[2].strip()
    cookies = (part.strip().partition("=") for part in headers.get("COOKIE", "").split(";"))
    player = next((value for name, _, value in cookies if name.endswith(PLAYER_COOKIE)), "")
    player = player or headers.get("AUTHORIZATION", "")
    visitor = blake2b(player.encode(errors="replace"), digest_size=8).hexdigest() if player else ""
    return network_of(address), visitor
