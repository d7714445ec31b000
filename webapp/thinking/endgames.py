"""Quixo's endgames worked out behind the pages, by a process that everyone may overtake."""

from __future__ import annotations

import logging
import os
from multiprocessing.process import BaseProcess

from agents.compute.processes import fresh_context, start_worker
from webapp.thinking.desk import LOADED

LAST_IN_LINE = 19  # how nice it is: the system gives it what nobody else wants


def begin_endgames(blanks: int) -> BaseProcess:
    """Start working out those with so many blanks, or find that this was done.

    It ends with the process that began it.
    """
    context = fresh_context(LOADED)
    process = context.Process(target=_work_out, args=(blanks,), name="endgames", daemon=True)  # type: ignore[attr-defined]
    process.start()
    began: BaseProcess = process
    return began


def _work_out(blanks: int) -> None:
    start_worker()
    if hasattr(os, "nice"):
        os.nice(LAST_IN_LINE)
    from agents.perfect.endgames import ensure

    ensure(blanks)
    logging.getLogger(__name__).info("the endgames of 5×5 Quixo are ready")
