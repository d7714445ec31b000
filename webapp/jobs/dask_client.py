"""A Dask scheduler that we are connected to. Whatever it is asked, the wait for an answer has an
end: one that hangs, or whose workers do, must not hang us.
"""

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

PATIENCE = 10.0  # seconds for any word of the scheduler
GATHERING = 5.0  # seconds for a result that is there
PARTING = 1.0  # seconds for a goodbye
IN_HAND = ("waiting", "queued", "no-worker", "processing")  # a task of which more will be heard


class Scheduler:
    """A connection with a thread and an event loop of its own, which end with it."""

    def __init__(self, address: str) -> None:
        """Raises OSError where nobody answers."""
        self._loop = asyncio.new_event_loop()
        self._parted = asyncio.Event()
        made: Future[distributed.Client] = Future()
        Thread(target=self._live, args=(address, made), name="scheduler", daemon=True).start()
        self._client = made.result()

    @property
    def is_there(self) -> bool:
        """Whether it has been heard, and nothing since that says it is gone."""
        return bool(self._client.status == "running")

    def threads(self) -> int:
        """How many tasks its workers do at a time."""
        return sum(self._asked(self._client.scheduler.ncores).values())

    def in_hand(self, keys: Collection[str]) -> list[str]:
        """Those of these tasks that it knows, and has not told the end of."""
        states = self._asked(self._client.scheduler.get_task_status, keys=list(keys))
        return [key for key, state in states.items() if state in IN_HAND]

    def tell_strangers(self) -> None:
        """Log which workers are another Zermelo; each task is checked by its worker too."""
        ours = fingerprint()
        try:
            makes = self._client.run(fingerprint, on_error="ignore", callback_timeout=PATIENCE)
        except TimeoutError:
            log.warning("some worker does not say which Zermelo it is")
            return
        for worker, theirs in makes.items():
            if theirs != ours:
                log.error("worker %s is another Zermelo: %s, not %s", worker, theirs, ours)

    def submit(self, parcel: Parcel) -> distributed.Future:
        return self._client.submit(perform, parcel, pure=False, retries=0)

    def end_worker(self, theirs: distributed.Future) -> bool:
        """Nobody can stop a function that runs but with its worker; False where none was at it."""
        try:
            busy = self._asked(self._client.scheduler.processing)
            workers = [worker for worker, keys in busy.items() if theirs.key in keys]
            theirs.release()
            if workers:
                self._asked(
                    self._client.scheduler.restart_workers,
                    workers=workers,
                    timeout=PATIENCE / 2,
                    on_error="return",
                    stimulus_id=f"zermelo-{time()}",
                )
        except Exception as error:  # noqa: BLE001 - whatever Dask raises, it is not the task's fault
            log.warning("a worker could not be ended: %r", error)
            return False
        return bool(workers)

    def close(self) -> None:
        """Part in a moment, whether or not it answers: it forgets what a client asked that left."""
        with suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(self._parted.set)

    def _asked(self, question: Callable[..., Awaitable[Any]], **about: Any) -> Any:
        return self._client.sync(question, callback_timeout=PATIENCE, **about)

    def _live(self, address: str, made: Future[distributed.Client]) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(self._connection(address, made))

    async def _connection(self, address: str, made: Future[distributed.Client]) -> None:
        """From the first word to the last.

        A client made outside of a loop waits for ever for one who takes its call and says nothing.
        """
        from distributed import Client

        client = Client(address, asynchronous=True, set_as_default=False, name="zermelo")
        try:
            await asyncio.wait_for(client, PATIENCE)
        except Exception as error:  # noqa: BLE001 - whoever waits for it is told
            made.set_exception(error)
        else:
            made.set_result(client)
            await self._parted.wait()
        finally:
            with suppress(Exception):
                await client.close(timeout=PARTING)


def gathered(theirs: distributed.Future) -> Returned | None:
    """What a worker has sent back; None where it went with what it had."""
    try:
        back: Returned = theirs.result(timeout=GATHERING)
    except Exception as error:  # noqa: BLE001 - whatever Dask raises, it is not here
        log.warning("a result was lost: %r", error)
        return None
    return back


def error_of(theirs: distributed.Future) -> BaseException | None:
    try:
        error: BaseException | None = theirs.exception(timeout=GATHERING)
    except Exception as other:  # noqa: BLE001 - the same
        return other
    return error
