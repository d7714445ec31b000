"""One worker process as the pool sees it: replaced alone when it dies, hangs or grows."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from multiprocessing.context import BaseContext
from multiprocessing.process import BaseProcess
from typing import Protocol

from agents.compute.processes import fresh_context
from agents.errors import BrokenAgentError
from webapp.workers.process import Failure, Result, serve_requests
from webapp.workers.requests import Request

log = logging.getLogger(__name__)

START_TIMEOUT_S = 60.0  # in which a process has loaded what it needs
MAX_EXTENSIONS = 3  # of a deadline, where a process is runnable and hardly gets the processor
FAIR_SHARE = 0.5  # of the time that passed: a runnable process that got less was starved
RUNNABLE = "R"  # a state in /proc/<pid>/stat
PRELOADED = ("webapp.workers.process", "agents.roster")


class OverrunError(BrokenAgentError):
    """An agent that missed its deadline."""


class WorkerDiedError(BrokenAgentError):
    """An agent whose process ended."""


class Worker(Protocol):
    """Runs one request at a time."""

    def run(self, request: Request, seconds: float, deadline: float) -> Result:
        """Its result; raises BrokenAgentError, and is ready for the next either way."""

    def close(self) -> None:
        """End it, even while it runs a request."""

    @property
    def is_alive(self) -> bool:
        """Whether it takes requests."""


class ProcessWorker:
    """A worker in a process of its own, started by the first request."""

    target: Callable[[Connection, int], None] = staticmethod(serve_requests)

    def __init__(self, max_memory: int, niceness: int, context: BaseContext | None = None) -> None:
        self._context = context
        self._niceness = niceness
        self._max_memory = max_memory  # bytes, beyond which it is replaced
        self._process: BaseProcess | None = None
        self._connection: Connection | None = None
        self._closed = False

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process is not None else None

    @property
    def is_alive(self) -> bool:
        return not self._closed and (self._process is None or self._process.is_alive())

    def run(self, request: Request, seconds: float, deadline: float) -> Result:
        if self._closed:
            raise WorkerDiedError("this server is closing")
        connection = self._connected()
        try:
            connection.send((request, seconds))
            if not self._replies(connection, deadline):
                raise OverrunError(f"it was still thinking after its {deadline:g} s")
            reply: Result | Failure = connection.recv()
        except (EOFError, OSError) as error:
            self._end()
            raise WorkerDiedError("its process died") from error
        except BaseException:
            self._end()
            raise
        if reply.memory > self._max_memory:
            log.info("a thinking process has grown to %d MB and is replaced", reply.memory >> 20)
            self._end()
        if isinstance(reply, Failure):
            raise reply.error
        return reply

    def close(self) -> None:
        """Called by another thread: the one in `run` gets an EOFError and cleans up."""
        self._closed = True
        if (process := self._process) is not None:
            process.kill()

    def _replies(self, connection: Connection, deadline: float) -> bool:
        """Whether a reply comes in time; the deadline is extended while the process is starved."""
        for _ in range(MAX_EXTENSIONS):
            before = usage_of(self.pid)
            if connection.poll(deadline):
                return True
            if not usage_of(self.pid).starved(before, deadline):
                return False
        return connection.poll(deadline)

    def _connected(self) -> Connection:
        """The connection to a running process, started if there is none."""
        if self._connection is not None and self._process is not None and self._process.is_alive():
            return self._connection
        self._end()
        context = self._context or fresh_context(PRELOADED)
        ours, its = Pipe()
        process = context.Process(target=self.target, args=(its, self._niceness), daemon=True)  # type: ignore[attr-defined]
        process.start()
        its.close()
        self._process, self._connection = process, ours
        try:
            ready = ours.poll(START_TIMEOUT_S) and ours.recv()
        except (EOFError, OSError):
            ready = False
        if not ready:
            self._end()
            raise WorkerDiedError("no process could be started for it")
        return ours

    def _end(self) -> None:
        process, self._process = self._process, None
        connection, self._connection = self._connection, None
        if process is not None:
            process.kill()  # SIGTERM would not reach a stopped process
            process.join()
        if connection is not None:
            connection.close()


@dataclass(frozen=True, slots=True)
class Usage:
    """The processor time of a process, and whether it is runnable."""

    seconds: float
    wants_more: bool

    def starved(self, before: Usage, passed: float) -> bool:
        """Whether it was runnable and got less than its fair share of the time since `before`."""
        return self.wants_more and self.seconds - before.seconds < FAIR_SHARE * passed


def usage_of(pid: int | None) -> Usage:
    """From /proc; without it, no process counts as runnable."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
            # The name may hold anything, so count from the bracket after it: fields 3, 14, 15.
            fields = file.read().rpartition(")")[2].split()
    except OSError:
        return Usage(0.0, wants_more=False)
    ticks = int(fields[11]) + int(fields[12])
    return Usage(ticks / os.sysconf("SC_CLK_TCK"), fields[0] == RUNNABLE)
