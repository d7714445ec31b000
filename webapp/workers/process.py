"""The main loop of a worker process: one request after the other, each answered or failed."""

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

MAX_REPLY_BYTES = 6_000_000  # a recorded search has up to 4.5 million
PAGE_BYTES = mmap.PAGESIZE


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a request, and what it took."""

    result: Any
    seconds: float  # of processor time
    memory: int  # bytes the process holds by now


@dataclass(frozen=True, slots=True)
class Failure:
    """The error of a request that failed."""

    error: ZermeloError
    memory: int


def serve_requests(connection: Connection, niceness: int) -> None:
    """Answer the requests of a connection until its other end is closed."""
    start_worker()
    if hasattr(os, "nice"):  # not on Windows
        os.nice(niceness)
    connection.send(True)
    while True:
        try:
            request, seconds = connection.recv()
            connection.send_bytes(answer(request, seconds))
        except (EOFError, OSError):
            return


def answer(request: Request, seconds: float) -> bytes:
    """A pickled Result or Failure, whatever an agent does short of ending the process."""
    try:
        packed = pickle.dumps(run_request(request, seconds))
        if len(packed) <= MAX_REPLY_BYTES:
            return packed
        error: ZermeloError = BrokenAgentError("it said more than anyone could read")
    except ZermeloError as raised:
        error = raised
    except Exception as raised:  # noqa: BLE001 - of a plug-in, or of pickling its result
        error = BrokenAgentError(f"it failed with {type(raised).__name__}")
    return pickle.dumps(Failure(error, memory_in_use()))


def run_request(request: Request, seconds: float) -> Result:
    """The request's result and what it took; raises where it fails."""
    begun = process_time()
    result = request.run(seconds)
    return Result(result, process_time() - begun, memory_in_use())


def memory_in_use() -> int:
    """Bytes this process holds; 0 on systems without /proc.

    Without mapped files: libraries and solved tables are shared between processes.
    """
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            _, resident, mapped, *_ = map(int, file.read().split())
            return (resident - mapped) * PAGE_BYTES
    except OSError:
        return 0
