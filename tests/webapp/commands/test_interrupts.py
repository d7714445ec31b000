"""Ctrl-C: one line, exit code 130, and nobody left behind."""

import os
import pty
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from select import select

import pytest

from tests.webapp.commands.command_line import ROOT, process

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads Linux's /proc"),
]

PATIENCE = 60
ENDLESS = ("quixo", "random", "random:skill=0.5", "--games", "20000")
# Stands for a kernel: a main thread that the signal cannot stir.
DEAF = """
import signal
from webapp.commands.interrupts import prompt_interrupts
signal.signal(signal.SIGINT, lambda *_: None)
with prompt_interrupts():
    print("begun", flush=True)
    while True:
        pass
"""


def eventually(condition):
    """Waits for the condition; false if it has not come true for a minute."""
    deadline = time.monotonic() + PATIENCE
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.05)
    return condition()


def living(session):
    """The processes of a session that are not merely waiting to be buried."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, _, of_session = stat.read_text().rpartition(")")[2].split()[:4]
        except OSError:  # it ended meanwhile
            continue
        if int(of_session) == session and state not in "ZX":
            found.append(int(stat.parent.name))
    return found


class Watched:
    """A command whose error stream is a terminal, as a person has it."""

    def __init__(self, *arguments):
        # Our copy of their end stays open, or what was written last could go with the writer.
        self.screen, self.theirs = pty.openpty()
        self.seen = b""
        self.run = process(*arguments, stdout=subprocess.DEVNULL, stderr=self.theirs)

    def wait_until_playing(self):
        """Until the bar has counted a few games."""
        deadline = time.monotonic() + PATIENCE
        while not re.search(rb" [1-9]\d*/20000 ", self.seen):
            assert select([self.screen], [], [], deadline - time.monotonic())[0], self.seen
            self.seen += os.read(self.screen, 4096)

    def interrupt(self):
        """Ctrl-C as a terminal sends it: to every process in front of it."""
        os.killpg(self.run.pid, signal.SIGINT)

    def rest(self):
        """What it still shows until it has ended."""
        before = len(self.seen)
        while self.run.poll() is None or select([self.screen], [], [], 0)[0]:
            if select([self.screen], [], [], 0.05)[0]:
                self.seen += os.read(self.screen, 4096)
        return self.seen[before:].decode()


@pytest.fixture
def watched():
    """Starts commands, and ends what is left of them."""
    begun = []

    def start(*arguments):
        begun.append(Watched(*arguments))
        return begun[-1]

    yield start
    for command in begun:
        for left in living(command.run.pid):
            os.kill(left, signal.SIGKILL)
        command.run.wait(PATIENCE)
        os.close(command.screen)
        os.close(command.theirs)


@pytest.mark.parametrize(
    "arguments",
    [
        ("arena", *ENDLESS, "--workers", "2"),
        ("arena", *ENDLESS, "--workers", "1"),
        ("match", *ENDLESS),
    ],
    ids=["arena in two processes", "arena in one", "match"],
)
def test_ctrl_c_in_a_long_run_is_one_line_and_leaves_nobody(watched, arguments):
    command = watched(*arguments)
    command.wait_until_playing()
    command.interrupt()
    shown = command.rest()
    assert command.run.wait(PATIENCE) == 130
    # On a busy machine a piece of the progress bar may stand before it or follow.
    assert re.findall(r"zermelo: [^\r\n]*", shown) == ["zermelo: stopped"], shown
    assert "Traceback" not in command.seen.decode()
    assert eventually(lambda: not living(command.run.pid))


def test_workers_end_when_their_parent_is_killed(watched):
    command = watched("arena", *ENDLESS, "--workers", "2")
    command.wait_until_playing()
    command.run.kill()
    assert eventually(lambda: not living(command.run.pid))


def test_ctrl_c_at_the_prompt_is_one_line():
    run = process("play", "tictactoe", "--against", "random", stdin=-1, stdout=-1, stderr=-1)
    assert b"x> " in iter_until(run.stdout, b"x> ")
    run.send_signal(signal.SIGINT)
    _, err = run.communicate(timeout=PATIENCE)
    assert (run.returncode, err) == (130, b"zermelo: stopped\n")


def test_ctrl_c_reaches_compiled_code_too():
    run = subprocess.Popen(
        [sys.executable, "-c", DEAF], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert run.stdout.readline() == b"begun\n"
    run.send_signal(signal.SIGINT)
    _, err = run.communicate(timeout=PATIENCE)
    assert (run.returncode, err) == (130, b"zermelo: stopped\n")


def iter_until(stream, text):
    seen = b""
    while not seen.endswith(text):
        seen += stream.read(1)
    return seen
