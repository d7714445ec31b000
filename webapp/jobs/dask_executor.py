"""The executor with a Dask cluster.

A task that is lost is submitted again, since tasks are pure; it has died if it repeatedly kills its
worker or misses its timeout. Dask blames every task of a worker that ends, so a blamed task is
tried once more, apart from other blamed ones: it has died if its workers end again.
"""

from __future__ import annotations

import logging
import pickle
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from threading import Condition, Thread
from time import monotonic
from typing import TYPE_CHECKING, Any

from agents.training import brain_files
from agents.training.brains import to_bytes
from agents.training.cluster import Parcel, Returned, fingerprint, packed
from engine.errors import ZermeloError
from webapp.config import ClusterError, check_cluster_address
from webapp.jobs.dask_client import REPLY_TIMEOUT_S, Scheduler, fetch_error, fetch_result
from webapp.jobs.models import DiedTaskError

if TYPE_CHECKING:
    import distributed

log = logging.getLogger(__name__)

POLL_S = 0.2  # between two checks of running tasks
RECONNECT_DELAY_S = 1.0
MAX_SILENCE_S = 5.0  # without a connection before reconnecting
STATUS_INTERVAL_S = 1.0  # between two queries for workers and their tasks
LOST_AFTER_S = 5.0  # unknown to the scheduler, before a task counts as lost
MAX_LOSSES = 20  # of a task or its result, before it counts as killing its workers
MAX_TRIES = 3  # of a task that misses its timeout


def brain_bytes(digest: str) -> bytes:
    """The bytes of a brain of this machine; raises MissingBrainError."""
    return to_bytes(brain_files.find(digest))


@dataclass(eq=False, slots=True)
class _RemoteTask:
    """A submitted task."""

    parcel: Parcel
    seconds: float
    express: bool = False
    ours: Future[Any] = field(default_factory=Future)
    theirs: distributed.Future | None = None
    since: float = 0.0
    known: float = 0.0  # when the scheduler last knew of it
    late: int = 0  # missed timeouts
    lost: int = 0  # losses of it or its result
    blamed: bool = False  # it was on several workers that ended, perhaps beside who ended them


class DaskCluster:
    """A TaskExecutor; a thread keeps the connection and tracks running tasks."""

    def __init__(self, address: str, brain: Callable[[str], bytes] = brain_bytes) -> None:
        self.address = check_cluster_address(address)
        self._brain = brain
        self._changed = Condition()
        self._waiting: list[_RemoteTask] = []
        self._running: list[_RemoteTask] = []
        self._scheduler: Scheduler | None = None
        self._threads: int | None = None  # of all workers; None while unknown
        self._answered = 0.0
        self._heard = monotonic()
        self._closed = False
        self._thread = Thread(target=self._keep, name="cluster", daemon=True)
        self._thread.start()

    @property
    def lanes(self) -> int:
        return max(1, self._threads or 0)

    @property
    def hindrance(self) -> str | None:
        if self._threads is None:
            return "waiting for the scheduler of the cluster"
        return None if self._threads else "waiting for workers: none has joined the cluster"

    def submit(
        self,
        function: Callable[..., Any],
        arguments: tuple[Any, ...],
        seconds: float,
        *,
        express: bool = False,
    ) -> Future[Any]:
        """Express tasks come first; a cluster has no spare workers."""
        sent = _RemoteTask(packed(function, arguments), seconds, express)
        with self._changed:
            self._waiting.append(sent)
            self._changed.notify()
        return sent.ours

    def end(self, future: Future[Any]) -> None:
        """A running task ends with its worker, which its nanny restarts."""
        if future.cancel():
            return
        with self._changed:
            for tasks in (self._running, self._waiting):
                sent = next((each for each in tasks if each.ours is future), None)
                if sent is not None:
                    tasks.remove(sent)
                    break
            else:
                return
        Thread(target=self._end, args=(sent,), daemon=True).start()

    def close(self) -> None:
        with self._changed:
            self._closed = True
            for sent in (*self._waiting, *self._running):
                sent.ours.cancel()
            self._changed.notify()
        self._thread.join(REPLY_TIMEOUT_S)

    def _keep(self) -> None:
        while not self._closed:
            try:
                self._update()
            except Exception as error:  # noqa: BLE001 - whatever Dask raises: reconnect
                log.warning("the cluster at %s: %r: connecting anew", self.address, error)
                self._disconnect()
            with self._changed:
                if not self._closed:
                    self._changed.wait(POLL_S if self._scheduler else RECONNECT_DELAY_S)
        self._disconnect()

    def _update(self) -> None:
        scheduler = self._connected()
        if scheduler.is_connected:
            self._heard = monotonic()
        elif monotonic() - self._heard > MAX_SILENCE_S:
            raise ClusterError("the scheduler is gone")
        if monotonic() - self._answered > STATUS_INTERVAL_S and scheduler.is_connected:
            self._query_status(scheduler)
        for sent in self._next():
            if sent.ours.running() or sent.ours.set_running_or_notify_cancel():
                self._send(scheduler, sent)
        for sent in list(self._running):
            self._check(scheduler, sent)

    def _next(self) -> list[_RemoteTask]:
        """Take the waiting tasks to send now: all, but only one blamed task runs at a time."""
        with self._changed:
            blamed = [sent for sent in self._waiting if sent.blamed]
            if not any(sent.blamed for sent in self._running):
                blamed = blamed[1:]
            fresh = [sent for sent in self._waiting if sent not in blamed]
            self._waiting = blamed
        return fresh

    def _query_status(self, scheduler: Scheduler) -> None:
        """Query the number of threads, and which tasks the scheduler knows."""
        self._threads = scheduler.threads()
        with self._changed:
            running = {sent.theirs.key: sent for sent in self._running if sent.theirs}
        known = scheduler.pending(running)
        self._answered = monotonic()
        for key in known:
            running[key].known = self._answered
        if not self._threads:  # timeouts do not run while there is no worker
            for sent in running.values():
                sent.since = self._answered

    def _connected(self) -> Scheduler:
        if self._scheduler is not None:
            return self._scheduler
        try:
            import distributed  # noqa: F401 - is it installed?
        except ImportError as error:
            why = "a cluster needs the extra [cluster]: pip install zermelo[cluster]"
            raise ClusterError(why) from error

        scheduler = Scheduler(self.address)
        self._scheduler, self._heard = scheduler, monotonic()
        scheduler.log_other_versions()
        with self._changed:
            lost, self._running = self._running, []
            self._waiting = [*lost, *self._waiting]
        log.info("connected to the cluster at %s", self.address)
        return scheduler

    def _send(self, scheduler: Scheduler, sent: _RemoteTask) -> None:
        with self._changed:
            self._running.append(sent)
        sent.since = sent.known = monotonic()
        sent.theirs = scheduler.submit(sent.parcel, priority=int(sent.express))
        sent.theirs.add_done_callback(self._wake)

    def _send_again(self, scheduler: Scheduler, sent: _RemoteTask) -> None:
        """Submit a lost task again, up to MAX_LOSSES times."""
        sent.lost += 1
        if sent.lost >= MAX_LOSSES:
            _set_error(sent, DiedTaskError(f"it was lost {sent.lost} times on the cluster"))
        else:
            self._send(scheduler, sent)

    def _wake(self, _: object) -> None:
        with self._changed:
            self._changed.notify()

    def _check(self, scheduler: Scheduler, sent: _RemoteTask) -> None:
        theirs = sent.theirs
        assert theirs is not None
        if theirs.status == "finished":
            self._forget(sent)
            if (back := fetch_result(theirs)) is None:  # its worker ended before it was fetched
                self._send_again(scheduler, sent)
            else:
                self._take(scheduler, sent, back)
        elif theirs.status == "error":
            self._forget(sent)
            self._failed(scheduler, sent, fetch_error(theirs))
        elif theirs.status in ("cancelled", "lost"):
            self._forget(sent)
            self._send_again(scheduler, sent)
        elif self._answered - sent.known > LOST_AFTER_S:
            log.warning("the scheduler does not know of a task: it is sent again")
            self._forget(sent)
            self._send_again(scheduler, sent)
        # Twice its time: it may have waited for another task.
        elif monotonic() - sent.since > 2 * sent.seconds + REPLY_TIMEOUT_S:
            self._forget(sent)
            sent.late += 1
            if scheduler.end_worker(theirs) or sent.late >= MAX_TRIES:
                _set_error(sent, DiedTaskError(f"it was not done after {sent.seconds:g} s"))
            else:
                self._waiting.append(sent)
                raise ClusterError("a task is overdue")

    def _take(self, scheduler: Scheduler, sent: _RemoteTask, back: Returned) -> None:
        if back.stranger is not None:
            why = f"a worker is another Zermelo: {back.stranger}, not {fingerprint()}"
            _set_error(sent, ClusterError(why))
        elif back.missing:
            try:
                brains: Mapping[str, bytes] = {each: self._brain(each) for each in back.missing}
            except ZermeloError as error:
                _set_error(sent, error)
                return
            sent.parcel = replace(sent.parcel, brains=brains)
            self._send(scheduler, sent)
        else:
            assert back.result is not None
            failed, result = pickle.loads(back.result)  # noqa: S301 - from our own workers
            if failed:
                _set_error(sent, result)
            elif not sent.ours.cancelled():
                sent.ours.set_result(result)

    def _failed(self, scheduler: Scheduler, sent: _RemoteTask, error: BaseException | None) -> None:
        from distributed import KilledWorker
        from distributed.scheduler import NoWorkerError

        if isinstance(error, KilledWorker) and not sent.blamed:
            sent.blamed = True
            with self._changed:
                self._waiting.append(sent)
        elif isinstance(error, KilledWorker):
            _set_error(
                sent, DiedTaskError("the worker that did it ended, and so did those after it")
            )
        elif isinstance(error, NoWorkerError):  # of a scheduler with a no-workers-timeout
            self._send(scheduler, sent)
        else:  # of the cluster, not of the task: its own errors are results
            log.warning("a task is sent again: %r", error)
            self._send_again(scheduler, sent)

    def _forget(self, sent: _RemoteTask) -> None:
        with self._changed:
            if sent in self._running:
                self._running.remove(sent)

    def _end(self, sent: _RemoteTask) -> None:
        scheduler, theirs = self._scheduler, sent.theirs
        if scheduler is None or theirs is None:
            return
        scheduler.end_worker(theirs)
        _set_error(sent, DiedTaskError("it was stopped"))

    def _disconnect(self) -> None:
        scheduler, self._scheduler = self._scheduler, None
        self._threads = None
        if scheduler is not None:
            scheduler.close()


def _set_error(sent: _RemoteTask, error: BaseException) -> None:
    if not sent.ours.done():
        sent.ours.set_exception(error)
