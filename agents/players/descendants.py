"""What a player's process starts: counted while it runs, and killed with it. By /proc."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread
from time import monotonic

MAX_PROCESSES = 64  # of one player
WATCH_INTERVAL_S = 0.05
KILL_TIMEOUT_S = 10.0
MARK = "PLAYER_PROCESS"  # in the environment of a process and of all it starts


class ProcessWatch:
    """Ends a player that starts far too many processes, which no resource limit does for root."""

    def __init__(self, pid: int, kill: Callable[[], None]) -> None:
        self.pid, self.exceeded = pid, False
        self._kill, self._ended = kill, Event()
        Thread(target=self._watch, name="player's processes", daemon=True).start()

    def end(self) -> None:
        self._ended.set()

    def _watch(self) -> None:
        while not self._ended.wait(WATCH_INTERVAL_S):
            if len(descendants(self.pid)) > 2 * MAX_PROCESSES:  # a file's own process counts first
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
