"""Warm-up: every agent is asked once in the background, so that its kernels are compiled.

Those that give hints come first, and are asked in every worker: each loads the tables itself.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator
from itertools import chain
from multiprocessing.process import BaseProcess
from threading import Thread
from time import sleep
from typing import Any

from flask import Flask

from agents.compute.processes import fresh_context, start_worker
from agents.contest.strength import strongest_agent
from agents.entry import Technique
from agents.optimisers.roster import searches
from agents.roster import agents_for
from engine import load_game
from engine.catalog import all_variants, catalog
from engine.problems.catalog import problems
from engine.problems.entry import ProblemShape
from webapp.workers.analyses import AnalysisRequest
from webapp.workers.pool import WorkerPool
from webapp.workers.queue import BusyError, Rank
from webapp.workers.requests import Request
from webapp.workers.searches import BoxRequest, CoverRequest
from webapp.workers.worker import PRELOADED

log = logging.getLogger(__name__)

POLL_S = 0.2
LOWEST_PRIORITY = 19  # niceness
WARM_UP_CALLS = 100  # to a box: enough to have every kernel compiled


def compile_templates(app: Flask) -> Thread:
    """Compile every template in a thread, so that no visitor waits for one."""

    def load_all() -> None:
        for name in app.jinja_env.list_templates(extensions=["html"]):
            app.jinja_env.get_template(name)

    thread = Thread(target=load_all, name="templates", daemon=True)
    thread.start()
    return thread


def warm_up(
    pool: WorkerPool, seconds: float, then: Callable[[], BaseProcess] | None = None
) -> Thread:
    """Ask the agents one after the other while the pool is idle, in a thread.

    `then` starts a long process once they all have answered; it is killed with the pool.
    """
    thread = Thread(target=_warm_up, args=(pool, seconds, then), name="warm-up", daemon=True)
    thread.start()
    return thread


def _warm_up(pool: WorkerPool, seconds: float, then: Callable[[], BaseProcess] | None) -> None:
    _ask_all(pool, seconds)
    if then is None or pool.is_closed:
        return
    process = then()
    while process.is_alive():
        if pool.is_closed:
            process.kill()
        process.join(POLL_S)


def warm_up_hints(worker: int) -> Iterator[AnalysisRequest]:
    """The adviser of each variant, for one of the workers.

    The 4×4 boards of Quixo take ten seconds the first time ever, and are kept in a file.
    """
    for game in all_variants():
        adviser = strongest_agent(game.spec)
        yield AnalysisRequest(game.spec, None, (), adviser, seed=f"warm-up {worker}")


def warm_up_analyses() -> Iterator[AnalysisRequest]:
    """Each agent at the start of each usual game; of other variants, those that solve them."""
    usual = [load_game(entry.key) for entry in catalog()]
    others = [game for game in all_variants() if game not in usual]
    for game in (*usual, *others):
        for agent in agents_for(game):
            if agent.technique is Technique.PLAYERS:  # which have nothing to compile
                continue
            if game in usual or agent.technique is Technique.PERFECT:
                yield AnalysisRequest(game.spec, None, (), agent.key, seed="warm-up")
            if game in usual and agent.shows:
                yield AnalysisRequest(game.spec, None, (), agent.key, seed="warm-up", show=True)


def warm_up_searches() -> Iterator[CoverRequest | BoxRequest]:
    """Each search, for a moment, on the first problem of its shape."""
    for search in searches():
        problem = next((entry.key for entry in problems() if entry.shape is search.shape), None)
        if problem is not None and search.shape is ProblemShape.COVER:
            yield CoverRequest(problem, search.key)
        elif problem is not None:
            yield BoxRequest(problem, search.key, seed=0, calls=WARM_UP_CALLS)


def _ask_all(pool: WorkerPool, seconds: float) -> None:
    # A variant in every worker before the next: Nim waits for no table of 4×4 Quixo.
    by_variant = zip(*(warm_up_hints(at) for at in pool.inside), strict=True)
    hints = (
        (request, at) for row in by_variant for at, request in zip(pool.inside, row, strict=True)
    )
    others = ((request, None) for request in chain(warm_up_analyses(), warm_up_searches()))
    requests: Iterator[tuple[Request[Any], int | None]] = chain(hints, others)
    for request, worker in requests:
        while not (pool.is_idle or pool.is_closed):
            sleep(POLL_S)
        if pool.is_closed:
            return
        try:
            pending = pool.ask(request, min(seconds, 0.2), Rank.WARMING, "warm-up", worker)
        except BusyError:
            continue
        while pending.wait(POLL_S) is None and not pool.is_closed:
            continue
    log.info("every agent is warm")


def begin_endgames(blanks: int) -> BaseProcess:
    """Start a process that solves the endgames with so many blanks, unless they are on file.

    It ends with this process.
    """
    context = fresh_context(PRELOADED)
    process = context.Process(target=_solve_endgames, args=(blanks,), name="endgames", daemon=True)  # type: ignore[attr-defined]
    process.start()
    started: BaseProcess = process
    return started


def _solve_endgames(blanks: int) -> None:
    start_worker()
    if hasattr(os, "nice"):
        os.nice(LOWEST_PRIORITY)
    from agents.perfect.endgame_builder import ensure

    ensure(blanks)
    log.info("the endgames of 5×5 Quixo are ready")
