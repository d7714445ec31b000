"""One worker of the pool: a process that runs requests, one after the other."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from dataclasses import dataclass
from time import process_time
from typing import Any, Protocol

from agents.compute.child_process import Worker, in_process, memory_of, serve
from agents.errors import BrokenAgentError
from engine.errors import ZermeloError
from webapp.workers.requests import Request

MAX_REPLY_BYTES = 6_000_000  # a recorded search has up to 4.5 million
PRELOADED = (  # by the fork server: all that runs there
    "webapp.workers.worker",
    "webapp.workers.analyses",
    "webapp.workers.recordings",
    "webapp.workers.knowledge",
    "webapp.workers.searches",
)


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a request, and what it took."""

    result: Any
    seconds: float  # of processor time


class RequestWorker(Protocol):
    """Runs one request at a time."""

    def run(self, request: Request[Any], seconds: float, deadline: float) -> Result:
        """Its result; raises BrokenAgentError, and is ready for the next either way."""

    def close(self) -> None:
        """End it, even while it runs a request."""

    @property
    def is_alive(self) -> bool:
        """Whether it takes requests."""

    @property
    def memory(self) -> int:
        """Bytes that its process holds."""


class ProcessWorker(Worker):
    """A worker in a process of its own, started by the first request, replaced when it grows."""

    def __init__(self, max_memory: int, niceness: int, target: Callable[..., None] = serve) -> None:
        start = in_process(target, answer, preload=PRELOADED, niceness=niceness)
        super().__init__(start, max_memory=max_memory)

    @property
    def memory(self) -> int:
        return memory_of(self.pid)

    def run(self, request: Request[Any], seconds: float, deadline: float) -> Result:
        result: Result = self.call((request, seconds), deadline)
        return result


def answer(request: Request[Any], seconds: float) -> bytes:
    """(failed, Result or error) pickled, whatever an agent does short of ending the process."""
    try:
        packed = pickle.dumps((False, run_request(request, seconds)))
        if len(packed) <= MAX_REPLY_BYTES:
            return packed
        error: ZermeloError = BrokenAgentError("it said more than anyone could read")
    except ZermeloError as raised:
        error = raised
    except Exception as raised:  # noqa: BLE001 - of a plug-in, or of pickling its result
        error = BrokenAgentError(f"it failed with {type(raised).__name__}")
    return pickle.dumps((True, error))


def run_request(request: Request[Any], seconds: float) -> Result:
    """The request's result and what it took; raises where it fails."""
    begun = process_time()
    result = request.run(seconds)
    return Result(result, process_time() - begun)
