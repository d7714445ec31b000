"""What keeps a player to itself, and notes the line where it ends its own process.

Against accidents: what is written in C, or has its own program, is held from outside alone.
"""

from __future__ import annotations

import faulthandler
import os
import signal
import sys
from typing import Any, Optional, Sequence, Tuple

KILLS = ("os.kill", "os.killpg")  # audit events
EVERYONE = -1  # to os.kill: whatever this user may end
LOG = 2  # the descriptor of the player's log


def guard(most: Any, descriptors: Sequence[int]) -> None:
    """Bound the player's processes, of which none but this one has the channel's descriptors."""
    if most and os.path.isdir("/proc/self"):
        _bound_forks(int(most))
        _hold_signals()
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=lambda: _cut_off(descriptors))
    _note_exit()


def note(text: str) -> None:
    """Write into the log, even if the player has closed or replaced the streams."""
    try:
        os.write(LOG, (text.rstrip() + "\n").encode("utf-8", "replace"))
    except OSError:
        return


def _cut_off(descriptors: Sequence[int]) -> None:
    """A fork that returns from the player's code hears no request and answers nobody."""
    empty = os.open(os.devnull, os.O_RDWR)
    for descriptor in descriptors:
        os.dup2(empty, descriptor, inheritable=False)


def _note_exit() -> None:
    """Write into the log where the player leaves without a word."""
    own, leave = os.getpid(), os._exit

    def leaves(status: int) -> None:
        if os.getpid() == own:
            faulthandler.dump_traceback(LOG, all_threads=False)
        leave(status)

    os._exit = leaves  # type: ignore[assignment]


def _bound_forks(most: int) -> None:
    """End the player with all it has started where a fork would be one too many.

    The kernel's own limit does not hold for root, and a fork bomb outruns whoever looks from
    outside. What has its own program is counted there.
    """
    group, end_group, dump = os.getpgrp(), os.killpg, faulthandler.dump_traceback

    def check() -> None:
        entries = (_parent_and_group(name) for name in os.listdir("/proc") if name.isdecimal())
        if sum(found is not None and found[1] == group for found in entries) > most:
            note("it started more than {} processes".format(most))
            dump(LOG)
            end_group(group, signal.SIGKILL)

    os.register_at_fork(before=check)


def _hold_signals() -> None:
    """Let the player end only itself and what it started; where it ends itself is noted."""
    own, group = os.getpid(), os.getpgrp()

    def check(event: str, arguments: Tuple[Any, ...]) -> None:
        if event not in KILLS or not all(isinstance(each, int) for each in arguments):
            return
        target, number = arguments
        if event == "os.killpg":
            target = -target
        if number and target in (own, 0, -group):
            if not callable(signal.getsignal(number)):
                faulthandler.dump_traceback(LOG, all_threads=False)
        elif number and (target == EVERYONE or not _has_started(own, target)):
            raise PermissionError("a player may end only what it started")

    sys.addaudithook(check)


def _has_started(own: int, target: int) -> bool:
    """Whether all that a signal would reach was started by this process or is none any more.

    Of a group each member is asked: its first process may have ended, and others go on.
    """
    if target > 0:
        return _is_below(target, own)
    members = ((pid, _parent_and_group(pid)) for pid in os.listdir("/proc") if pid.isdecimal())
    return all(_is_below(int(pid), own) for pid, found in members if found and found[1] == -target)


def _is_below(pid: int, ancestor: int) -> bool:
    """Whether it was started by the ancestor or what that started, or is none any more."""
    above = pid
    while above != ancestor:
        found = _parent_and_group(str(above))
        if found is None:
            if above == pid:
                return True
            above = pid  # one between them has ended: its children have another parent now
            continue
        above = found[0]
        if above <= 1:
            return False
    return True


def _parent_and_group(name: str) -> Optional[Tuple[int, int]]:
    """Of a process by its entry in /proc; None where it has ended."""
    try:
        with open("/proc/" + name + "/stat", "rb") as file:
            fields = file.read().rpartition(b")")[2].split()
        return int(fields[1]), int(fields[2])
    except (OSError, ValueError, IndexError):
        return None
