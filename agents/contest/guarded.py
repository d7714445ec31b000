"""Games in a child process with a timeout per move: an agent that hangs or crashes it forfeits.

Slower than a worker pool, because of a message per move, so it is only for games that were lost
there.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from queue import Empty, SimpleQueue
from threading import Thread
from time import perf_counter
from typing import BinaryIO

from agents.contest.arena import Fixture, Played, play_game
from agents.errors import BrokenAgentError
from engine.core import Seat

CHILD = "agents.contest.guarded"
MAX_CRASHES = 3  # of the child in one game, before the agent to move forfeits
PLIES = 200  # of a long game


@dataclass(frozen=True, slots=True)
class GuardTimeouts:
    """Seconds after which an agent is taken to hang, in addition to its limit."""

    first_move: float = 180.0  # in a process, as kernels are compiled
    move: float = 60.0
    game: float = 600.0  # in a worker pool, without a timeout per move


DEFAULT_TIMEOUTS = GuardTimeouts()


def play_guarded(
    fixtures: Sequence[Fixture], seconds: float, timeouts: GuardTimeouts = DEFAULT_TIMEOUTS
) -> list[Played]:
    """Play the games that begin within `seconds`, one at least: a task of a job."""
    end = perf_counter() + seconds
    played = []
    for result in guarded(fixtures, timeouts):
        played.append(result)
        if perf_counter() >= end:
            break
    return played


def guarded(
    fixtures: Iterable[Fixture], timeouts: GuardTimeouts = DEFAULT_TIMEOUTS
) -> Iterator[Played]:
    """The games in order; raises BrokenAgentError if the child cannot be started."""
    waiting = deque(fixtures)
    crashes = 0  # in the current game
    while waiting:
        with _child() as child:
            while waiting and child.usable:
                played = child.play(waiting[0], timeouts)
                crashes += child.crashed
                if not child.crashed or (crashes >= MAX_CRASHES and played is not None):
                    waiting.popleft()
                    crashes = 0
                    assert played is not None
                    yield played
                elif crashes >= MAX_CRASHES:
                    raise BrokenAgentError("no process could be had to watch a game in")


class _Child:
    """The child process and the thread that reads its messages."""

    def __init__(self) -> None:
        paths = os.pathsep.join(path for path in sys.path if path)
        # Not by multiprocessing, whose daemonic workers may not have children.
        self.process = subprocess.Popen(  # noqa: S603 - ourselves
            [sys.executable, "-m", CHILD],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | {"PYTHONPATH": paths},
        )
        # (whether the game is over, its result or the forfeit so far); None at the end of output
        self._messages: SimpleQueue[tuple[bool, Played] | None] = SimpleQueue()
        self._moved: set[Seat] = set()
        self.usable = True
        self.crashed = False
        Thread(target=self._read, name="guard", daemon=True).start()

    def play(self, fixture: Fixture, timeouts: GuardTimeouts) -> Played | None:
        """The result, or None if the process ended before the first move."""
        assert self.process.stdin is not None
        with suppress(OSError):  # if it has exited, the reader thread reports it
            pickle.dump(fixture, self.process.stdin)
            self.process.stdin.flush()
        allowed = fixture.limit.seconds or 0.0
        forfeit: Played | None = None
        seconds = timeouts.first_move
        while True:
            try:
                message = self._messages.get(timeout=seconds)
            except Empty:
                self.usable, self.crashed = False, forfeit is None
                return _forfeited(forfeit, f"it did not answer within {seconds:g} s")
            if message is None:
                self.usable, self.crashed = False, True
                return _forfeited(forfeit, "it took its process down")
            over, played = message
            if over:
                return played
            forfeit = played
            seconds = allowed + (timeouts.move if self._has_moved(forfeit) else timeouts.first_move)

    def _has_moved(self, forfeit: Played) -> bool:
        """Whether the seat to move has moved before in this process."""
        assert forfeit.outcome.winner is not None
        seat = forfeit.outcome.winner.other
        moved = seat in self._moved
        self._moved.add(seat)
        return moved

    def _read(self) -> None:
        assert self.process.stdout is not None
        with suppress(Exception):  # any error ends the stream
            while True:
                self._messages.put(pickle.load(self.process.stdout))  # noqa: S301 - our own process
        self._messages.put(None)


@contextmanager
def _child() -> Iterator[_Child]:
    child = _Child()
    try:
        yield child
    finally:
        child.process.kill()
        child.process.wait()
        for stream in (child.process.stdin, child.process.stdout):
            with suppress(OSError):  # unflushed input of a killed child
                stream and stream.close()


def _forfeited(forfeit: Played | None, fault: str) -> Played | None:
    return None if forfeit is None else replace(forfeit, fault=fault)


def main() -> None:
    """Run the child: fixtures in on stdin, messages out on stdout."""
    output = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # for what agents print

    def send(over: bool, played: Played) -> None:
        pickle.dump((over, played), output)
        output.flush()

    fixtures: SimpleQueue[Fixture] = SimpleQueue()
    Thread(target=_receive, args=(sys.stdin.buffer, fixtures), daemon=True).start()
    while True:
        send(True, play_game(fixtures.get(), lambda forfeit: send(False, forfeit)))


def _receive(stream: BinaryIO, fixtures: SimpleQueue[Fixture]) -> None:
    """Queue the fixtures, and exit with the parent, even in the middle of a move."""
    try:
        while True:
            fixtures.put(pickle.load(stream))  # noqa: S301 - from our parent
    except EOFError:
        os._exit(0)


if __name__ == "__main__":
    main()
