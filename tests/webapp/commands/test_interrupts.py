"""Ctrl-C: one line, exit code 130, what was reached kept, and nobody left behind."""

import json
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

from agents.training.brain_files import find
from tests.webapp.commands.command_line import process
from tests.webapp.serving.process import ROOT, eventually

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads Linux's /proc"),
]

PATIENCE = 60
ENDLESS = ("quixo", "random", "random:skill=0.5", "--games", "20000")
PLAYING = r" [1-9]\d*/20000 "  # the progress bar once it has counted a few games
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
        self.run = process(*arguments, stdout=subprocess.PIPE, stderr=self.theirs)

    def wait_for(self, pattern):
        """Until the terminal shows this."""
        deadline = time.monotonic() + PATIENCE
        while not re.search(pattern.encode(), self.seen):
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
        command.run.stdout.close()
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
    command.wait_for(PLAYING)
    command.interrupt()
    shown = command.rest()
    assert command.run.wait(PATIENCE) == 130
    # On a busy machine a piece of the progress bar may stand before it or follow.
    assert re.findall(r"zermelo: [^\r\n]*", shown) == ["zermelo: stopped"], shown
    assert "Traceback" not in command.seen.decode()
    eventually(lambda: not living(command.run.pid))


def test_workers_end_when_their_parent_is_killed(watched):
    command = watched("arena", *ENDLESS, "--workers", "2")
    command.wait_for(PLAYING)
    command.run.kill()
    eventually(lambda: not living(command.run.pid))


def test_ctrl_c_at_the_prompt_is_one_line():
    run = process("play", "tictactoe", "--against", "random", stdin=-1, stdout=-1, stderr=-1)
    interrupted(run, b"x> ")


def test_ctrl_c_reaches_compiled_code_too():
    run = subprocess.Popen([sys.executable, "-c", DEAF], cwd=ROOT, stdout=-1, stderr=-1)
    interrupted(run, b"begun\n")


def interrupted(run, after):
    """One that is interrupted once it has printed this."""
    seen = b""
    while not seen.endswith(after):
        seen += run.stdout.read(1)
    run.send_signal(signal.SIGINT)
    _, err = run.communicate(timeout=PATIENCE)
    assert (run.returncode, err) == (130, b"zermelo: stopped\n")


@pytest.mark.parametrize(
    ("problem", "search", "shown", "kept"),
    [
        ("set-cover:things=200,sets=1000,density=0.05", "exact", "at least", "sets"),
        ("black-box:groups=10,sealed=yes", "one-plus-one", "calls", "curve"),
    ],
)
def test_ctrl_c_keeps_what_a_search_found(watched, problem, search, shown, kept):
    command = watched("optimise", problem, search, "--runs", "1000", "--json")
    command.wait_for(shown)
    assert json.loads(stopped(command.run))[-1][kept]


@pytest.mark.usefixtures("own_data")
def test_ctrl_c_saves_what_was_learned(watched):
    training = ("train", "tictactoe", "state-value", "--games", "20000000", "--name", "long")
    command = watched(*training, "--json")
    command.wait_for("▲")
    report = json.loads(stopped(command.run))
    assert "state-value learns tictactoe" in command.seen.decode(errors="replace")
    assert report["stopped"] is True
    assert find("long").steps == report["steps"] < report["total"]


def stopped(run):
    """What it prints after Ctrl-C."""
    run.send_signal(signal.SIGINT)
    out, _ = run.communicate(timeout=PATIENCE)
    assert run.returncode == 130
    return out
