"""A player's process: started with a file or a command, asked turn by turn, ended as a group."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from signal import Signals
from time import monotonic
from typing import Any, TypeVar
from uuid import uuid4

from agents.compute.child_process import (
    Process,
    Program,
    Worker,
    WorkerDiedError,
    WorkerTimeoutError,
)
from agents.compute.paths import data_dir
from agents.core import GRACE_S
from agents.errors import (
    BrokenAgentError,
    CrashedAgentError,
    LateAgentError,
    UnsuitableAgentError,
)
from agents.failures import without_folders
from agents.players import ugi
from agents.players.descendants import MARK, MAX_PROCESSES, ProcessWatch, kill_all, kill_tree
from agents.players.lines import ChildEnd, LogTail, connect
from agents.players.sandbox import bubblewrap, environment, wrapped
from agents.players.spec import OutsidePlayer
from engine.errors import without_controls

GUEST = Path(__file__).parent / "guest" / "__main__.py"
START_TIMEOUT_S = 30.0
DUMP_AFTER = 0.9  # of that time, after which it writes into its log where it is
MAX_LOG_BYTES = 1 << 20  # of a player
CROWD = f"it started more than {MAX_PROCESSES} processes"
NOT_READY = f"it was not ready within {START_TIMEOUT_S:g} s"
FRAME = re.compile(r'File "(?P<file>[^"]+)", line (?P<line>\d+)')

R = TypeVar("R")


class LostPlayerError(WorkerDiedError):
    """A player whose process ended by itself."""


class PlayerProcess:
    """One process of a player, for one match and seat."""

    grace_s = GRACE_S  # beyond the seconds of a move

    def __init__(self, player: OutsidePlayer, game: str, seat: int) -> None:
        self.player, self.game, self.seat = player, game, seat
        self.stateful = not player.ugi  # whose every turn tells the whole match
        self.plays: list[str] | None = None
        self._mark = uuid4().hex
        self._log: LogTail | None = None
        self._watch: ProcessWatch | None = None
        self._process: Program | None = None
        self._worker = Worker(self._start, greets=False, connect=connect, kill=kill_tree)

    def start(self, seed: int) -> None:
        """Load the player's file; raises BrokenAgentError, or UnsuitableAgentError."""
        if self.player.ugi:
            self._greet(seed)
        elif self.player.path is not None:
            ready = self._call(
                {
                    "type": "start",
                    "game": self.game,
                    "seat": self.seat,
                    "seed": seed,
                    "path": str(self.player.path),
                    "name": self.player.name,
                    "args": self.player.args,
                    "processes": MAX_PROCESSES,
                    "seconds": DUMP_AFTER * START_TIMEOUT_S,
                },
                START_TIMEOUT_S,
                NOT_READY,
            )
            self.stateful, self.plays = bool(ready.get("stateful", True)), ready.get("plays")

    def ask(self, turn: dict[str, Any], seconds: float) -> dict[str, Any]:
        """The answer to a turn; raises BrokenAgentError, and LostPlayerError if it ended."""
        late = f"it did not answer within {seconds:g} s and {self.grace_s:g} s of grace"
        until = seconds + self.grace_s
        if self.player.ugi:
            return self._exchange(ugi.turn_lines(turn, seconds), ugi.Search().read, until, late)
        told = {**turn, "type": "turn", "seconds": seconds}
        if self.player.path is not None:
            told["grace"] = self.grace_s
        return self._call(told, until, late)

    def end(self) -> None:
        """End it and everything it started."""
        watch, self._watch = self._watch, None
        if watch is not None:
            watch.end()
        self._worker.end()
        if watch is not None and bubblewrap() is None:
            kill_all(watch.left(), self._mark)

    def close(self) -> None:
        """End it for good, even while another thread asks it."""
        self._worker.close()
        self.end()

    def _greet(self, seed: int) -> None:
        """The handshake with a UGI engine."""
        hello = ugi.Handshake()
        self._exchange([ugi.HELLO], hello.read, START_TIMEOUT_S, NOT_READY)
        lines = [*hello.settings(self.game, seed), ugi.NEW_GAME, ugi.READY]
        self._exchange(lines, ugi.read_ready, START_TIMEOUT_S, NOT_READY)

    def _call(self, message: dict[str, Any], seconds: float, late: str) -> dict[str, Any]:
        return self._exchange([json.dumps(message)], read_reply, seconds, late)

    def _exchange(
        self, lines: Sequence[str], read: Callable[[str], R | None], seconds: float, late: str
    ) -> R:
        """Send lines; what `read` makes of the first reply that it does not pass over."""
        end = monotonic() + seconds
        try:
            for line in lines:
                self._worker.send(line)
            while True:
                reply = read(self._worker.receive(max(0.0, end - monotonic())))
                if reply is not None:
                    return reply
                if monotonic() >= end:
                    raise WorkerTimeoutError(late)
        except WorkerTimeoutError as error:
            self.end()
            raise self._with_log(LateAgentError(f"{late}{self._last_line()}")) from error
        except WorkerDiedError as error:
            watch = self._watch
            self.end()
            if (watch is not None and watch.exceeded) or CROWD in self._printed():
                raise self._with_log(BrokenAgentError(f"{CROWD}{self._last_line()}")) from error
            lost = LostPlayerError(f"its process ended{self._exit_text()}{self._last_line()}")
            raise self._with_log(lost) from error

    def _start(self, its: ChildEnd) -> Process:
        own = environment() | {MARK: self._mark}
        log, printed = os.pipe()
        path = self.player.path
        directory = Path.cwd() if path is None else path.parent
        try:
            if path is None:
                command = wrapped(list(self.player.command), directory)
                settings: dict[str, Any] = {"stdout": its.replies}
            else:
                python = self.player.python or sys.executable
                command = wrapped([python, str(GUEST), str(its.replies)], directory)
                settings = {"stdout": printed, "pass_fds": (its.replies,)}
            process = Program(
                command,
                stdin=its.requests,
                stderr=printed,
                env=own,
                cwd=directory,
                process_group=0,
                **settings,
            )
        except OSError:
            os.close(log)
            raise
        finally:
            os.close(printed)
        self._process = process
        self._log = LogTail(log, log_writer(self.player))
        self._watch = ProcessWatch(process.pid, self._worker.kill)
        return process

    def _printed(self) -> str:
        return "" if self._log is None else self._log.text()

    def _with_log(self, error: BrokenAgentError) -> BrokenAgentError:
        error.traceback = without_controls(self._printed()[-2000:], "\n")
        return error

    def _exit_text(self) -> str:
        """` by SIGSEGV` or ` with exit code 3`; nothing of SIGKILL, which may be ours."""
        code = 0 if self._process is None else self._process.wait()
        number = -code if code < 0 else code - 128  # the latter of bubblewrap
        if number > 0:
            known = number in (*Signals,) and number != Signals.SIGKILL
            return f" by {Signals(number).name}" if known else ""
        return f" with exit code {code}"

    def _last_line(self) -> str:
        """` (mybot.py, line 3)`: where it was, as its process wrote into the log."""
        if self.player.path is None:
            return ""
        # faulthandler's, of which the last is where it hung or crashed
        trace = self._printed().rpartition("(most recent call first):")[2]
        frames = FRAME.finditer(trace)
        folder = self.player.path.parent
        own = next((found for found in frames if Path(found["file"]).parent == folder), None)
        return "" if own is None else f" ({Path(own['file']).name}, line {own['line']})"


def read_reply(line: str) -> dict[str, Any]:
    """A line of JSON; raises what the player's process tells of, or BrokenAgentError."""
    try:
        reply = json.loads(line)
    except ValueError:
        reply = None
    if not isinstance(reply, dict):
        raise BrokenAgentError(f"it answered {line[:80]!r}, which is no JSON object")
    if "error" in reply:
        raise _failure(reply)
    return reply


def _failure(reply: dict[str, Any]) -> Exception:
    """The error that a player's process tells of."""
    if reply.get("unplayable"):
        return UnsuitableAgentError(without_controls(str(reply.get("message")))[:300])
    what = without_folders(without_controls(str(reply["error"])))[:200]
    error = CrashedAgentError(f"it failed with {what}{place_text(reply)}")
    error.traceback = without_controls(str(reply.get("traceback", ""))[:4000], "\n")
    return error


def place_text(reply: dict[str, Any]) -> str:
    """` (mybot.py, line 3)`, of what the player's process tells of; empty where it does not."""
    file, line = reply.get("file"), reply.get("line")
    if not isinstance(file, str):
        return ""
    return f" ({without_controls(file)[:80]}{f', line {line}' if isinstance(line, int) else ''})"


def log_path(player: OutsidePlayer) -> Path:
    """Where what a player prints goes: its name, or its folder's where every hand-in is a main."""
    if player.path is None:
        name = Path(player.command[0]).name
    else:
        name = player.path.stem if player.path.stem != "main" else player.path.resolve().parent.name
    place = data_dir() / "players"
    place.mkdir(exist_ok=True)
    return place / f"{re.sub(r'[^A-Za-z0-9_-]', '-', name)}.log"


def log_writer(player: OutsidePlayer) -> Callable[[bytes], None]:
    """Appends to the player's log, which is begun anew when it is full, at most once a process."""
    path = log_path(player)
    with suppress(OSError):
        if path.exists() and path.stat().st_size >= MAX_LOG_BYTES:
            path.unlink()

    def write(chunk: bytes) -> None:
        with suppress(OSError), path.open("ab") as file:
            file.write(chunk[: max(0, MAX_LOG_BYTES - file.tell())])

    return write
