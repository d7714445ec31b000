"""Task executors: the protocol, and the one with processes of this machine.

A task whose process ends raises DiedTaskError; other exceptions of a task are passed on.
"""

from __future__ import annotations

import os
import sys
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from threading import Condition, Thread
from time import monotonic
from typing import Any, Protocol

from agents.compute.processes import done, fresh_context, start_worker
from webapp.jobs.models import DiedTaskError

START_TIMEOUT_S = 60.0  # in which a process has loaded what it needs
PRELOADED = ("agents.roster",)
CLOSED = "this coordinator is closing"

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
        self, function: Callable[..., Any], arguments: tuple[Any, ...], seconds: float
    ) -> Future[Any]:
        """Queue a task, which counts as died after so many seconds."""

    def end(self, future: Future[Any]) -> None:
        """Stop this task, with its process if it runs."""

    def close(self) -> None:
        """Stop all tasks and processes at once."""


class LocalProcesses:
    """A fixed number of processes, started when needed and restarted when they die.

    Each new process runs the warm-up tasks first, as long as no other task waits.
    """

    hindrance = None

    def __init__(self, lanes: int, niceness: int = 0, warm_up: Sequence[TaskCall] = ()) -> None:
        self._waiting: deque[_QueuedTask] = deque()
        self._warm_up_calls = tuple(warm_up)
        self._changed = Condition()
        self._closed = False
        self._workers = tuple(_TaskWorker(niceness) for _ in range(lanes))
        self._threads = [
            Thread(target=self._work, args=(worker,), name="tasks", daemon=True)
            for worker in self._workers
        ]
        for thread in self._threads:
            thread.start()

    @property
    def lanes(self) -> int:
        return len(self._workers)

    @property
    def pids(self) -> tuple[int, ...]:
        """Of the running processes."""
        return tuple(worker.pid for worker in self._workers if worker.pid is not None)

    def submit(
        self, function: Callable[..., Any], arguments: tuple[Any, ...], seconds: float
    ) -> Future[Any]:
        task = _QueuedTask(function, arguments, seconds)
        with self._changed:
            self._waiting.append(task)
            self._changed.notify()
        return task.future

    def end(self, future: Future[Any]) -> None:
        if future.cancel():
            return
        for worker in self._workers:
            worker.stop(future)

    def close(self) -> None:
        with self._changed:
            self._closed = True
            waiting, self._waiting = self._waiting, deque()
            self._changed.notify_all()
        for task in waiting:
            task.future.cancel()
        for worker in self._workers:
            worker.close()
        for thread in self._threads:
            thread.join()

    def _work(self, worker: _TaskWorker) -> None:
        warm_up = self._warm_up_tasks()
        while (task := self._next(warm_up)) is not None:
            if task.future.set_running_or_notify_cancel():
                worker.run(task)
            if worker.pid is None and not task.is_warm_up:
                warm_up = self._warm_up_tasks()
        worker.close()

    def _warm_up_tasks(self) -> deque[_QueuedTask]:
        return deque(_QueuedTask(*call, is_warm_up=True) for call in self._warm_up_calls)

    def _next(self, warm_up: deque[_QueuedTask]) -> _QueuedTask | None:
        with self._changed:
            while not self._waiting and not self._closed and not warm_up:
                self._changed.wait()
            if self._closed:
                return None
            return self._waiting.popleft() if self._waiting else warm_up.popleft()


class _QueuedTask:
    """A task and its future."""

    def __init__(
        self,
        function: Callable[..., Any],
        arguments: tuple[Any, ...],
        seconds: float,
        *,
        is_warm_up: bool = False,
    ) -> None:
        self.function, self.arguments, self.seconds = function, arguments, seconds
        self.is_warm_up = is_warm_up
        self.future: Future[Any] = Future()


class _TaskWorker:
    """One process, used by one thread."""

    def __init__(self, niceness: int) -> None:
        self._niceness = niceness
        self._process: BaseProcess | None = None
        self._connection: Connection | None = None
        self._running: Future[Any] | None = None
        self._closed = False

    @property
    def pid(self) -> int | None:
        process = self._process
        return process.pid if process is not None and process.is_alive() else None

    def run(self, task: _QueuedTask) -> None:
        """Run a task and set its future."""
        self._running = task.future
        try:
            failed, result = self._outcome(task)
        except DiedTaskError as error:
            self._end()
            failed, result = True, error
        finally:
            self._running = None
        if failed:
            task.future.set_exception(result)
        else:
            task.future.set_result(result)

    def stop(self, future: Future[Any]) -> None:
        """Called by another thread: the one in `run` gets an EOFError."""
        if self._running is future and (process := self._process) is not None:
            process.kill()

    def close(self) -> None:
        self._closed = True
        if (process := self._process) is not None:
            process.kill()
            process.join()

    def _outcome(self, task: _QueuedTask) -> tuple[bool, Any]:
        connection = self._connected()
        try:
            connection.send((task.function, task.arguments))
            until = monotonic() + task.seconds
            if not connection.poll(max(0.0, until - monotonic())):
                raise DiedTaskError(f"it was not done after {task.seconds:g} s")
            outcome: tuple[bool, Any] = connection.recv()
        except (EOFError, OSError) as error:
            raise DiedTaskError("the process that worked on it ended") from error
        return outcome

    def _connected(self) -> Connection:
        if self._closed:
            raise DiedTaskError(CLOSED)
        if self._connection is not None and self._process is not None and self._process.is_alive():
            return self._connection
        self._end()
        context: Any = fresh_context(PRELOADED)
        ours, its = Pipe()
        process = context.Process(target=serve_tasks, args=(its, self._niceness), daemon=True)
        try:
            process.start()
        except (OSError, EOFError) as error:  # the latter where the fork server is killed now
            ours.close()
            raise DiedTaskError(f"no process could be started: {error}") from error
        finally:
            its.close()
        self._process, self._connection = process, ours
        if self._closed:  # meanwhile
            process.kill()
        with suppress(EOFError, OSError):
            if ours.poll(START_TIMEOUT_S) and ours.recv():
                return ours
        raise DiedTaskError("no process could be started for it")

    def _end(self) -> None:
        process, self._process = self._process, None
        connection, self._connection = self._connection, None
        if process is not None:
            process.kill()
            process.join()
        if connection is not None:
            connection.close()


def serve_tasks(connection: Connection, niceness: int) -> None:
    """The main loop of a process: run tasks until the other end of the connection is closed."""
    start_worker()
    if sys.platform != "win32":
        os.nice(niceness)
    connection.send(True)
    while True:
        try:
            function, arguments = connection.recv()
            connection.send_bytes(done(function, arguments))
        except (EOFError, OSError):
            return
