"""Where tasks run: processes of this machine, each with a line of its own.

A cluster is another class with the same methods. A task whose process ends raises
DiedTaskError; all else that a task raises comes out as it was raised.
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

STARTING = 60.0  # seconds in which a process has loaded what it needs
PRELOADED = ("agents.roster",)
CLOSED = "this coordinator is closing"

# A function, its arguments, and the seconds it may take.
Errand = tuple[Callable[..., Any], tuple[Any, ...], float]


class TaskExecutor(Protocol):
    """Somewhere tasks run."""

    @property
    def lanes(self) -> int:
        """How many tasks run at a time."""

    @property
    def hindrance(self) -> str | None:
        """Why nothing can run just now, for whoever waits; None where it can."""

    def submit(
        self, function: Callable[..., Any], arguments: tuple[Any, ...], seconds: float
    ) -> Future[Any]:
        """The result to come. A task that takes longer than so many seconds has died."""

    def end(self, future: Future[Any]) -> None:
        """Stop this task, with its process where it has begun."""

    def close(self) -> None:
        """End everything at once, and leave no process."""


class LocalProcesses:
    """So many processes, started when there is something to do and again when one dies.

    Each does the warming tasks first, as long as no other waits: for what they load. So does one
    that replaces another which died of its task.
    """

    hindrance = None

    def __init__(self, lanes: int, niceness: int = 0, warming: Sequence[Errand] = ()) -> None:
        self._waiting: deque[_Errand] = deque()
        self._warming = tuple(warming)
        self._changed = Condition()
        self._closed = False
        self._desks = tuple(_TaskDesk(niceness) for _ in range(lanes))
        self._threads = [
            Thread(target=self._work, args=(desk,), name="tasks", daemon=True)
            for desk in self._desks
        ]
        for thread in self._threads:
            thread.start()

    @property
    def lanes(self) -> int:
        return len(self._desks)

    @property
    def pids(self) -> tuple[int, ...]:
        """Of the processes there are."""
        return tuple(desk.pid for desk in self._desks if desk.pid is not None)

    def submit(
        self, function: Callable[..., Any], arguments: tuple[Any, ...], seconds: float
    ) -> Future[Any]:
        errand = _Errand(function, arguments, seconds)
        with self._changed:
            self._waiting.append(errand)
            self._changed.notify()
        return errand.future

    def end(self, future: Future[Any]) -> None:
        if future.cancel():
            return
        for desk in self._desks:
            desk.stop(future)

    def close(self) -> None:
        with self._changed:
            self._closed = True
            waiting, self._waiting = self._waiting, deque()
            self._changed.notify_all()
        for errand in waiting:
            errand.future.cancel()
        for desk in self._desks:
            desk.close()
        for thread in self._threads:
            thread.join()

    def _work(self, desk: _TaskDesk) -> None:
        cold = self._warm_up()
        while (errand := self._next(cold)) is not None:
            if errand.future.set_running_or_notify_cancel():
                desk.run(errand)
            if desk.pid is None and not errand.warms:
                cold = self._warm_up()
        desk.close()

    def _warm_up(self) -> deque[_Errand]:
        return deque(_Errand(*errand, warms=True) for errand in self._warming)

    def _next(self, cold: deque[_Errand]) -> _Errand | None:
        with self._changed:
            while not self._waiting and not self._closed and not cold:
                self._changed.wait()
            if self._closed:
                return None
            return self._waiting.popleft() if self._waiting else cold.popleft()


class _Errand:
    """A task on its way to a process."""

    def __init__(
        self,
        function: Callable[..., Any],
        arguments: tuple[Any, ...],
        seconds: float,
        *,
        warms: bool = False,
    ) -> None:
        self.function, self.arguments, self.seconds = function, arguments, seconds
        self.warms = warms
        self.future: Future[Any] = Future()


class _TaskDesk:
    """One process and the thread that waits for it."""

    def __init__(self, niceness: int) -> None:
        self._niceness = niceness
        self._process: BaseProcess | None = None
        self._line: Connection | None = None
        self._running: Future[Any] | None = None
        self._closed = False

    @property
    def pid(self) -> int | None:
        process = self._process
        return process.pid if process is not None and process.is_alive() else None

    def run(self, errand: _Errand) -> None:
        """The task's result or error becomes that of its future."""
        self._running = errand.future
        try:
            failed, result = self._asked(errand)
        except DiedTaskError as error:
            self._end()
            failed, result = True, error
        finally:
            self._running = None
        if failed:
            errand.future.set_exception(result)
        else:
            errand.future.set_result(result)

    def stop(self, future: Future[Any]) -> None:
        """Called by another thread: whoever waits here sees the line end, and goes on."""
        if self._running is future and (process := self._process) is not None:
            process.kill()

    def close(self) -> None:
        self._closed = True
        if (process := self._process) is not None:
            process.kill()
            process.join()

    def _asked(self, errand: _Errand) -> tuple[bool, Any]:
        line = self._started()
        try:
            line.send((errand.function, errand.arguments))
            until = monotonic() + errand.seconds
            if not line.poll(max(0.0, until - monotonic())):
                raise DiedTaskError(f"it was not done after {errand.seconds:g} s")
            said: tuple[bool, Any] = line.recv()
        except (EOFError, OSError) as error:
            raise DiedTaskError("the process that worked on it ended") from error
        return said

    def _started(self) -> Connection:
        if self._closed:
            raise DiedTaskError(CLOSED)
        if self._line is not None and self._process is not None and self._process.is_alive():
            return self._line
        self._end()
        context: Any = fresh_context(PRELOADED)
        ours, its = Pipe()
        process = context.Process(target=work, args=(its, self._niceness), daemon=True)
        try:
            process.start()
        except (OSError, EOFError) as error:  # the latter where the fork server is killed now
            ours.close()
            raise DiedTaskError(f"no process could be started: {error}") from error
        finally:
            its.close()
        self._process, self._line = process, ours
        if self._closed:  # meanwhile
            process.kill()
        with suppress(EOFError, OSError):
            if ours.poll(STARTING) and ours.recv():
                return ours
        raise DiedTaskError("no process could be started for it")

    def _end(self) -> None:
        process, self._process = self._process, None
        line, self._line = self._line, None
        if process is not None:
            process.kill()
            process.join()
        if line is not None:
            line.close()


def work(line: Connection, niceness: int) -> None:
    """What runs in a process: one task after the other, until nobody holds the line's other end."""
    start_worker()
    if sys.platform != "win32":
        os.nice(niceness)
    line.send(True)
    while True:
        try:
            function, arguments = line.recv()
            line.send_bytes(done(function, arguments))
        except (EOFError, OSError):
            return
