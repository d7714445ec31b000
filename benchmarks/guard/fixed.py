"""Fixed time, chance and names: what else would differ between two runs, patched in the standard
library before anything of ours is imported.

- `time.time` stands still until `pass_seconds` moves it on. The clocks that measure (`monotonic`,
  `perf_counter`, `process_time`) tick by a millionth of a second whenever they are read, so that a
  limit in seconds ends what is endless and hardly anything else, and durations shown are of the
  number of looks at the clock.
- What `secrets` and `random.SystemRandom` draw follows from the section's name and how often they
  were asked. `uuid` and `os.urandom` are left alone: nothing of ours asks them, but numba names its
  files by them, and two processes must not take the same name.
- A `threading.Timer` never rings, or (`at_once`) as soon as it is started: a search that has
  nothing but its seconds is then always stopped at the same place. Since it would otherwise run
  for ever, one that takes PATIENCE real seconds ends the run with an error.
- The machine has one name and one address.
"""

from __future__ import annotations

import faulthandler
import hashlib
import random
import secrets
import socket
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random
from typing import Any

# These keep the real clock, since they wait by it.
import asyncio  # noqa: F401  # isort: skip
import concurrent.futures  # noqa: F401  # isort: skip
import queue  # noqa: F401  # isort: skip
import selectors  # noqa: F401  # isort: skip
import subprocess  # noqa: F401  # isort: skip

BEGUN = 1_800_000_000  # 15 January 2027, 08:00 UTC
TICK = 2.0**-20  # seconds: a power of two, so that differences are exact however late it is
PATIENCE = 120.0  # real seconds
ADDRESS = "192.0.2.7"  # reserved for examples
HOST = "guarded"
REAL_CLOCK = time.perf_counter


@dataclass
class Fixed:
    """What the patched functions read and change."""

    now: float = BEGUN
    ticks: float = 0.0  # seconds by the clocks that measure
    tick_seconds: float = TICK
    luck: Random = field(default_factory=lambda: Random(0))
    drawn: Counter[str] = field(default_factory=Counter)
    issued: list[str] = field(default_factory=list)  # ids, in the order of their birth
    timers_ring: bool = False

    def begin(self, name: str) -> None:
        """As if the process had just begun, with luck of this name's own."""
        self.now, self.ticks = BEGUN, 0.0
        self.luck = Random(name)
        self.drawn.clear()
        self.issued.clear()

    def tick(self) -> float:
        self.ticks += self.tick_seconds
        return self.ticks

    def bytes(self, count: int | None = None, of: str = "bytes") -> bytes:
        """The next of this kind: what else is drawn does not matter."""
        self.drawn[of] += 1
        return hashlib.shake_256(f"{of} {self.drawn[of]}".encode()).digest(count or 32)

    def issue(self, text: str) -> str:
        self.issued.append(text)
        return text


FIXED = Fixed()


class SilentTimer:
    """In the place of `threading.Timer`: no thread, no clock."""

    daemon = False

    def __init__(self, interval: float, function: Any, args: Any = None, kwargs: Any = None):
        self.interval, self.function = interval, function
        self.args, self.kwargs = args or (), kwargs or {}

    def start(self) -> None:
        if FIXED.timers_ring:
            self.function(*self.args, **self.kwargs)
        else:
            faulthandler.dump_traceback_later(PATIENCE, exit=True)

    def cancel(self) -> None:
        faulthandler.cancel_dump_traceback_later()

    def join(self, timeout: float | None = None) -> None:
        return None


@contextmanager
def at_once() -> Iterator[None]:
    """Within this, time is up as soon as a timer starts."""
    FIXED.timers_ring = True
    try:
        yield
    finally:
        FIXED.timers_ring = False


@contextmanager
def slowly() -> Iterator[None]:
    """Within this, every look at a clock takes a thirtieth of a second: work stops half-way."""
    FIXED.tick_seconds = 2.0**-5
    try:
        yield
    finally:
        FIXED.tick_seconds = TICK


def pass_seconds(seconds: float) -> None:
    FIXED.now += seconds


def _token_urlsafe(nbytes: int | None = None) -> str:
    size = round((nbytes or 32) * 4 / 3 + 0.49)
    return FIXED.issue(FIXED.bytes(size, f"{size} letters").hex()[:size])


def _choice(sequence: Any) -> Any:
    return FIXED.luck.choice(sequence)


def _below(limit: int) -> int:
    return FIXED.luck.randrange(limit)


def _bits(count: int) -> int:
    return FIXED.luck.getrandbits(count)


def _address_info(host: Any, port: Any, *rest: Any, **options: Any) -> list[Any]:
    if host == HOST:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (ADDRESS, port or 0))]
    return REAL_ADDRESS_INFO(host, port, *rest, **options)


REAL_ADDRESS_INFO = socket.getaddrinfo


class Socket(socket.socket):
    """A socket that, asked by which address the outside would see us, names a fixed one."""

    def connect(self, address: Any) -> None:
        if address == ("192.0.2.1", 9):
            raise OSError("no way out")
        super().connect(address)


def fix() -> None:
    """Patch the standard library, once, in a process that has not imported us yet."""
    time.time = lambda: FIXED.now
    time.time_ns = lambda: int(FIXED.now * 1e9)
    for clock in ("monotonic", "perf_counter", "process_time", "thread_time"):
        setattr(time, clock, FIXED.tick)
        setattr(time, f"{clock}_ns", lambda: int(FIXED.tick() * 1e9))
    secrets.token_bytes = FIXED.bytes
    secrets.token_hex = lambda nbytes=None: FIXED.issue(FIXED.bytes(nbytes, "hex").hex())
    secrets.token_urlsafe = _token_urlsafe
    secrets.choice = _choice
    secrets.randbelow = _below
    secrets.randbits = _bits
    random.SystemRandom = lambda *_: FIXED.luck  # type: ignore[misc, assignment]
    threading.Timer = SilentTimer  # type: ignore[misc, assignment]
    socket.gethostname = lambda: HOST
    socket.getfqdn = lambda name="": name or HOST
    socket.getaddrinfo = _address_info
    socket.socket = Socket  # type: ignore[misc]
