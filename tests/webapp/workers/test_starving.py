"""A machine is stopped for what it does, not for what others leave it of the processor."""

import os
import signal
from multiprocessing import get_context
from time import monotonic

import pytest

from tests.webapp.workers.asking import LONG, question
from tests.webapp.workers.misbehaviour import Misbehaving
from webapp.workers import worker as worker_module
from webapp.workers.worker import MAX_EXTENSIONS, OverrunError, ProcessWorker, Usage, usage_of


@pytest.mark.parametrize(
    ("now", "starved"),
    [
        (Usage(10.1, wants_more=True), True),
        (Usage(10.9, wants_more=True), False),  # it had its time
        (Usage(10.1, wants_more=False), False),  # it sleeps, or someone holds it
    ],
)
def test_who_wants_the_processor_and_hardly_gets_it_starves(now, starved):
    assert now.starved(Usage(10.0, wants_more=True), passed=1.0) is starved


def spin(connection):
    connection.send(True)
    while True:
        pass


def until(holds):
    end = monotonic() + LONG
    while not holds():
        assert monotonic() < end


@pytest.mark.slow
def test_a_process_that_computes_wants_more_and_one_that_is_held_does_not():
    context = get_context("spawn")
    ours, its = context.Pipe()
    process = context.Process(target=spin, args=(its,), daemon=True)
    process.start()
    ours.recv()
    before = usage_of(process.pid)
    until(lambda: usage_of(process.pid).seconds > before.seconds)
    assert usage_of(process.pid).wants_more
    os.kill(process.pid, signal.SIGSTOP)
    until(lambda: not usage_of(process.pid).wants_more)
    process.kill()
    process.join()
    assert not usage_of(process.pid).wants_more


def told(monkeypatch, *, starving):
    """Let every process seem so; how often the system was asked."""
    asked = []

    def usage(pid):
        asked.append(pid)
        return Usage(0.0, wants_more=starving)

    monkeypatch.setattr(worker_module, "usage_of", usage)
    return asked


@pytest.mark.slow
@pytest.mark.parametrize(("starving", "looks"), [(True, 2 * MAX_EXTENSIONS), (False, 2)])
def test_who_starves_is_given_more_time_but_not_for_ever(monkeypatch, starving, looks):
    asked = told(monkeypatch, starving=starving)
    worker = Misbehaving(0)
    with pytest.raises(OverrunError):
        worker.run(question("dawdling", moves=("b2",)), 0.1, 0.1)
    assert len(asked) == looks
    assert worker.pid is None


@pytest.mark.slow
def test_who_is_ready_while_starving_is_heard(monkeypatch):
    told(monkeypatch, starving=True)
    worker = ProcessWorker(1 << 40, 0)
    assert worker.run(question("random"), 0.1, LONG).result.choice
    worker.close()
