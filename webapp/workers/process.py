"""What runs in a thinking process: one question after the other, each answered or failed."""

from __future__ import annotations

import mmap
import os
import pickle
from dataclasses import dataclass
from multiprocessing.connection import Connection
from time import process_time
from typing import Any

from agents.compute.processes import start_worker
from agents.errors import BrokenAgentError
from engine.errors import ZermeloError
from webapp.workers.requests import Request

LARGEST = 6_000_000  # bytes of an answer: a recorded search has up to 4.5 million
PAGE = mmap.PAGESIZE


@dataclass(frozen=True, slots=True)
class Thought:
    """What came of a question."""

    result: Any
    seconds: float  # of processor time
    memory: int  # bytes the process holds by now


@dataclass(frozen=True, slots=True)
class Failed:
    """What went wrong instead."""

    error: ZermeloError
    memory: int


def sit_down(line: Connection, courtesy: int) -> None:
    """Answer what comes in by this line until nobody holds its other end."""
    start_worker()
    if hasattr(os, "nice"):  # not on Windows
        os.nice(courtesy)
    line.send(True)
    while True:
        try:
            request, seconds = line.recv()
            line.send_bytes(answer(request, seconds))
        except (EOFError, OSError):
            return


def answer(request: Request, seconds: float) -> bytes:
    """A Thought or Failed, pickled; whatever an agent does short of ending the process."""
    try:
        packed = pickle.dumps(thought(request, seconds))
        if len(packed) <= LARGEST:
            return packed
        error: ZermeloError = BrokenAgentError("it said more than anyone could read")
    except ZermeloError as raised:
        error = raised
    except Exception as raised:  # noqa: BLE001 - of a plug-in, or of pickling what it said
        error = BrokenAgentError(f"it failed with {type(raised).__name__}")
    return pickle.dumps(Failed(error, memory()))


def thought(request: Request, seconds: float) -> Thought:
    """The request's result and what it took; raises where it fails."""
    begun = process_time()
    result = request.run(seconds)
    return Thought(result, process_time() - begun, memory())


def memory() -> int:
    """What this process holds now, in bytes; 0 on systems that do not tell.

    Without what it maps from files: libraries and solved tables are there once for all.
    """
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            _, resident, mapped, *_ = map(int, file.read().split())
            return (resident - mapped) * PAGE
    except OSError:
        return 0
