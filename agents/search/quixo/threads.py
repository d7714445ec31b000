"""The clock of a search, and its helper threads.

Those search the same position and fill the same transposition table (lazy SMP). The work is not
divided: a thread finds in the table what another has searched, and since half of them are a ply
ahead, it finds good moves there first.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread, Timer

import numpy as np
from numpy.typing import NDArray

from agents.quixo.bitboard import masks_of
from agents.search.quixo import kernel as kernels
from agents.search.quixo.kernel import MAX_PLY, WIN, Workspace
from engine.quixo import QuixoState


@contextmanager
def helper_threads(threads: int, state: QuixoState, run: int, search: Workspace) -> Iterator[None]:
    """Search with so many threads, the caller's among them, until the block is left.

    The positions of the helpers are added to the count. `run` counts the reversible plies up to
    here, which took no blank cube.
    """
    helpers = [_helper(search) for _ in range(threads - 1)]
    running = [
        Thread(target=_deepen, args=(1 + number % 2, state, run, helper), daemon=True)
        for number, helper in enumerate(helpers, start=1)
    ]
    for thread in running:
        thread.start()
    try:
        yield
    finally:
        for helper in helpers:
            helper.stop[1] = 1
        for thread in running:
            thread.join()
        search.counts[0] += sum(int(helper.counts[0]) for helper in helpers)


def _helper(search: Workspace) -> Workspace:
    """A copy of the search that shares only the table and constants."""
    return search._replace(
        path=search.path.copy(),
        children=np.zeros_like(search.children),
        counts=np.array([0, kernels.UNLIMITED_POSITIONS]),
        stop=np.zeros_like(search.stop),
    )


def _deepen(first: int, state: QuixoState, run: int, search: Workspace) -> None:
    own, other = masks_of(state)
    for depth in range(first, MAX_PLY - 1):
        kernels.negamax(own, other, depth, -WIN - 1, WIN + 1, 0, run, search)
        if search.stop[0]:
            return


def stop_flag() -> NDArray[np.int8]:
    """A flag for `think`: setting its element 1 from another thread ends the search."""
    return np.zeros(2, np.int8)


@contextmanager
def ended_after(seconds: float | None, stop: NDArray[np.int8]) -> Iterator[None]:
    """Set the stop flag after so many seconds, from a timer thread."""
    stop[0] = 0
    if seconds is None:
        yield
        return
    timer = Timer(seconds, stop.__setitem__, (0, 1))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
