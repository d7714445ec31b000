"""Ctrl-C at once, also while compiled code is running.

Python raises KeyboardInterrupt between two of its own instructions, and a kernel may think for
minutes without one. The signal itself arrives; a thread waits for it and ends the process if
the main thread has not come round by then.
"""

from __future__ import annotations

import os
import signal
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread

INTERRUPTED = 130  # as a shell reports a process ended by Ctrl-C
STOPPED = "stopped"
GRACE_S = 2.0  # seconds in which the main thread may end in its own way


@contextmanager
def prompt_interrupts() -> Iterator[None]:
    """Within this block a Ctrl-C ends the command within a few seconds. Main thread only."""
    ours, signals = socket.socketpair()
    signals.setblocking(False)
    left = Event()
    before = signal.set_wakeup_fd(signals.fileno(), warn_on_full_buffer=False)
    Thread(target=_watch, args=(ours, left), daemon=True).start()
    try:
        yield
    finally:
        left.set()
        signal.set_wakeup_fd(before)
        signals.close()


def _watch(ours: socket.socket, left: Event) -> None:
    with ours:
        while received := ours.recv(1):
            if received[0] == signal.SIGINT and not left.wait(GRACE_S):
                sys.stderr.write(f"zermelo: {STOPPED}\n")
                sys.stderr.flush()
                os._exit(INTERRUPTED)
