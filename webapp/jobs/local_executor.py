"""Task executors: the protocol, and the one with processes of this machine.

A task whose process ends raises DiedTaskError; other exceptions of a task are passed on.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from threading import Condition, Thread
from typing import Any, Protocol

from agents.compute.child_process import (
    Worker,
    WorkerDiedError,
    WorkerStartError,
    WorkerTimeoutError,
    in_process,
    serve,
)
from agents.compute.processes import done
from webapp.jobs.models import DiedTaskError

PRELOADED = ("agents.roster",)

# A function, its arguments, and its timeout in seconds.
TaskCall = tuple[Callable[..., Any], tuple[Any, ...], float]


class TaskExecutor(Protocol):
    """Runs tasks."""

    @property
    def lanes(self) -> int:
        """How many tasks run at a time."""

    @property
    def hindrance(self) -> str | None:
        """Why nothing can run now, for the page of a job; None if it can."""

    def submit(
        self,
        function: Callable[..., Any],
        arguments: tuple[Any, ...],
        seconds: float,
        *,
        express: bool = False,
    ) -> Future[Any]:
        """Queue a task, which counts as died after so many seconds; express ones come first."""

    def end(self, future: Future[Any]) -> None:
        """Stop this task, with its process if it runs."""

    def close(self) -> None:
        """Stop all tasks and processes at once."""


@dataclass(eq=False, slots=True)
class _QueuedTask:
    """A task and its future."""

    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    seconds: float
    is_warm_up: bool = False
    future: Future[Any] = field(default_factory=Future)

    def run(self, worker: Worker) -> None:
        """Run it and set its future."""
        try:
            self.future.set_result(worker.call((self.function, self.arguments), self.seconds))
        except WorkerTimeoutError:
            self.future.set_exception(DiedTaskError(f"it was not done after {self.seconds:g} s"))
        except WorkerStartError as error:
            self.future.set_exception(DiedTaskError(str(error)))
        except WorkerDiedError:
            self.future.set_exception(DiedTaskError("the process that worked on it ended"))
        except Exception as error:  # noqa: BLE001 - of the task
            self.future.set_exception(error)


class LocalProcesses:
    """A fixed number of processes, started when needed and restarted when they die.

    Each new process runs the warm-up tasks first, as long as no other task waits; one process does
    at a time, so that the others are there for whoever comes meanwhile. There is a spare process
    for each, which runs express tasks alone: they begin at once, however long the tasks of the
    others last. It runs the first task of the warm-up, so that it has started by then.
    """

    hindrance = None

    def __init__(self, lanes: int, niceness: int = 0, warm_up: Sequence[TaskCall] = ()) -> None:
        self._waiting: deque[_QueuedTask] = deque()
        self._express: deque[_QueuedTask] = deque()
        self._warm_up_calls = tuple(warm_up)
        self._changed = Condition()
        self._closed = False
        self._is_warming = False
        start = in_process(serve, done, preload=PRELOADED, niceness=niceness)
        self._lanes = lanes
        self._workers = tuple(Worker(start) for _ in range(2 * lanes))
        self._running: dict[Worker, _QueuedTask] = {}
        self._threads = [
            Thread(target=self._work, args=(worker, number >= lanes), name="tasks", daemon=True)
            for number, worker in enumerate(self._workers)
        ]
        for thread in reversed(self._threads):  # the spare ones warm up first
            thread.start()

    @property
    def lanes(self) -> int:
        return self._lanes

    @property
    def pids(self) -> tuple[int, ...]:
        """Of the running processes."""
        return tuple(pid for worker in self._workers if (pid := worker.pid) is not None)

    def submit(
        self,
        function: Callable[..., Any],
        arguments: tuple[Any, ...],
        seconds: float,
        *,
        express: bool = False,
    ) -> Future[Any]:
        task = _QueuedTask(function, arguments, seconds)
        with self._changed:
            (self._express if express else self._waiting).append(task)
            self._changed.notify_all()
        return task.future

    def end(self, future: Future[Any]) -> None:
        if future.cancel():
            return
        for worker, task in tuple(self._running.items()):
            if task.future is future:
                worker.kill()

    def close(self) -> None:
        with self._changed:
            self._closed = True
            waiting = [*self._express, *self._waiting]
            self._express.clear()
            self._waiting.clear()
            self._changed.notify_all()
        for task in waiting:
            task.future.cancel()
        for worker in self._workers:
            worker.close()
        for thread in self._threads:
            thread.join()

    def _work(self, worker: Worker, is_spare: bool) -> None:
        warm_up = self._warm_up_tasks(is_spare)
        while (task := self._next(warm_up, is_spare)) is not None:
            if task.future.set_running_or_notify_cancel():
                self._running[worker] = task
                task.run(worker)
                del self._running[worker]
            if task.is_warm_up:
                self._warmed()
            if worker.pid is None and not task.is_warm_up:
                warm_up = self._warm_up_tasks(is_spare)
        worker.close()

    def _warm_up_tasks(self, is_spare: bool) -> deque[_QueuedTask]:
        calls = self._warm_up_calls[:1] if is_spare else self._warm_up_calls
        return deque(_QueuedTask(*call, is_warm_up=True) for call in calls)

    def _next(self, warm_up: deque[_QueuedTask], is_spare: bool) -> _QueuedTask | None:
        """The next task; None once this is closed."""
        queues = (self._express,) if is_spare else (self._express, self._waiting)
        with self._changed:
            while not self._closed:
                if queue := next((each for each in queues if each), None):
                    return queue.popleft()
                if warm_up and not self._is_warming:
                    self._is_warming = True
                    return warm_up.popleft()
                self._changed.wait()
            return None

    def _warmed(self) -> None:
        with self._changed:
            self._is_warming = False
            self._changed.notify_all()
