"""Worker processes on this machine that never outlive the one that started them."""

from __future__ import annotations

import os
import pickle
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import Pipe, forkserver, get_all_start_methods, get_context, parent_process
from multiprocessing.connection import Connection
from multiprocessing.context import BaseContext
from threading import Thread
from typing import Any


def processors() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def local_processes(workers: int) -> Iterator[Executor]:
    """That many workers; left by an exception they stop at once, in the middle of a game too.

    Each worker holds the reading end of a pipe and ends when nobody holds the other end, which
    is so after `close()` as well as when this process was killed.
    """
    lifeline, keeper = Pipe(duplex=False)
    pool = worker_pool(workers, ("agents.contest.arena",), lifeline)
    try:
        yield pool
    except BaseException:
        keeper.close()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
        keeper.close()
        lifeline.close()


@contextmanager
def processes(workers: int) -> Iterator[Executor | None]:
    """That many workers, or none where this process is enough."""
    if workers <= 1:
        yield None
    else:
        with local_processes(workers) as executor:
            yield executor


def worker_pool(
    workers: int, preload: Sequence[str], lifeline: Connection | None = None
) -> ProcessPoolExecutor:
    """Workers that have these modules loaded, and end when this process does, or the lifeline."""
    return ProcessPoolExecutor(
        workers, mp_context=fresh_context(preload), initializer=start_worker, initargs=(lifeline,)
    )


def fresh_context(preload: Sequence[str]) -> BaseContext:
    """Fresh processes rather than copies of this one, which may have threads."""
    if "forkserver" not in get_all_start_methods():
        return get_context("spawn")
    context = get_context("forkserver")
    context.set_forkserver_preload(list(preload))
    # A Ctrl-C reaches every process of the terminal; blocked here, it is for this one alone.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        forkserver.ensure_running()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
    return context


def start_worker(lifeline: Connection | None = None) -> None:
    """Prepare this worker: Ctrl-C is its parent's business, which it never outlives."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with, args=(lifeline,), daemon=True).start()


def _end_with(lifeline: Connection | None) -> None:
    if lifeline is not None:
        lifeline.poll(None)
        os._exit(0)
    if (parent := parent_process()) is not None:
        parent.join()
        os._exit(0)


LONGEST = 500  # letters of an error that does not cross


def done(function: Callable[..., Any], arguments: tuple[Any, ...]) -> bytes:
    """(False, result) or (True, error), pickled."""
    try:
        return pickle.dumps((False, function(*arguments)))
    except Exception as error:  # noqa: BLE001 - whatever a task raises is its result
        return failed(error)


def failed(error: Exception) -> bytes:
    """(True, error), pickled; one that could not be read back as what it is told as."""
    try:
        packed = pickle.dumps((True, error))
        pickle.loads(packed)  # noqa: S301 - our own
    except Exception:  # noqa: BLE001 - some errors are made of what cannot cross
        packed = pickle.dumps((True, RuntimeError(repr(error)[:LONGEST])))
    return packed
