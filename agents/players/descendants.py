"""What a player's process starts: counted while it runs, and killed with it. By /proc."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread, get_native_id
from time import monotonic

from agents.compute.child_process import Process, kill_group, stat_fields

MAX_PROCESSES = 64  # of one player
WATCH_INTERVAL_S = 0.05
KILL_TIMEOUT_S = 10.0
FIRST = -20  # of priorities
ENDED = "ZX"  # states in /proc/<pid>/stat
MARK = "PLAYER_PROCESS"  # in the environment of a process and of all it starts


class ProcessWatch:
    """Ends a player that starts far too many processes, which no resource limit does for root."""

    def __init__(self, pid: int, kill: Callable[[], None]) -> None:
        self.pid, self.exceeded = pid, False
        self._seen: dict[int, str] = {}  # what it has started, and when
        self._kill, self._ended = kill, Event()
        Thread(target=self._watch, name="player's processes", daemon=True).start()

    def end(self) -> None:
        self._ended.set()

    def left(self) -> list[int]:
        """What was seen and still runs, though perhaps below nothing of the player's."""
        return [pid for pid, began in tuple(self._seen.items()) if _began(pid) == began]

    def _watch(self) -> None:
        with suppress(OSError, AttributeError):  # root's alone, and only for root is it needed:
            os.setpriority(os.PRIO_PROCESS, get_native_id(), FIRST)  # a fork bomb leaves no turn
        while not self._ended.wait(WATCH_INTERVAL_S):
            found = descendants(self.pid)
            self._seen = {pid: _began(pid) for pid in {*found, *self.left()}}
            if len(found) > 2 * MAX_PROCESSES:  # a file's own process counts first
                self.exceeded = True
                self._kill()
                return


def descendants(pid: int, most: int = 2 * MAX_PROCESSES) -> list[int]:
    """The processes below a process, a few more than `most` at the most."""
    found: list[int] = []
    waiting = [pid]
    while waiting and len(found) <= most:
        children = _children(waiting.pop())
        found += children
        waiting += children
    return found


def _children(pid: int) -> list[int]:
    """None where the process has ended, or without /proc."""
    try:
        tasks = list(Path(f"/proc/{pid}/task").iterdir())
        return [int(word) for task in tasks for word in (task / "children").read_text().split()]
    except (OSError, ValueError):
        return []


def _began(pid: int) -> str:
    """In ticks since the machine's start; empty where the process has ended."""
    fields = stat_fields(pid)
    return fields[19] if fields and fields[0] not in ENDED else ""


def kill_tree(process: Process) -> None:
    """Kill a process with all it started, also what has left its group and environment.

    While the process is stopped it starts nothing more, and what lost its parent comes below it.
    """
    if process.pid is not None and hasattr(os, "killpg") and process.is_alive():
        with suppress(OSError):
            os.killpg(process.pid, signal.SIGSTOP)
        end = monotonic() + KILL_TIMEOUT_S
        while monotonic() < end:
            running = [pid for pid in descendants(process.pid) if _began(pid)]
            if not running:
                break
            for pid in running:
                with suppress(OSError):
                    os.kill(pid, signal.SIGKILL)
    kill_group(process)


def kill_all(pids: Iterable[int], mark: str) -> None:
    """Kill these, and whatever carries the mark in its environment, until nothing does."""
    for pid in pids:
        with suppress(OSError):
            os.kill(pid, signal.SIGKILL)
    end = monotonic() + KILL_TIMEOUT_S
    while _kill_marked(f"{MARK}={mark}".encode()) and monotonic() < end:
        continue


def _kill_marked(wanted: bytes) -> int:
    """How many there were."""
    found = 0
    for place in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, ValueError):
            if wanted in (place / "environ").read_bytes().split(b"\0"):
                os.kill(int(place.name), signal.SIGKILL)
                found += 1
    return found


def tasks_of_user() -> int:
    """The processes and threads of this user, which RLIMIT_NPROC counts."""
    own, number = os.getuid(), 0
    for place in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if place.stat().st_uid == own:
                number += len(os.listdir(place / "task"))
    return number
