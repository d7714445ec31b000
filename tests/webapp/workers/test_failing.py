"""Agents that fail, and processes that die: replaced, and nobody else notices."""

import logging
import os
import signal
from functools import partial
from threading import Event
from time import monotonic

import pytest

from agents.compute.child_process import WorkerDiedError, WorkerTimeoutError, is_stopped
from engine import load_game
from tests.webapp.serving.process import eventually, is_alive
from tests.webapp.visitor import InProcess
from tests.webapp.workers.asking import LONG, question
from tests.webapp.workers.misbehaviour import MISBEHAVING, Misbehaving
from webapp.workers import pool as pool_module
from webapp.workers.analyses import AnalysisRequest
from webapp.workers.failure_backoff import BACKOFF_S
from webapp.workers.worker import ProcessWorker

LARGE = 1 << 40  # bytes
# Seconds in which a new process has begun, on a machine that is busy.
PATIENT = {"grace": 5.0, "first_grace": 5.0}


def failing_once(error):
    """Workers of which the first to be asked fails."""
    errors = [error]

    class FailsOnce(InProcess):
        def run(self, *asked):
            if errors:
                raise errors.pop()
            return super().run(*asked)

    return FailsOnce


def test_whose_process_died_is_asked_once_more(pool_with):
    pool = pool_with(failing_once(WorkerDiedError("killed from outside")))
    assert pool.ask(question(), 0.5).wait(LONG).analysis is not None


def test_what_failed_is_thought_anew_after_a_rest(pool_with):
    pool = pool_with(failing_once(WorkerTimeoutError("there was no time")), slow_only=True)
    now = [1000.0]
    pool._clock = lambda: now[0]
    first = pool.ask(question(), 0.5).wait(LONG)
    now[0] += BACKOFF_S - 1
    assert pool.ask(question(), 0.5).wait(LONG) is first
    now[0] += 2
    assert pool.ask(question(), 0.5).wait(LONG).analysis is not None


PLACES = ["worker", "fallback", "log", "failed", "backoff"]


@pytest.mark.parametrize("place", PLACES)
def test_whatever_raises_the_next_question_is_answered(pool_with, monkeypatch, place):
    failing = Event()
    failing.set()

    class Failing(InProcess):
        def run(self, *asked):
            if failing.is_set():
                raise ValueError("in the worker")
            return super().run(*asked)

    def raising(name, real):
        def called(*args, **named):
            if failing.is_set():
                raise ValueError(name)
            return real(*args, **named)

        return called

    pool = pool_with(Failing, workers=1)
    owner, name = {
        "worker": (Failing, "run"),
        "fallback": (AnalysisRequest, "fallback"),
        "log": (pool_module.log, "warning"),
        "failed": (pool, "_failed"),
        "backoff": (pool._backoff, "is_blocked"),
    }[place]
    monkeypatch.setattr(owner, name, raising(name, getattr(owner, name)))
    assert pool.ask(question(seed="bad"), 1.0).wait(LONG).analysis is None
    failing.clear()
    assert pool.ask(question(seed="good"), 1.0).wait(LONG).analysis is not None
    assert pool.is_idle
    assert pool.is_alive


@pytest.mark.slow
@pytest.mark.parametrize("agent", MISBEHAVING)
def test_an_agent_that_fails_is_replaced_by_a_legal_move(pool_with, agent, caplog):
    pool = pool_with(Misbehaving, slow_only=True, first_grace=3.0)
    with caplog.at_level(logging.WARNING):
        answer = pool.ask(question(agent, moves=("b2",)), 0.2).wait(LONG)
    legal = load_game("tictactoe").parse_state(".../.x./... o").legal_moves()
    assert answer.move in map(str, legal)
    assert answer.analysis is None
    assert answer.note.startswith("any legal move was played in its place")
    assert len(answer.note) <= 300
    assert f"'{agent}' is replaced for one move" in caplog.text
    assert pool.ask(question("random"), 0.2).wait(LONG).analysis is not None


@pytest.mark.slow
def test_who_thinks_beside_a_crash_does_not_notice(pool_with):
    pool = pool_with(Misbehaving, workers=2, queue=40, each=40, **PATIENT)
    asked = [pool.ask(question("random", seed=str(seed)), 0.2) for seed in range(8)]
    crashed = pool.ask(question("crashing"), 0.2)
    asked += [pool.ask(question("random", seed=str(seed)), 0.2) for seed in range(8, 16)]
    assert crashed.wait(LONG).analysis is None
    assert [thought.wait(LONG).note for thought in asked] == [None] * 16


@pytest.mark.slow
def test_who_dies_again_and_again_is_given_a_rest(pool_with):
    pool = pool_with(Misbehaving, first_grace=3.0)
    notes = [
        pool.ask(question("crashing", seed=str(seed)), 0.2).wait(LONG).note for seed in range(3)
    ]
    assert ["rest" in note for note in notes] == [False, False, True]


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP])
def test_a_process_that_is_killed_or_stopped_is_replaced(pool_with, number):
    pool = pool_with(partial(ProcessWorker, LARGE), slow_only=True, **PATIENT)
    assert pool.ask(question(seed="1"), 0.2).wait(LONG).analysis is not None
    before = pool.workers[1].pid
    os.kill(before, number)
    eventually(lambda: is_stopped(before) or not is_alive(before))
    assert pool.ask(question(seed="2"), 0.2).wait(LONG).analysis is not None
    assert pool.workers[1].pid != before


@pytest.mark.slow
def test_a_process_that_has_grown_too_large_is_replaced(pool_with):
    pool = pool_with(partial(ProcessWorker, 1), slow_only=True, **PATIENT)
    assert pool.ask(question(), 0.2).wait(LONG).analysis is not None
    assert pool.workers[1].pid is None
    assert pool.ask(question(seed="2"), 0.2).wait(LONG).analysis is not None


@pytest.mark.slow
def test_closing_ends_processes_deep_in_thought(pool_with):
    pool = pool_with(Misbehaving, slow_only=True, first_grace=60.0)
    pool.ask(question("random"), 0.2).wait(LONG)
    pending = pool.ask(question("deaf"), 60.0)
    process = pool.workers[1]._process
    end = monotonic() + LONG
    while pending not in pool._running:
        assert monotonic() < end
    pool.close()
    process.join(LONG)
    assert process.exitcode is not None
    assert pending.wait(LONG) is not None
