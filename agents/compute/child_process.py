"""One worker process with a duplex channel: started when needed, killed when late, then replaced.

`in_process` runs a function of ours in a new process, `by_command` any program. Either is the
leader of a process group, which is killed as a whole.
"""

from __future__ import annotations

import logging
import mmap
import os
import signal
import subprocess
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from time import monotonic
from typing import Any, Protocol

from agents.compute.processes import fresh_context, start_worker
from agents.errors import BrokenAgentError

log = logging.getLogger(__name__)

START_TIMEOUT_S = 60.0  # in which a process has loaded what it needs
MAX_EXTENSIONS = 3  # of a deadline, where a process is runnable and hardly gets the processor
FAIR_SHARE = 0.5  # of the time that passed: a runnable process that got less was starved
RUNNABLE, STOPPED = "R", "T"  # states in /proc/<pid>/stat
STOP_CHECK_S = 5.0  # between two looks at whether a process was stopped


class WorkerTimeoutError(BrokenAgentError):
    """A worker that missed its deadline."""


class WorkerDiedError(BrokenAgentError):
    """A worker whose process ended."""


class WorkerStartError(WorkerDiedError):
    """A worker whose process could not be started."""


class Process(Protocol):
    """A started process."""

    @property
    def pid(self) -> int | None: ...
    def is_alive(self) -> bool: ...
    def kill(self) -> None: ...
    def join(self) -> None: ...


# Starts a process at the other end of this channel.
Starter = Callable[[Any], Process]


class Worker:
    """A process for one thread, which sends and receives; other threads may kill it."""

    def __init__(
        self,
        start: Starter,
        *,
        greets: bool = True,
        max_memory: int | None = None,
        connect: Callable[[], tuple[Any, Any]] = Pipe,
        kill: Callable[[Process], None] | None = None,
    ) -> None:
        self._start = start
        self._kill = kill or kill_group  # with all it has started
        self._connect = connect  # (our end, its end) of a channel with the methods of Pipe's
        self._greets = greets  # whether its first message says that it is ready
        self._max_memory = max_memory  # bytes, beyond which it is replaced after a reply
        self._process: Process | None = None
        self._connection: Any = None
        self._starting: float | None = None  # since when
        self._closed = False

    @property
    def pid(self) -> int | None:
        """Of the running process, if there is one."""
        process = self._process
        return process.pid if process is not None and process.is_alive() else None

    @property
    def is_alive(self) -> bool:
        """Whether it takes messages; a process is started by the first, unless that hangs."""
        since = self._starting
        if since is not None and monotonic() - since > START_TIMEOUT_S:
            return False
        if self._closed or is_stopped(self.pid):
            return False
        return self._process is None or self._process.is_alive()

    def call(self, message: Any, seconds: float) -> Any:
        """Send a message to `serve`: the result, or what was raised there.

        Raises WorkerTimeoutError and WorkerDiedError.
        """
        self.send(message)
        failed, result = self.receive(seconds)
        memory = 0 if self._max_memory is None else memory_of(self.pid)
        if self._max_memory is not None and memory > self._max_memory:
            log.info("a worker process has grown to %d MB and is replaced", memory >> 20)
            self.end()
        if failed:
            raise result
        return result

    def send(self, message: Any) -> None:
        """Start the process if there is none, and send; raises WorkerDiedError."""
        connection = self._connected()
        try:
            connection.send(message)
        except OSError as error:
            self.end()
            raise WorkerDiedError("its process died") from error
        except BaseException:  # what cannot be sent
            self.end()
            raise

    def receive(self, seconds: float) -> Any:
        """The next message; without one in time, or at its end, the process is killed.

        Raises WorkerTimeoutError and WorkerDiedError.
        """
        connection = self._connection
        try:
            if connection is None:
                raise EOFError
            if not self._is_readable(connection, seconds):
                raise WorkerTimeoutError(f"it was still thinking after its {seconds:g} s")
            return connection.recv()
        except (EOFError, OSError) as error:
            self.end()
            raise WorkerDiedError("its process died") from error
        except BaseException:
            self.end()
            raise

    def kill(self) -> None:
        """Called by another thread: the one that receives gets a WorkerDiedError."""
        if (process := self._process) is not None:
            self._kill(process)

    def close(self) -> None:
        """End it for good, even while it is busy."""
        self._closed = True
        if (process := self._process) is not None:
            self._kill(process)
            process.join()

    def end(self) -> None:
        """End the process; the next message starts another."""
        process, self._process = self._process, None
        connection, self._connection = self._connection, None
        if process is not None:
            self._kill(process)
            process.join()
        if connection is not None:
            connection.close()

    def _is_readable(self, connection: Any, seconds: float) -> bool:
        """Whether a message comes in time; a process that is starved gets more."""
        pid = self.pid
        for _ in range(MAX_EXTENSIONS):
            before = usage_of(pid)
            if self._comes_within(connection, seconds):
                return True
            if not usage_of(pid).starved(before, seconds):
                return False
        return self._comes_within(connection, seconds)

    def _comes_within(self, connection: Any, seconds: float) -> bool:
        """Poll; a process that was stopped is not waited for."""
        until, was_stopped = monotonic() + seconds, False
        while (left := until - monotonic()) > STOP_CHECK_S:
            if connection.poll(STOP_CHECK_S):
                return True
            if was_stopped and is_stopped(self.pid):
                return False
            was_stopped = is_stopped(self.pid)
        return bool(connection.poll(max(0.0, left)))

    def _connected(self) -> Any:
        """The connection to a running process, started if there is none.

        One that was stopped while it had nothing to do is replaced: nobody waits for it.
        """
        if self._connection is not None and self._process is not None and self.is_alive:
            return self._connection
        self.end()
        if self._closed:
            raise WorkerDiedError("this server is closing")
        ours, its = self._connect()
        self._starting = monotonic()
        try:
            process = self._start(its)
        except (OSError, EOFError) as error:  # the latter where the fork server is killed now
            ours.close()
            raise WorkerStartError(f"no process could be started: {error}") from error
        finally:
            self._starting = None
            its.close()
        self._process, self._connection = process, ours
        if self._closed:  # meanwhile
            self._kill(process)
        with suppress(EOFError, OSError):
            if not self._greets or (ours.poll(START_TIMEOUT_S) and ours.recv()):
                return ours
        self.end()
        raise WorkerStartError("no process could be started for it")


def in_process(
    target: Callable[..., None],
    *arguments: Any,
    preload: Sequence[str] = (),
    niceness: int = 0,
    address_space: int | None = None,
) -> Starter:
    """Run `target(connection, *arguments)` in a new process, which exits with this one.

    `preload` are modules of the fork server, `address_space` bytes that the process may map.
    """

    def start(connection: Connection) -> Process:
        context: Any = fresh_context(preload)
        settings = (niceness, address_space)
        process: Process = context.Process(
            target=_main, args=(connection, target, arguments, *settings), daemon=True
        )
        process.start()  # type: ignore[attr-defined]
        return process

    return start


def by_command(command: Sequence[str], environment: Mapping[str, str] | None = None) -> Starter:
    """Run a program whose standard input is the channel, in both directions (`standard_input`).

    For processes that may not have children by multiprocessing, as Dask's workers.
    """

    def start(connection: Connection) -> Process:
        return Program(command, stdin=connection.fileno(), env=environment, process_group=0)

    return start


def standard_input() -> Connection:
    """The channel of a program started `by_command`; what it prints goes to standard error."""
    channel = Connection(os.dup(0))
    os.dup2(2, 1)
    return channel


class Program(subprocess.Popen[bytes]):
    """A program with the interface of a Process."""

    def is_alive(self) -> bool:
        return self.poll() is None

    def join(self) -> None:
        self.wait()


def _main(
    connection: Connection,
    target: Callable[..., None],
    arguments: tuple[Any, ...],
    niceness: int,
    address_space: int | None,
) -> None:
    if hasattr(os, "setpgid"):  # not on Windows
        os.setpgid(0, 0)
        os.nice(niceness)
    start_worker()
    if address_space is not None:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (address_space, address_space))
    connection.send(True)
    target(connection, *arguments)


def serve(connection: Connection, function: Callable[..., bytes]) -> None:
    """Reply to every message, the arguments of the function, until the other end is closed.

    The function returns (failed, result) pickled, as `processes.done` does.
    """
    while True:
        try:
            connection.send_bytes(function(*connection.recv()))
        except (EOFError, OSError):
            return


def kill_group(process: Process) -> None:
    """Kill a process with all it started. SIGTERM would not reach a stopped one."""
    if process.pid is not None and hasattr(os, "killpg"):
        with suppress(OSError):  # it has no group yet, or has ended
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()


@dataclass(frozen=True, slots=True)
class Usage:
    """The processor time of a process, and whether it is runnable."""

    seconds: float
    wants_more: bool

    def starved(self, before: Usage, passed: float) -> bool:
        """Whether it was runnable and got less than its fair share of the time since `before`."""
        return self.wants_more and self.seconds - before.seconds < FAIR_SHARE * passed


def is_stopped(pid: int | None) -> bool:
    """Whether a process was stopped by a signal; False on systems without /proc."""
    return STOPPED in stat_fields(pid)[:1]


def stat_fields(pid: int | None) -> list[str]:
    """The fields of /proc/<pid>/stat from the state on; none without it."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
            # The name may hold anything, so count from the bracket after it.
            return file.read().rpartition(")")[2].split()
    except OSError:
        return []


def usage_of(pid: int | None) -> Usage:
    """From /proc; without it, no process counts as runnable."""
    if not (fields := stat_fields(pid)):  # 3, 14 and 15
        return Usage(0.0, wants_more=False)
    ticks = int(fields[11]) + int(fields[12])
    return Usage(ticks / os.sysconf("SC_CLK_TCK"), fields[0] == RUNNABLE)


def memory_of(pid: int | None) -> int:
    """Bytes a process holds; 0 on systems without /proc.

    Without mapped files: libraries and solved tables are shared between processes.
    """
    try:
        with open(f"/proc/{pid}/statm", encoding="ascii") as file:
            _, resident, mapped, *_ = map(int, file.read().split())
            return (resident - mapped) * mmap.PAGESIZE
    except OSError:
        return 0
