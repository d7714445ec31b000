"""A player's process: started with a file or a command, asked turn by turn, ended as a group."""

from __future__ import annotations

import json
import os
import re
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any
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
from agents.errors import BrokenAgentError, CrashedAgentError, UnsuitableAgentError
from agents.players.lines import ChildEnd, LogTail, connect
from agents.players.sandbox import LIMITS, bubblewrap, environment, wrapped
from agents.players.spec import OutsidePlayer

GUEST = Path(__file__).parent / "guest" / "__main__.py"
START_TIMEOUT_S = 30.0
MAX_LOG_BYTES = 1 << 20  # of a player
MARK = "PLAYER_PROCESS"  # in the environment of a process and all it starts
FRAME = re.compile(r'File "(?P<file>[^"]+)", line (?P<line>\d+)')


class LostPlayerError(WorkerDiedError):
    """A player whose process ended by itself."""


class PlayerProcess:
    """One process of a player, for one match and seat."""

    def __init__(self, player: OutsidePlayer, game: str, seat: int) -> None:
        self.player, self.game, self.seat = player, game, seat
        self.stateful = True
        self.plays: list[str] | None = None
        self._mark = uuid4().hex
        self._log: LogTail | None = None
        self._worker = Worker(self._start, greets=False, connect=connect)

    def start(self, seed: int) -> None:
        """Load the player's file; raises BrokenAgentError, or UnsuitableAgentError."""
        if self.player.command:
            return
        ready = self._call(
            {
                "type": "start",
                "game": self.game,
                "seat": self.seat,
                "seed": seed,
                "path": str(self.player.path),
                "name": self.player.name,
                "args": self.player.args,
                "limits": LIMITS,
            },
            START_TIMEOUT_S,
            f"it was not ready within {START_TIMEOUT_S:g} s",
        )
        self.stateful, self.plays = bool(ready.get("stateful", True)), ready.get("plays")

    def ask(self, turn: dict[str, Any], seconds: float) -> dict[str, Any]:
        """The answer to a turn; raises BrokenAgentError, and LostPlayerError if it ended."""
        late = f"it did not answer within {seconds:g} s and {GRACE_S:g} s of grace"
        return self._call({**turn, "type": "turn", "seconds": seconds}, seconds + GRACE_S, late)

    def end(self) -> None:
        """End it and everything it started."""
        self._worker.end()
        if bubblewrap() is None:
            kill_marked(self._mark)

    def _call(self, message: dict[str, Any], seconds: float, late: str) -> dict[str, Any]:
        try:
            self._worker.send(json.dumps(message))
            line = self._worker.receive(seconds)
        except WorkerTimeoutError as error:
            self.end()
            raise self._with_log(BrokenAgentError(f"{late}{self._hung_line()}")) from error
        except WorkerDiedError as error:
            self.end()
            raise self._with_log(
                LostPlayerError(f"its process ended{self._hung_line()}")
            ) from error
        try:
            reply = json.loads(line)
        except ValueError:
            reply = None
        if not isinstance(reply, dict):
            raise BrokenAgentError(f"it answered {line[:80]!r}, which is no JSON object")
        if "error" in reply:
            raise _failure(reply)
        return reply

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
        self._log = LogTail(log, log_writer(self.player))
        return process

    def _with_log(self, error: BrokenAgentError) -> BrokenAgentError:
        error.traceback = "" if self._log is None else self._log.text()[-2000:]
        return error

    def _hung_line(self) -> str:
        """` (mybot.py, line 3)`: where it was, as its process wrote into the log."""
        if self._log is None or self.player.path is None:
            return ""
        frames = FRAME.finditer(self._log.text())
        own = [found for found in frames if Path(found["file"]).parent != GUEST.parent]
        if not own:
            return ""
        return f" ({Path(own[0]['file']).name}, line {own[0]['line']})"


def _failure(reply: dict[str, Any]) -> Exception:
    """The error that a player's process tells of."""
    if reply.get("unplayable"):
        return UnsuitableAgentError(str(reply.get("message"))[:300])
    line = f" ({reply.get('file')}, line {reply.get('line')})" if reply.get("line") else ""
    error = CrashedAgentError(f"it failed with {str(reply['error'])[:200]}{line}")
    error.traceback = str(reply.get("traceback", ""))[:4000]
    return error


def log_path(player: OutsidePlayer) -> Path:
    """Where what a player prints goes."""
    name = player.path.stem if player.path is not None else Path(player.command[0]).name
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


def kill_marked(mark: str) -> None:
    """Kill what a player started and took out of its process group, as far as /proc tells."""
    wanted = f"{MARK}={mark}".encode()
    for place in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, ValueError):
            if wanted in (place / "environ").read_bytes().split(b"\0"):
                os.kill(int(place.name), signal.SIGKILL)
