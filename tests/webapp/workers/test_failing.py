"""Agents that fail, and processes that die: replaced, and nobody else notices."""

import logging
import os
import signal
from threading import Event
from time import monotonic

import pytest

from engine import load_game
from tests.webapp.visitor import InProcess
from tests.webapp.workers.asking import LONG, question
from tests.webapp.workers.misbehaviour import MISBEHAVING, Misbehaving
from webapp.workers import pool
from webapp.workers.failure_backoff import REST
from webapp.workers.requests import Question
from webapp.workers.worker import DiedError, OverrunError, ProcessDesk

LARGE = 1 << 40  # bytes
PATIENT = 5.0  # seconds in which a new process has begun, on a machine that is busy


def until(holds):
    """Wait for a condition that another thread brings about."""
    end = monotonic() + LONG
    while not holds():
        assert monotonic() < end


def test_whose_process_died_is_asked_once_more(thinking_with):
    deaths = []

    class Mortal(InProcess):
        def think(self, *asked):
            if not deaths:
                deaths.append(1)
                raise DiedError("killed from outside")
            return super().think(*asked)

    thinking = thinking_with(Mortal)
    assert thinking.ask(question(), 0.5).wait(LONG).analysis is not None


def test_what_failed_is_thought_anew_after_a_rest(thinking_with):
    failures = []

    class Overloaded(InProcess):
        def think(self, *asked):
            if not failures:
                failures.append(1)
                raise OverrunError("there was no time")
            return super().think(*asked)

    thinking = thinking_with(Overloaded)
    thinking._accepts = lambda number, place: number == 1
    now = [1000.0]
    thinking._clock = lambda: now[0]
    first = thinking.ask(question(), 0.5).wait(LONG)
    now[0] += REST - 1
    assert thinking.ask(question(), 0.5).wait(LONG) is first
    now[0] += 2
    assert thinking.ask(question(), 0.5).wait(LONG).analysis is not None


PLACES = ["desk", "fallback", "log", "failed", "troubles"]


@pytest.mark.parametrize("place", PLACES)
def test_whatever_raises_the_next_question_is_answered(thinking_with, monkeypatch, place):
    failing = Event()
    failing.set()

    class Desk(InProcess):
        def think(self, *asked):
            if failing.is_set():
                raise ValueError("at the desk")
            return super().think(*asked)

    def raising(name, real):
        def called(*args, **named):
            if failing.is_set():
                raise ValueError(name)
            return real(*args, **named)

        return called

    thinking = thinking_with(Desk, desks=1)
    broken = {
        "desk": lambda: None,
        "fallback": lambda: monkeypatch.setattr(
            Question, "fallback", raising("fallback", Question.fallback)
        ),
        "log": lambda: monkeypatch.setattr(pool.log, "warning", raising("log", print)),
        "failed": lambda: monkeypatch.setattr(
            thinking, "_failed", raising("failed", thinking._failed)
        ),
        "troubles": lambda: monkeypatch.setattr(
            thinking._troubles, "rests", raising("rests", thinking._troubles.rests)
        ),
    }
    broken[place]()
    assert thinking.ask(question(seed="bad"), 1.0).wait(LONG).analysis is None
    failing.clear()
    assert thinking.ask(question(seed="good"), 1.0).wait(LONG).analysis is not None
    assert thinking.is_idle
    assert thinking.is_alive


@pytest.mark.slow
@pytest.mark.parametrize("agent", MISBEHAVING)
def test_an_agent_that_fails_is_replaced_by_a_legal_move(thinking_with, agent, caplog):
    thinking = thinking_with(Misbehaving, first_grace=3.0)
    thinking._accepts = lambda number, place: number == 1
    with caplog.at_level(logging.WARNING):
        answer = thinking.ask(question(agent, moves=("b2",)), 0.2).wait(LONG)
    legal = load_game("tictactoe").parse_state(".../.x./... o").legal_moves()
    assert answer.move in map(str, legal)
    assert answer.analysis is None
    assert answer.note.startswith("any legal move was played in its place")
    assert len(answer.note) <= 300
    assert f"'{agent}' is replaced for one move" in caplog.text
    assert thinking.ask(question("random"), 0.2).wait(LONG).analysis is not None


@pytest.mark.slow
def test_who_thinks_beside_a_crash_does_not_notice(thinking_with):
    thinking = thinking_with(
        Misbehaving, desks=2, queue=40, each=40, grace=PATIENT, first_grace=PATIENT
    )
    asked = [thinking.ask(question("random", seed=str(seed)), 0.2) for seed in range(8)]
    crashed = thinking.ask(question("crashing"), 0.2)
    asked += [thinking.ask(question("random", seed=str(seed)), 0.2) for seed in range(8, 16)]
    assert crashed.wait(LONG).analysis is None
    assert [thought.wait(LONG).note for thought in asked] == [None] * 16


@pytest.mark.slow
def test_who_dies_again_and_again_is_given_a_rest(thinking_with):
    thinking = thinking_with(Misbehaving, first_grace=3.0)
    notes = [
        thinking.ask(question("crashing", seed=str(seed)), 0.2).wait(LONG).note for seed in range(3)
    ]
    assert ["rest" in note for note in notes] == [False, False, True]


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP])
def test_a_process_that_is_killed_or_stopped_is_replaced(thinking_with, number):
    thinking = thinking_with(
        lambda courtesy: ProcessDesk(LARGE, courtesy), grace=PATIENT, first_grace=PATIENT
    )
    thinking._accepts = lambda number, place: number == 1
    assert thinking.ask(question(seed="1"), 0.2).wait(LONG).analysis is not None
    before = thinking.desks[1].pid
    os.kill(before, number)
    thinking.ask(question(seed="2"), 0.2).wait(LONG)
    assert thinking.ask(question(seed="3"), 0.2).wait(LONG).analysis is not None
    assert thinking.desks[1].pid != before


@pytest.mark.slow
def test_a_process_that_has_grown_too_large_is_replaced(thinking_with):
    thinking = thinking_with(
        lambda courtesy: ProcessDesk(1, courtesy), grace=PATIENT, first_grace=PATIENT
    )
    thinking._accepts = lambda number, place: number == 1
    assert thinking.ask(question(), 0.2).wait(LONG).analysis is not None
    assert thinking.desks[1].pid is None
    assert thinking.ask(question(seed="2"), 0.2).wait(LONG).analysis is not None


@pytest.mark.slow
def test_closing_ends_processes_deep_in_thought(thinking_with):
    thinking = thinking_with(Misbehaving, first_grace=60.0)
    thinking._accepts = lambda number, place: number == 1
    thinking.ask(question("random"), 0.2).wait(LONG)
    pending = thinking.ask(question("deaf"), 60.0)
    process = thinking.desks[1]._process
    until(lambda: pending in thinking._running)
    thinking.close()
    process.join(LONG)
    assert process.exitcode is not None
    assert pending.wait(LONG) is not None
