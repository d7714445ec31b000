"""Tasks on many machines: the executor of a Dask cluster.

Whatever happens to the cluster, a task that was lost is sent again: it is pure. Only one that
takes its worker with it, again and again, or is not done in its time has died.
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
from webapp.config import ClusterError, check_address
from webapp.jobs.dask_client import PATIENCE, Scheduler, error_of, gathered
from webapp.jobs.models import DiedTaskError

if TYPE_CHECKING:
    import distributed

log = logging.getLogger(__name__)

TICK = 0.2  # seconds between two looks at what is under way
AGAIN = 1.0  # seconds before the next try to connect
SILENCE = 5.0  # seconds without a connection before it is made anew
FRESH = 1.0  # seconds between two questions how many work, and on what
FORGOTTEN = 5.0  # seconds of answers that do not know of a task, before it counts as lost
LOSSES = 20  # of a task or its result, before it is taken to be what brings workers down
TRIES = 3  # of a task that is not done in its time


def brain_bytes(digest: str) -> bytes:
    """The file of a brain of this machine; raises MissingBrainError."""
    return to_bytes(brain_files.find(digest))


@dataclass(eq=False, slots=True)
class _Sent:
    """A task on its way, and what became of it."""

    parcel: Parcel
    seconds: float
    ours: Future[Any] = field(default_factory=Future)
    theirs: distributed.Future | None = None
    since: float = 0.0
    known: float = 0.0  # when the scheduler was last known to have it in hand
    late: int = 0  # how often it was not done in its time
    lost: int = 0  # and how often it, or its result, went with a worker


class DaskCluster:
    """The executor; a thread of its own keeps the connection and knows what is under way."""

    def __init__(self, address: str, brain: Callable[[str], bytes] = brain_bytes) -> None:
        self.address = check_address(address)
        self._brain = brain
        self._changed = Condition()
        self._waiting: list[_Sent] = []
        self._running: list[_Sent] = []
        self._scheduler: Scheduler | None = None
        self._threads: int | None = None  # of all workers; None while nobody tells
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
        self, function: Callable[..., Any], arguments: tuple[Any, ...], seconds: float
    ) -> Future[Any]:
        sent = _Sent(packed(function, arguments), seconds)
        with self._changed:
            self._waiting.append(sent)
            self._changed.notify()
        return sent.ours

    def end(self, future: Future[Any]) -> None:
        """A task that runs ends with its worker, which its nanny starts again."""
        if future.cancel():
            return
        with self._changed:
            sent = next((each for each in self._running if each.ours is future), None)
            if sent is None:
                return
            self._running.remove(sent)
        Thread(target=self._end, args=(sent,), daemon=True).start()

    def close(self) -> None:
        with self._changed:
            self._closed = True
            for sent in (*self._waiting, *self._running):
                sent.ours.cancel()
            self._changed.notify()
        self._thread.join(PATIENCE)

    def _keep(self) -> None:
        while not self._closed:
            try:
                self._look()
            except Exception as error:  # noqa: BLE001 - whatever Dask raises: made anew
                log.warning("the cluster at %s: %r: connecting anew", self.address, error)
                self._part()
            with self._changed:
                if not self._closed:
                    self._changed.wait(TICK if self._scheduler else AGAIN)
        self._part()

    def _look(self) -> None:
        scheduler = self._connected()
        if scheduler.is_there:
            self._heard = monotonic()
        elif monotonic() - self._heard > SILENCE:
            raise ClusterError("the scheduler is gone")
        if monotonic() - self._answered > FRESH and scheduler.is_there:
            self._ask(scheduler)
        with self._changed:
            fresh, self._waiting = self._waiting, []
        for sent in fresh:
            if sent.ours.running() or sent.ours.set_running_or_notify_cancel():
                self._send(scheduler, sent)
        for sent in list(self._running):
            self._check(scheduler, sent)

    def _ask(self, scheduler: Scheduler) -> None:
        """How many work, and which tasks are in hand."""
        self._threads = scheduler.threads()
        with self._changed:
            running = {sent.theirs.key: sent for sent in self._running if sent.theirs}
        known = scheduler.in_hand(running)
        self._answered = monotonic()
        for key in known:
            running[key].known = self._answered
        if not self._threads:  # the time of a task does not run while nobody could do it
            for sent in running.values():
                sent.since = self._answered

    def _connected(self) -> Scheduler:
        if self._scheduler is not None:
            return self._scheduler
        try:
            import distributed  # noqa: F401 - is it there?
        except ImportError as error:
            why = "a cluster needs the extra [cluster]: pip install zermelo[cluster]"
            raise ClusterError(why) from error

        scheduler = Scheduler(self.address)
        self._scheduler, self._heard = scheduler, monotonic()
        scheduler.tell_strangers()
        with self._changed:
            lost, self._running = self._running, []
            self._waiting = [*lost, *self._waiting]
        log.info("connected to the cluster at %s", self.address)
        return scheduler

    def _send(self, scheduler: Scheduler, sent: _Sent) -> None:
        with self._changed:
            self._running.append(sent)
        sent.since = sent.known = monotonic()
        sent.theirs = scheduler.submit(sent.parcel)
        sent.theirs.add_done_callback(self._wake)

    def _send_again(self, scheduler: Scheduler, sent: _Sent) -> None:
        """What was lost on the way; one that is lost again and again is what loses it."""
        sent.lost += 1
        if sent.lost >= LOSSES:
            _raise(sent, DiedTaskError(f"it was lost {sent.lost} times on the cluster"))
        else:
            self._send(scheduler, sent)

    def _wake(self, _: object) -> None:
        with self._changed:
            self._changed.notify()

    def _check(self, scheduler: Scheduler, sent: _Sent) -> None:
        theirs = sent.theirs
        assert theirs is not None
        if theirs.status == "finished":
            self._forget(sent)
            if (back := gathered(theirs)) is None:  # its worker went before it could say it
                self._send_again(scheduler, sent)
            else:
                self._take(scheduler, sent, back)
        elif theirs.status == "error":
            self._forget(sent)
            self._failed(scheduler, sent, error_of(theirs))
        elif theirs.status in ("cancelled", "lost"):
            self._forget(sent)
            self._send_again(scheduler, sent)
        elif self._answered - sent.known > FORGOTTEN:
            log.warning("the scheduler does not know of a task: it is sent again")
            self._forget(sent)
            self._send_again(scheduler, sent)
        elif monotonic() - sent.since > 2 * sent.seconds + PATIENCE:  # one may have waited before
            self._forget(sent)
            sent.late += 1
            if scheduler.end_worker(theirs) or sent.late >= TRIES:
                _raise(sent, DiedTaskError(f"it was not done after {sent.seconds:g} s"))
            else:
                self._waiting.append(sent)
                raise ClusterError("a task is overdue")

    def _take(self, scheduler: Scheduler, sent: _Sent, back: Returned) -> None:
        if back.stranger is not None:
            why = f"a worker is another Zermelo: {back.stranger}, not {fingerprint()}"
            _raise(sent, ClusterError(why))
        elif back.missing:
            try:
                brains: Mapping[str, bytes] = {each: self._brain(each) for each in back.missing}
            except ZermeloError as error:
                _raise(sent, error)
                return
            sent.parcel = replace(sent.parcel, brains=brains)
            self._send(scheduler, sent)
        else:
            assert back.result is not None
            failed, result = pickle.loads(back.result)  # noqa: S301 - from our own workers
            if failed:
                _raise(sent, result)
            elif not sent.ours.cancelled():
                sent.ours.set_result(result)

    def _failed(self, scheduler: Scheduler, sent: _Sent, error: BaseException | None) -> None:
        from distributed import KilledWorker
        from distributed.scheduler import NoWorkerError

        if isinstance(error, KilledWorker):
            _raise(sent, DiedTaskError("the worker that did it ended, and so did those after it"))
        elif isinstance(error, NoWorkerError):  # of a scheduler with a no-workers-timeout
            self._send(scheduler, sent)
        else:  # of the cluster, not of the task: its own errors are results
            log.warning("a task is sent again: %r", error)
            self._send_again(scheduler, sent)

    def _forget(self, sent: _Sent) -> None:
        with self._changed:
            if sent in self._running:
                self._running.remove(sent)

    def _end(self, sent: _Sent) -> None:
        scheduler, theirs = self._scheduler, sent.theirs
        if scheduler is None or theirs is None:
            return
        scheduler.end_worker(theirs)
        _raise(sent, DiedTaskError("it was stopped"))

    def _part(self) -> None:
        scheduler, self._scheduler = self._scheduler, None
        self._threads = None
        if scheduler is not None:
            scheduler.close()


def _raise(sent: _Sent, error: BaseException) -> None:
    if not sent.ours.done():
        sent.ours.set_exception(error)
