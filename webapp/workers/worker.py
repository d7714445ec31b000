"""One process that thinks, and whoever waits for it: when it dies, hangs or grows, it is replaced
alone, and nobody else notices."""

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
from webapp.workers.process import Failed, Thought, sit_down
from webapp.workers.requests import Request

RUNNABLE = "R"
FAIR = 0.5  # of the time that passed: whoever got less, and wanted more, was kept from it


@dataclass(frozen=True, slots=True)
class Usage:
    """What a process has had of the processor by now, and whether it wants more."""

    seconds: float
    wants_more: bool

    def starved(self, before: Usage, passed: float) -> bool:
        """Whether, since before, it was kept from what it would have used."""
        return self.wants_more and self.seconds - before.seconds < FAIR * passed


def usage_of(pid: int | None) -> Usage:
    """As the system tells; on systems that do not, nobody ever wants more."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
            # Its name may hold anything, so count from the bracket after it: fields 3, 14, 15.
            fields = file.read().rpartition(")")[2].split()
    except OSError:
        return Usage(0.0, wants_more=False)
    ticks = int(fields[11]) + int(fields[12])
    return Usage(ticks / os.sysconf("SC_CLK_TCK"), fields[0] == RUNNABLE)


log = logging.getLogger(__name__)

START = 60.0  # seconds in which a process has loaded what it needs
EXTENSIONS = 3  # of a deadline, for whoever wants the processor and hardly gets it
LOADED = ("webapp.workers.process", "agents.roster")


class OverrunError(BrokenAgentError):
    """An agent that did not come to an end in its time."""


class DiedError(BrokenAgentError):
    """An agent that took its process with it."""


class Desk(Protocol):
    """Where one thought at a time is thought."""

    def think(self, question: Request, seconds: float, deadline: float) -> Thought:
        """What comes of it; raises BrokenAgentError, and is ready for the next either way."""

    def close(self) -> None:
        """End it, also deep in thought."""

    @property
    def is_alive(self) -> bool:
        """Whether it could be asked."""


class ProcessDesk:
    """A desk in a process of its own, which starts with the first question."""

    target: Callable[[Connection, int], None] = staticmethod(sit_down)

    def __init__(self, memory: int, courtesy: int, context: BaseContext | None = None) -> None:
        self._context = context
        self._courtesy = courtesy  # how far it steps back where others want the processor
        self._memory = memory
        self._process: BaseProcess | None = None
        self._line: Connection | None = None
        self._closed = False

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process is not None else None

    @property
    def is_alive(self) -> bool:
        return not self._closed and (self._process is None or self._process.is_alive())

    def think(self, question: Request, seconds: float, deadline: float) -> Thought:
        if self._closed:
            raise DiedError("this server is closing")
        line = self._started()
        try:
            line.send((question, seconds))
            if not self._hears(line, deadline):
                raise OverrunError(f"it was still thinking after its {deadline:g} s")
            said: Thought | Failed = line.recv()
        except (EOFError, OSError) as error:
            self._end()
            raise DiedError("its process died") from error
        except BaseException:
            self._end()
            raise
        if said.memory > self._memory:
            log.info("a thinking process has grown to %d MB and is replaced", said.memory >> 20)
            self._end()
        if isinstance(said, Failed):
            raise said.error
        return said

    def close(self) -> None:
        """Called by another thread: whoever waits at the desk sees the line end, and tidies up."""
        self._closed = True
        if (process := self._process) is not None:
            process.kill()

    def _hears(self, line: Connection, deadline: float) -> bool:
        """Whether it says something in its time, which others' use of the processor prolongs."""
        for _ in range(EXTENSIONS):
            before = usage_of(self.pid)
            if line.poll(deadline):
                return True
            if not usage_of(self.pid).starved(before, deadline):
                return False
        return line.poll(deadline)

    def _started(self) -> Connection:
        """The line to a process that is there and has loaded everything."""
        if self._line is not None and self._process is not None and self._process.is_alive():
            return self._line
        self._end()
        context = self._context or fresh_context(LOADED)
        ours, its = Pipe()
        process = context.Process(target=self.target, args=(its, self._courtesy), daemon=True)  # type: ignore[attr-defined]
        process.start()
        its.close()
        self._process, self._line = process, ours
        try:
            ready = ours.poll(START) and ours.recv()
        except (EOFError, OSError):
            ready = False
        if not ready:
            self._end()
            raise DiedError("no process could be started for it")
        return ours

    def _end(self) -> None:
        process, self._process = self._process, None
        line, self._line = self._line, None
        if process is not None:
            process.kill()  # a stopped process hears nothing less
            process.join()
        if line is not None:
            line.close()
