"""A worker process: it answers, is late, dies or grows, and another takes its place."""

import os
import signal
import subprocess
import sys
import time
from contextlib import closing
from threading import Event, Thread
from time import monotonic

import pytest

from agents.compute import child_process as worker_module
from agents.compute.child_process import (
    MAX_EXTENSIONS,
    Usage,
    Worker,
    WorkerDiedError,
    WorkerStartError,
    WorkerTimeoutError,
    by_command,
    in_process,
    serve,
    usage_of,
)
from agents.compute.processes import done

LONG = 60  # seconds; a wait for a condition that comes much sooner
ECHO = "from agents.compute.child_process import standard_input as s; c = s(); c.send(c.recv() * 2)"


def calling(**settings):
    """A worker that calls the functions it is sent."""
    return closing(Worker(in_process(serve, done, **settings)))


def until(holds):
    end = monotonic() + LONG
    while not holds():
        assert monotonic() < end


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


@pytest.mark.slow
def test_a_result_is_returned_and_an_error_raised_by_the_same_process():
    with calling() as worker:
        assert worker.call((len, ("abc",)), LONG) == 3
        pid = worker.pid
        with pytest.raises(ZeroDivisionError):
            worker.call((divmod, (1, 0)), LONG)
        assert worker.pid == pid


@pytest.mark.slow
@pytest.mark.parametrize(("starving", "looks"), [(True, 2 * MAX_EXTENSIONS), (False, 2)])
def test_who_starves_is_given_more_time_but_not_for_ever(monkeypatch, starving, looks):
    asked = []

    def usage(pid):
        asked.append(pid)
        return Usage(0.0, wants_more=starving)

    monkeypatch.setattr(worker_module, "usage_of", usage)
    with calling() as worker:
        with pytest.raises(WorkerTimeoutError):
            worker.call((time.sleep, (600,)), 0.1)
        assert len(asked) == looks
        assert worker.pid is None
        assert worker.call((len, ("abc",)), LONG) == 3


def spin(connection):
    while True:
        pass


@pytest.mark.slow
def test_a_process_that_computes_wants_more_and_one_that_is_held_does_not():
    with closing(Worker(in_process(spin))) as worker:
        worker.send("begin")
        pid, before = worker.pid, usage_of(worker.pid)
        until(lambda: usage_of(pid).seconds > before.seconds)
        until(lambda: usage_of(pid).wants_more)
        os.kill(pid, signal.SIGSTOP)
        until(lambda: not usage_of(pid).wants_more)
    assert not usage_of(pid).wants_more


def with_a_child(path):
    child = subprocess.Popen(["sleep", "600"])
    with open(path, "w") as file:
        file.write(f"{child.pid}\n")
    time.sleep(600)


@pytest.mark.slow
def test_killed_by_another_thread_it_takes_what_it_started_along(tmp_path):
    path, errors = tmp_path / "pid", []

    def call():
        try:
            worker.call((with_a_child, (str(path),)), LONG)
        except WorkerDiedError as error:
            errors.append(str(error))

    with calling() as worker:
        thread = Thread(target=call)
        thread.start()
        until(lambda: path.exists() and path.read_text().endswith("\n"))
        worker.kill()
        thread.join(LONG)
    assert errors == ["its process died"]
    until(lambda: not is_running(int(path.read_text())))


def is_running(pid):
    """Whether the process runs: one that only waits to be buried does not."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.slow
def test_beyond_its_address_space_it_gets_no_memory():
    with calling(address_space=8 << 30) as worker:
        assert len(worker.call((bytes, (1000,)), LONG)) == 1000
        with pytest.raises(MemoryError):
            worker.call((bytes, (16 << 30,)), LONG)


@pytest.mark.slow
def test_a_program_talks_over_its_standard_input_and_its_end_is_noticed():
    worker = Worker(by_command((sys.executable, "-c", ECHO)), greets=False)
    worker.send("ab")
    assert worker.receive(LONG) == "abab"
    with pytest.raises(WorkerDiedError):
        worker.receive(LONG)
    worker.close()
    with pytest.raises(WorkerDiedError):
        worker.send("ab")


def test_a_program_that_is_not_there_cannot_be_started():
    with pytest.raises(WorkerStartError, match="no process could be started"):
        Worker(by_command(("/no/such/program",)), greets=False).send("ab")


def test_a_start_that_hangs_is_told():
    """As where the fork server was stopped: what waits for it hears nothing."""
    may_go_on, called = Event(), Event()

    def start(channel):
        called.set()
        may_go_on.wait(LONG)
        raise OSError("it was let go")

    def sends():
        with pytest.raises(WorkerStartError):
            worker.send("ab")

    now = [0.0]
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(worker_module, "monotonic", lambda: now[0])
        worker = Worker(start, greets=False)
        sender = Thread(target=sends)
        sender.start()
        assert called.wait(LONG)
        assert worker.is_alive
        now[0] = worker_module.START_TIMEOUT_S + 1
        assert not worker.is_alive
        may_go_on.set()
        sender.join(LONG)
        assert worker.is_alive  # the next message tries again
