"""Searching in company: other threads look at the same position and fill the same memory.

Lazy SMP, as chess engines call it: nobody divides the work. Whoever comes second to a position
finds it in the memory, and since one is a ply ahead, the other finds good moves there first.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread

import numpy as np

from agents.quixo.bitboard import masks_of
from agents.search.quixo import kernel as kernels
from agents.search.quixo.kernel import FARTHEST, WIN, Workspace
from engine.quixo import QuixoState


@contextmanager
def in_company(threads: int, state: QuixoState, run: int, search: Workspace) -> Iterator[None]:
    """So many threads at this position, the caller's among them, until the block is left.

    What the others look at counts as looked at. `run`: plies up to here that took no blank cube.
    """
    others = [_beside(search) for _ in range(threads - 1)]
    at_work = [
        Thread(target=_deepen, args=(1 + number % 2, state, run, other), daemon=True)
        for number, other in enumerate(others, start=1)
    ]
    for thread in at_work:
        thread.start()
    try:
        yield
    finally:
        for other in others:
            other.stop[1] = 1
        for thread in at_work:
            thread.join()
        search.counts[0] += sum(int(other.counts[0]) for other in others)


def _beside(search: Workspace) -> Workspace:
    """The same search with room of its own for all but the memory."""
    return search._replace(
        path=search.path.copy(),
        children=np.zeros_like(search.children),
        counts=np.array([0, kernels.MOST_POSITIONS]),
        stop=np.zeros_like(search.stop),
    )


def _deepen(first: int, state: QuixoState, run: int, search: Workspace) -> None:
    own, other = masks_of(state)
    for depth in range(first, FARTHEST - 1):
        kernels.negamax(own, other, depth, -WIN - 1, WIN + 1, 0, run, search)
        if search.stop[0]:
            return
