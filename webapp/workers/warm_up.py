"""Warm-up: every agent asked once in the background, so that no player waits for a compiler."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator
from itertools import chain
from multiprocessing.process import BaseProcess
from threading import Thread
from time import sleep

from flask import Flask

from agents.compute.processes import fresh_context, start_worker
from agents.entry import Technique
from agents.optimisers.roster import searches
from agents.roster import agents_for
from engine import load_game
from engine.catalog import all_variants, catalog
from engine.problems.catalog import problems
from webapp.workers.pool import Thinking
from webapp.workers.queue import BusyError, Rank
from webapp.workers.requests import Question, Request, SearchQuestion
from webapp.workers.worker import LOADED

log = logging.getLogger(__name__)

PAUSE = 0.2
FEW_CALLS = 100  # to a box: enough to have every kernel compiled


def compile_templates(app: Flask) -> Thread:
    """Compile every template now, rather than under the first visitor's eyes."""

    def load_all() -> None:
        for name in app.jinja_env.list_templates(extensions=["html"]):
            app.jinja_env.get_template(name)

    thread = Thread(target=load_all, name="templates", daemon=True)
    thread.start()
    return thread


def warm_up(
    thinking: Thinking, seconds: float, then: Callable[[], BaseProcess] | None = None
) -> Thread:
    """Ask the agents one after the other, and only while no player waits for an answer.

    What takes minutes is begun when they all have answered, and ended with the desks.
    """
    thread = Thread(target=_warm_up, args=(thinking, seconds, then), name="warm-up", daemon=True)
    thread.start()
    return thread


def _warm_up(thinking: Thinking, seconds: float, then: Callable[[], BaseProcess] | None) -> None:
    _ask_all(thinking, seconds)
    if then is None or thinking.is_closed:
        return
    process = then()
    while process.is_alive():
        if thinking.is_closed:
            process.kill()
        process.join(PAUSE)


def first_questions() -> Iterator[Question]:
    """Each agent at the start of each game as it is usually played; then what has to be solved.

    The 4×4 boards of Quixo take ten seconds the first time ever, and are kept in a file.
    """
    usual = [load_game(entry.key) for entry in catalog()]
    others = [game for game in all_variants() if game not in usual]
    for game in (*usual, *others):
        for agent in agents_for(game):
            if game in usual or agent.technique is Technique.PERFECT:
                yield Question(game.spec, None, (), agent.key, seed="warm-up")
            if game in usual and agent.shows:
                yield Question(game.spec, None, (), agent.key, seed="warm-up", show=True)


def first_searches() -> Iterator[SearchQuestion]:
    """Each search without a foe, for a moment, on the first problem that is one for it."""
    for search in searches():
        problem = next((entry.key for entry in problems() if entry.shape is search.shape), None)
        if problem is not None:
            yield SearchQuestion(problem, search.key, calls=FEW_CALLS)


def _ask_all(thinking: Thinking, seconds: float) -> None:
    every: Iterator[Request] = chain(first_questions(), first_searches())
    for question in every:
        while not (thinking.is_idle or thinking.is_closed):
            sleep(PAUSE)
        if thinking.is_closed:
            return
        try:
            thought = thinking.ask(question, min(seconds, 0.2), Rank.WARMING, "warm-up")
        except BusyError:
            continue
        while thought.wait(PAUSE) is None and not thinking.is_closed:
            continue
    log.info("every agent is warm")


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
