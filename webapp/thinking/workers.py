"""Worker processes that may be asked before they are there: who asks never waits for the start."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import (
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
)
from multiprocessing.process import BaseProcess
from typing import Any

from agents.compute.processes import worker_pool

# By every worker, before its first question.
LOADED = ("webapp.thinking.worker", "agents.roster")


def workers(number: int) -> Ushered:
    """That many processes in which agents think."""
    return Ushered(worker_pool(number, LOADED))


class Ushered(Executor):
    """A pool whose questions are handed in by a thread of its own.

    A pool starts its workers within `submit`, which takes as long as they need to load.
    """

    def __init__(self, pool: ProcessPoolExecutor) -> None:
        self._pool = pool
        self._usher = ThreadPoolExecutor(1, "usher")

    @property
    def processes(self) -> list[BaseProcess]:
        return list((self._pool._processes or {}).values())

    def submit(self, function: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future[Any]:
        """The answer to come; one that cannot be had is a BrokenExecutor."""
        answer: Future[Any] = Future()
        self._usher.submit(self._hand_in, answer, function, arguments, named)
        return answer

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the pool; with `cancel_futures` also the workers that are deep in thought."""
        self._usher.shutdown(wait=wait, cancel_futures=cancel_futures)
        processes = self.processes if cancel_futures else []
        self._pool.shutdown(wait=wait, cancel_futures=cancel_futures)
        for process in processes:
            process.terminate()
        for process in processes:
            process.join(5)

    def _hand_in(
        self,
        answer: Future[Any],
        function: Callable[..., Any],
        arguments: tuple[Any, ...],
        named: dict[str, Any],
    ) -> None:
        try:
            asked = self._pool.submit(function, *arguments, **named)
        except RuntimeError as error:
            answer.set_exception(BrokenExecutor(str(error)))
        else:
            asked.add_done_callback(lambda done: _pass_on(done, answer))


def _pass_on(done: Future[Any], answer: Future[Any]) -> None:
    error = CancelledError() if done.cancelled() else done.exception()
    if error is None:
        answer.set_result(done.result())
    else:
        answer.set_exception(error)
