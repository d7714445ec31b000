"""Worker processes that never outlive their parent."""

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

MAX_ERROR_CHARS = 500


def processors() -> int:
    """The number of processors available to this process."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def local_processes(workers: int, preload: Sequence[str] = ()) -> Iterator[Executor]:
    """A pool of that many workers with modules preloaded, killed at once if the block raises.

    Each worker holds the reading end of a pipe and exits when the writing end is closed, by us or
    by the end of this process.
    """
    lifeline, keeper = Pipe(duplex=False)
    pool = ProcessPoolExecutor(
        workers, mp_context=fresh_context(preload), initializer=start_worker, initargs=(lifeline,)
    )
    try:
        yield pool
    except BaseException:
        keeper.close()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
        keeper.close()
        lifeline.close()


def fresh_context(preload: Sequence[str]) -> BaseContext:
    """A start method other than fork, as this process may have threads."""
    if "forkserver" not in get_all_start_methods():
        return get_context("spawn")
    context = get_context("forkserver")
    context.set_forkserver_preload(list(preload))
    # Ctrl-C reaches every process of the terminal; the fork server inherits this mask.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        forkserver.ensure_running()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
    return context


def start_worker(lifeline: Connection | None = None) -> None:
    """Initialise a worker: ignore Ctrl-C, which its parent handles, and exit with the parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_exit_with, args=(lifeline,), daemon=True).start()


def _exit_with(lifeline: Connection | None) -> None:
    if lifeline is not None:
        lifeline.poll(None)
        os._exit(0)
    if (parent := parent_process()) is not None:
        parent.join()
        os._exit(0)


def done(function: Callable[..., Any], arguments: tuple[Any, ...]) -> bytes:
    """Call the function; pickled (False, result) or (True, error)."""
    try:
        return pickle.dumps((False, function(*arguments)))
    except Exception as error:  # noqa: BLE001 - any error of a task is its result
        return failed(error)


def failed(error: Exception) -> bytes:
    """Pickled (True, error); a RuntimeError with its repr if it does not survive pickling."""
    try:
        packed = pickle.dumps((True, error))
        pickle.loads(packed)  # noqa: S301 - our own
    except Exception:  # noqa: BLE001 - errors may hold anything
        packed = pickle.dumps((True, RuntimeError(repr(error)[:MAX_ERROR_CHARS])))
    return packed
