"""Prompt Ctrl-C, even while compiled code is running.

Python raises KeyboardInterrupt between two of its own instructions, and a kernel may run for
minutes without one. A thread waits for the signal and ends the process if the main thread has not.
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
GRACE_S = 2.0  # for the main thread to end by itself


@contextmanager
def prompt_interrupts() -> Iterator[None]:
    """Let Ctrl-C end the command within GRACE_S. Main thread only."""
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
