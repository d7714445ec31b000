"""Games in a child process with a timeout per move: an agent that hangs or crashes it forfeits.

Slower than a worker pool, because of a message per move, so it is only for games that were lost
there.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from queue import SimpleQueue
from threading import Thread
from time import perf_counter

from agents.compute.child_process import (
    Worker,
    WorkerDiedError,
    WorkerTimeoutError,
    by_command,
    standard_input,
)
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
    guard = _Guard(timeouts)
    try:
        for fixture in fixtures:
            yield guard.play(fixture)
    finally:
        guard.worker.end()


class _Guard:
    """Plays games in a child process, replaced when it hangs or dies."""

    def __init__(self, timeouts: GuardTimeouts) -> None:
        paths = os.pathsep.join(path for path in sys.path if path)
        environment = os.environ | {"PYTHONPATH": paths}
        command = (sys.executable, "-m", CHILD)
        self.worker = Worker(by_command(command, environment), greets=False)
        self._timeouts = timeouts
        self._moved: set[Seat] = set()  # in the current process

    def play(self, fixture: Fixture) -> Played:
        """The result; a crash counts against the agent to move when it is the last of several."""
        for _ in range(MAX_CRASHES):
            forfeit, fault, crashed = self._try(fixture)
            if fault is None or not crashed:
                break
        if forfeit is None:
            raise BrokenAgentError("no process could be had to watch a game in")
        return forfeit if fault is None else replace(forfeit, fault=fault)

    def _try(self, fixture: Fixture) -> tuple[Played | None, str | None, bool]:
        """(the result or the forfeit so far, the fault if any, whether to try again)."""
        forfeit: Played | None = None
        seconds = self._timeouts.first_move
        try:
            self.worker.send(fixture)
            while True:
                over, played = self.worker.receive(seconds)
                if over:
                    return played, None, False
                forfeit = played
                seconds = (fixture.limit.seconds or 0.0) + self._move_timeout(played)
        except WorkerTimeoutError:
            fault, crashed = f"it did not answer within {seconds:g} s", forfeit is None
        except WorkerDiedError:
            fault, crashed = "it took its process down", True
        self._moved.clear()
        return forfeit, fault, crashed

    def _move_timeout(self, forfeit: Played) -> float:
        """Longer for the first move of a seat in this process."""
        assert forfeit.outcome.winner is not None
        seat = forfeit.outcome.winner.other
        seconds = self._timeouts.move if seat in self._moved else self._timeouts.first_move
        self._moved.add(seat)
        return seconds


def main() -> None:
    """Run the child: before each move it says what is forfeited if the move never comes."""
    channel = standard_input()
    fixtures: SimpleQueue[Fixture] = SimpleQueue()
    Thread(target=_receive, args=(channel, fixtures), daemon=True).start()
    while True:
        played = play_game(fixtures.get(), lambda forfeit: channel.send((False, forfeit)))
        channel.send((True, played))


def _receive(channel: Connection, fixtures: SimpleQueue[Fixture]) -> None:
    """Queue the fixtures, and exit with the parent, even in the middle of a move."""
    try:
        while True:
            fixtures.put(channel.recv())
    except (EOFError, OSError):
        os._exit(0)


if __name__ == "__main__":
    main()
