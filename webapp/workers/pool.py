"""The pool of workers: each request runs once, under a deadline, scheduled fairly by visitor."""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from threading import Condition, Event, RLock, Thread
from time import monotonic
from typing import Any, Generic

from agents.compute.child_process import WorkerDiedError, WorkerTimeoutError
from agents.entry import Technique
from agents.errors import BrokenAgentError, CrashedAgentError
from agents.roster import roster
from engine.errors import ZermeloError
from webapp.config import PoolLimits
from webapp.workers.failure_backoff import BACKOFF_S, FailureBackoff, RecentStats
from webapp.workers.queue import BusyError, FairQueue, QueueEntry, Rank
from webapp.workers.requests import A, Answer, Request
from webapp.workers.worker import RequestWorker, Result

log = logging.getLogger(__name__)

MAX_CACHED = 512  # answers
MAX_CACHED_BYTES = 64 << 20  # of recorded searches among them
SHORT_S = 0.5  # a request that replies may wait behind
QUICK_TIMEOUT_S = 2.5  # on the quick worker, after which a request goes back into the queue
QUICK_CPU_S = 0.1  # of processor time: a request that took less is quick
SLOW_NICENESS = 10  # of the other workers: pages and quick replies have the processor first
CROWD_SIZE = 4  # requests that wait before panels are given SHORT_S only


class SlowError(Exception):
    """A request on the quick worker that was not quick."""


@dataclass(eq=False, slots=True)
class Pending(Generic[A]):
    """A request under way; `wait` gives the answer, or None while there is none."""

    request: Request[A]
    seconds: float  # its time limit
    _done: Event = field(default_factory=Event)
    _answer: A | None = None
    _ended: float = 0.0

    def wait(self, seconds: float) -> A | None:
        self._done.wait(seconds)
        return self._answer

    @property
    def is_done(self) -> bool:
        return self._done.is_set()

    @property
    def weight(self) -> int:
        return 0 if self._answer is None else self._answer.weight

    def settle(self, answer: A, now: float = 0.0) -> None:
        self._answer, self._ended = answer, now
        self._done.set()

    def failed_before(self, then: float) -> bool:
        failed = self._answer is not None and self._answer.note is not None
        return failed and self._ended < then


class WorkerPool:
    """Runs requests of web threads on workers, and caches their answers.

    Worker 0 takes quick requests only, so that an instant opponent never waits behind a slow one;
    worker 1 replies and short requests, so that no reply waits behind a long panel.
    """

    def __init__(
        self,
        make_worker: Callable[[int], RequestWorker],  # of a niceness
        limits: PoolLimits = PoolLimits(),  # noqa: B008 - frozen
        clock: Callable[[], float] = monotonic,
        outside: Sequence[RequestWorker] = (),  # for players from outside, and nothing else
    ) -> None:
        self.limits = limits
        self._clock = clock
        # Under way and done: the cache.
        self._pending: OrderedDict[Request[Any], Pending[Any]] = OrderedDict()
        self._has_grown = False  # by bytes, since it was last trimmed
        self._queue: FairQueue[Pending[Any]] = FairQueue()
        self._waiting: dict[Pending[Any], QueueEntry[Pending[Any]]] = {}
        self._running: dict[Pending[Any], QueueEntry[Pending[Any]]] = {}
        self._warm: set[tuple[str, str, bool]] = set()
        self._cpu_seconds: RecentStats[float] = RecentStats()
        self._backoff = FailureBackoff()
        self._closed = False
        self._lock = RLock()
        self.workers = (
            make_worker(0),
            *(make_worker(SLOW_NICENESS) for _ in range(limits.workers)),
        )
        self._ours = len(self.workers)
        self.workers += tuple(outside)
        self._wake = tuple(Condition(self._lock) for _ in self.workers)
        self._idle: set[int] = set()  # workers that wait for their condition
        self._threads: tuple[Thread, ...] = ()

    def ask(
        self,
        request: Request[A],
        seconds: float,
        rank: Rank = Rank.REPLY,
        visitor: str = "",
        worker: int | None = None,
    ) -> Pending[A]:
        """Queue a request, or find it queued, running or answered; raises BusyError.

        A `worker` is the only one to run it: its process then has what the request loads.
        """
        with self._lock:
            found = self._pending.get(request)
            if found is not None and found.failed_before(self._clock() - BACKOFF_S):
                del self._pending[request]  # else the failure would stay as long as the cache
            elif found is not None:
                self._pending.move_to_end(request)
                self._raise_rank(found, rank, seconds)
                return found
            self._admit(rank, visitor)
            pending = self._pending[request] = Pending(request, seconds)
            entry = self._waiting[pending] = self._queue.add(pending, rank, visitor, worker)
            pending.seconds = self._time_limit(entry)
            self._trim_cache()
            self._start()
            self._wake_workers()
        return pending

    def is_warm(self, request: Request[Any]) -> bool:
        """Whether its kernels are compiled: the agent has answered in this game before."""
        return request.compile_key in self._warm

    def has_answered(self, agent: str) -> bool:
        """Whether the agent has answered in any game, so that its code is compiled."""
        return any(key == agent.partition(":")[0] for key, *_ in tuple(self._warm))

    @property
    def inside(self) -> range:
        """The numbers of the workers for agents of ours."""
        return range(self._ours)

    @property
    def crowded(self) -> bool:
        """Whether so many wait that panels get a short time limit."""
        return len(self._queue) > CROWD_SIZE

    @property
    def is_idle(self) -> bool:
        return not self._queue and not self._running

    @property
    def load(self) -> tuple[int, int]:
        """How many requests wait, and how many run."""
        return len(self._queue), len(self._running)

    @property
    def memory(self) -> int:
        """Bytes that all worker processes hold."""
        return sum(worker.memory for worker in self.workers)

    @property
    def is_closed(self) -> bool:
        return self._closed

    @property
    def is_alive(self) -> bool:
        """Whether every thread runs, the quick process takes requests and another one does.

        One that was not started yet would be by its first request.
        """
        threads = all(thread.is_alive() for thread in self._threads)
        quick, *others = (each.is_alive for each in self.workers[: self._ours])
        return not self._closed and threads and quick and any(others)

    def close(self) -> None:
        """Drop the queue and end the workers, even those that run a request."""
        with self._lock:
            self._closed = True
            for entry in list(self._queue.entries.values()):
                self._evict(entry)
            for condition in self._wake:
                condition.notify()
        for worker in self.workers:
            worker.close()

    def run(
        self, pending: Pending[Any], worker: RequestWorker, timeout: float | None = None
    ) -> None:
        """Run one request on a worker; whatever happens, it is answered or back in the queue.

        With a `timeout` the worker is the quick one: what takes longer is queued again.
        """
        begun = self._clock()
        answer: Answer[Any] | None = pending.request.without_result("it could not be worked out")
        try:
            answer = self._answer(pending, worker, timeout)
        except SlowError:
            answer = None
        except Exception:
            log.exception("a thought of %s could not be ended properly", pending.request.key[0])
        finally:
            with self._lock:
                now = self._clock()
                entry = self._running.pop(pending)
                if answer is None and not self._closed:
                    self._waiting[pending] = self._queue.add(pending, entry.rank, entry.visitor)
                    self._wake_workers()
                else:
                    closing = pending.request.without_result("this server is closing")
                    pending.settle(answer or closing, now)
                    self._has_grown |= pending.weight > 0
                self._queue.spent(entry.visitor, now - begun, now)

    def _admit(self, rank: Rank, visitor: str) -> None:
        """Evict the last entry of a lower rank where the queue is full; raises BusyError."""
        running = sum(entry.visitor == visitor for entry in self._running.values())
        if self._queue.count(visitor) + running >= self.limits.each:
            raise BusyError("that is a lot to think about at once: wait for some of it")
        if len(self._queue) + len(self._running) < self.limits.queue:
            return
        last = self._queue.last(rank)
        if last is None:
            raise BusyError("every opponent is thinking already: try again in a moment")
        self._evict(last)

    def _evict(self, entry: QueueEntry[Pending[Any]]) -> None:
        """Settle it without an analysis; the request may be sent again."""
        pending = entry.item
        self._queue.drop(entry)
        del self._waiting[pending], self._pending[pending.request]
        pending.settle(pending.request.without_result("there was no time to think about it"))

    def _raise_rank(self, pending: Pending[Any], rank: Rank, seconds: float) -> None:
        """A request that waits for a panel and is now wanted for a reply counts as one."""
        entry = self._waiting.get(pending)
        if entry is not None and rank < entry.rank:
            entry.rank = rank
            pending.seconds = max(pending.seconds, seconds)
            self._wake_workers()

    def _trim_cache(self) -> None:
        """Least recently used first, by number and by bytes."""
        while len(self._pending) > MAX_CACHED and next(iter(self._pending.values())).is_done:
            self._pending.popitem(last=False)
        if not self._has_grown:  # few answers weigh anything, and each request comes here
            return
        self._has_grown = False
        heavy = [pending for pending in self._pending.values() if pending.weight]
        excess = sum(pending.weight for pending in heavy) - MAX_CACHED_BYTES
        for pending in heavy:
            if excess <= 0:
                break
            excess -= pending.weight
            del self._pending[pending.request]

    def _start(self) -> None:
        if not self._threads:
            self._threads = tuple(
                Thread(target=self._work, args=(number,), name=f"worker {number}", daemon=True)
                for number in range(len(self.workers))
            )
            for thread in self._threads:
                thread.start()

    def _work(self, number: int) -> None:
        """The loop of one worker's thread."""
        while (pending := self._next(number)) is not None:
            quick = number == 0 and self._running[pending].worker is None
            self.run(pending, self.workers[number], QUICK_TIMEOUT_S if quick else None)

    def _next(self, number: int) -> Pending[Any] | None:
        with self._lock:
            while not self._closed:
                entry = self._queue.take(self._clock(), lambda at: self._accepts(number, at))
                if entry is not None:
                    entry.item.seconds = self._time_limit(entry)
                    del self._waiting[entry.item]
                    self._running[entry.item] = entry
                    return entry.item
                self._idle.add(number)
                self._wake[number].wait()
        return None

    def _wake_workers(self) -> None:
        """For each waiting request, wake one idle worker that accepts it, the quick one first."""
        for entry in self._queue.entries.values():
            accepting = (at for at in sorted(self._idle) if self._accepts(at, entry))
            if (number := next(accepting, None)) is not None:
                self._idle.discard(number)
                self._wake[number].notify()

    def _accepts(self, number: int, entry: QueueEntry[Pending[Any]]) -> bool:
        if entry.worker is not None:
            return number == entry.worker
        if number >= self._ours or entry.item.request.is_outside:
            return number >= self._ours and entry.item.request.is_outside
        if number == 0:
            return self._is_quick(entry.item.request)
        if number == 1 and self.limits.workers > 1:
            return entry.rank is Rank.REPLY or self._time_limit(entry) <= SHORT_S
        return True

    def _time_limit(self, entry: QueueEntry[Pending[Any]]) -> float:
        """Seconds as things stand: a panel gets SHORT_S in a crowd."""
        seconds = entry.item.seconds
        return min(seconds, SHORT_S) if entry.rank is Rank.PANEL and self.crowded else seconds

    def _is_quick(self, request: Request[Any]) -> bool:
        """By its last processor time; if it never ran, whether the agent is a mere rule."""
        seconds = self._cpu_seconds.get(request.key)
        if seconds is not None:
            return seconds < QUICK_CPU_S
        key = request.compile_key[0]  # perhaps of a package that is no longer installed
        return any(e.key == key and e.technique is Technique.RULES for e in roster())

    def _answer(self, pending: Pending[A], worker: RequestWorker, timeout: float | None) -> A:
        request = pending.request
        if self._backoff.is_blocked(request.key, self._clock()):
            return request.fallback("it failed here before, and is given a rest")
        try:
            result = self._result(pending, worker, timeout)
        except SlowError:
            raise
        except Exception as error:  # noqa: BLE001 - any failure of an agent is one move
            return self._failed(request, error)
        with self._lock:
            self._warm.add(request.compile_key)
            self._backoff.forget(request.key)
            self._cpu_seconds[request.key] = result.seconds
        return request.answer(result.result)

    def _result(
        self, pending: Pending[Any], worker: RequestWorker, timeout: float | None
    ) -> Result:
        """Run the request; once more if its process died, which need not be its fault."""
        request = pending.request
        known = self.is_warm(request) or request.key in self._backoff
        warming = self._running[pending].rank is Rank.WARMING  # perhaps a variant's own tables
        grace = self.limits.grace if known and not warming else self.limits.first_grace
        deadline = timeout or pending.seconds + grace
        try:
            return worker.run(request, pending.seconds, deadline)
        except WorkerTimeoutError as error:
            if timeout is None:
                raise
            self._cpu_seconds[request.key] = timeout
            raise SlowError("it needs another worker") from error
        except WorkerDiedError:
            if self._closed or request.key in self._backoff:
                raise
            return worker.run(request, pending.seconds, deadline)

    def _failed(self, request: Request[A], error: Exception) -> A:
        if request.is_outside:
            return self._forfeited(request, error)
        if isinstance(error, WorkerTimeoutError | WorkerDiedError):
            self._backoff.add(request.key, self._clock())
        if not self._closed:
            log.warning("%r is replaced for one move: %r", request.key[0], str(error)[:200])
        is_public = isinstance(error, ZermeloError) and not isinstance(error, CrashedAgentError)
        return request.fallback(str(error) if is_public else "it failed")

    def _forfeited(self, request: Request[A], error: Exception) -> A:
        """The end of a player from outside in this match; its owner finds the traceback here."""
        if not isinstance(error, ZermeloError):
            log.exception("a player from outside could not be asked", exc_info=error)
            return request.fallback("it could not be asked")
        traceback = error.traceback if isinstance(error, BrokenAgentError) else ""
        log.warning("%s: %s\n%s", request.about, error, traceback)
        return request.fallback(str(error))
