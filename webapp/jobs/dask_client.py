"""A connection to a Dask scheduler, with a timeout for every call."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection
from concurrent.futures import Future
from contextlib import suppress
from threading import Thread
from time import time
from typing import TYPE_CHECKING, Any

from agents.training.cluster import Parcel, Returned, fingerprint, perform

if TYPE_CHECKING:
    import distributed

log = logging.getLogger(__name__)

REPLY_TIMEOUT_S = 10.0  # of the scheduler
RESULT_TIMEOUT_S = 5.0  # to fetch a finished result
CLOSE_TIMEOUT_S = 1.0
PENDING_STATES = ("waiting", "queued", "no-worker", "processing")  # of a task that is not done


class Scheduler:
    """A connection with its own thread and event loop."""

    def __init__(self, address: str) -> None:
        """Raises OSError where the scheduler does not answer."""
        self._loop = asyncio.new_event_loop()
        self._closing = asyncio.Event()
        made: Future[distributed.Client] = Future()
        Thread(target=self._run_loop, args=(address, made), name="scheduler", daemon=True).start()
        self._client = made.result()

    @property
    def is_connected(self) -> bool:
        """Whether the connection is up."""
        return bool(self._client.status == "running")

    def threads(self) -> int:
        """Threads of all workers."""
        return sum(self._call(self._client.scheduler.ncores).values())

    def pending(self, keys: Collection[str]) -> list[str]:
        """Of these tasks, those that the scheduler knows and that are not done."""
        states = self._call(self._client.scheduler.get_task_status, keys=list(keys))
        return [key for key, state in states.items() if state in PENDING_STATES]

    def log_other_versions(self) -> None:
        """Log workers of another version; each worker also checks its tasks."""
        ours = fingerprint()
        try:
            makes = self._client.run(
                fingerprint, on_error="ignore", callback_timeout=REPLY_TIMEOUT_S
            )
        except TimeoutError:
            log.warning("some worker does not say which Zermelo it is")
            return
        for worker, theirs in makes.items():
            if theirs != ours:
                log.error("worker %s is another Zermelo: %s, not %s", worker, theirs, ours)

    def submit(self, parcel: Parcel, priority: int = 0) -> distributed.Future:
        """Tasks of a higher priority come first."""
        return self._client.submit(perform, parcel, pure=False, retries=0, priority=priority)

    def end_worker(self, theirs: distributed.Future) -> bool:
        """Restart the worker that runs a task, the only way to stop it; False if none runs it."""
        try:
            busy = self._call(self._client.scheduler.processing)
            workers = [worker for worker, keys in busy.items() if theirs.key in keys]
            theirs.release()
            if workers:
                self._call(
                    self._client.scheduler.restart_workers,
                    workers=workers,
                    timeout=REPLY_TIMEOUT_S / 2,
                    on_error="return",
                    stimulus_id=f"zermelo-{time()}",
                )
        except Exception as error:  # noqa: BLE001 - whatever Dask raises, it is not the task's fault
            log.warning("a worker could not be ended: %r", error)
            return False
        return bool(workers)

    def close(self) -> None:
        """Disconnect without waiting; the scheduler then drops our tasks."""
        with suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(self._closing.set)

    def _call(self, method: Callable[..., Awaitable[Any]], **arguments: Any) -> Any:
        return self._client.sync(method, callback_timeout=REPLY_TIMEOUT_S, **arguments)

    def _run_loop(self, address: str, made: Future[distributed.Client]) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(self._connect(address, made))

    async def _connect(self, address: str, made: Future[distributed.Client]) -> None:
        """Connect, and stay connected until closed.

        A client made outside of a loop would wait for ever for a scheduler that accepts and is
        silent.
        """
        from distributed import Client

        client = Client(address, asynchronous=True, set_as_default=False, name="zermelo")
        try:
            await asyncio.wait_for(client, REPLY_TIMEOUT_S)
        except Exception as error:  # noqa: BLE001 - passed on to the constructor
            made.set_exception(error)
        else:
            made.set_result(client)
            await self._closing.wait()
        finally:
            with suppress(Exception):
                await client.close(timeout=CLOSE_TIMEOUT_S)


def fetch_result(theirs: distributed.Future) -> Returned | None:
    """A worker's reply; None if it was lost with the worker."""
    try:
        back: Returned = theirs.result(timeout=RESULT_TIMEOUT_S)
    except Exception as error:  # noqa: BLE001 - whatever Dask raises, it is not here
        log.warning("a result was lost: %r", error)
        return None
    return back


def fetch_error(theirs: distributed.Future) -> BaseException | None:
    try:
        error: BaseException | None = theirs.exception(timeout=RESULT_TIMEOUT_S)
    except Exception as other:  # noqa: BLE001 - the same
        return other
    return error
