"""Games in a process apart, watched thought by thought: who never answers, or takes the process
down, forfeits.

A process and a line for every thought cost something: this is for games that did not come back
when they were played as usual.
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
DEATHS = 3  # of a process in one game, before it is taken to be an agent that brings it down
PLIES = 200  # of a long game


@dataclass(frozen=True, slots=True)
class GuardPatience:
    """Seconds after which an agent is taken to hang, besides what the limit allows it."""

    first: float = 180.0  # for the first thought in a process: kernels are compiled on the way
    thought: float = 60.0
    game: float = 600.0  # for one that nobody watches


DEFAULT = GuardPatience()


def play_guarded(
    fixtures: Sequence[Fixture], seconds: float, patience: GuardPatience = DEFAULT
) -> list[Played]:
    """As many of these games as begin within so many seconds, one at least: a task of a job."""
    end = perf_counter() + seconds
    played = []
    for result in guarded(fixtures, patience):
        played.append(result)
        if perf_counter() >= end:
            break
    return played


def guarded(fixtures: Iterable[Fixture], patience: GuardPatience = DEFAULT) -> Iterator[Played]:
    """Every game in its turn. Raises BrokenAgentError where no process can be had."""
    waiting = deque(fixtures)
    deaths = 0  # of the game that is played now
    while waiting:
        with _child() as child:  # as long as it lives
            while waiting and child.lives:
                played = child.play(waiting[0], patience)
                deaths += child.died
                if not child.died or (deaths >= DEATHS and played is not None):
                    waiting.popleft()
                    deaths = 0
                    assert played is not None
                    yield played
                elif deaths >= DEATHS:
                    raise BrokenAgentError("no process could be had to watch a game in")


class _Child:
    """The process, and the thread that reads what it says."""

    def __init__(self) -> None:
        paths = os.pathsep.join(path for path in sys.path if path)
        # Not of multiprocessing: the process of a task may have none of those.
        self.process = subprocess.Popen(  # noqa: S603 - ourselves
            [sys.executable, "-m", CHILD],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | {"PYTHONPATH": paths},
        )
        self._said: SimpleQueue[tuple[bool, Played] | None] = SimpleQueue()
        self._met: set[Seat] = set()
        self.lives = True  # and is fit for another game
        self.died = False
        Thread(target=self._read, name="guard", daemon=True).start()

    def play(self, fixture: Fixture, patience: GuardPatience) -> Played | None:
        """How it went; None where the process ended before anyone was asked."""
        assert self.process.stdin is not None
        with suppress(OSError):  # it is gone: the line says so
            pickle.dump(fixture, self.process.stdin)
            self.process.stdin.flush()
        allowed = fixture.limit.seconds or 0.0
        forfeit: Played | None = None
        seconds = patience.first
        while True:
            try:
                said = self._said.get(timeout=seconds)
            except Empty:
                self.lives, self.died = False, forfeit is None
                return _forfeited(forfeit, f"it did not answer within {seconds:g} s")
            if said is None:
                self.lives, self.died = False, True
                return _forfeited(forfeit, "it took its process down")
            over, played = said
            if over:
                return played
            forfeit = played
            seconds = allowed + (patience.thought if self._knows(forfeit) else patience.first)

    def _knows(self, forfeit: Played) -> bool:
        """Whether whoever thinks has done so before in this process."""
        assert forfeit.outcome.winner is not None
        seat = forfeit.outcome.winner.other
        known = seat in self._met
        self._met.add(seat)
        return known

    def _read(self) -> None:
        assert self.process.stdout is not None
        with suppress(Exception):  # whatever ends the line, it has ended
            while True:
                self._said.put(pickle.load(self.process.stdout))  # noqa: S301 - our own process
        self._said.put(None)


@contextmanager
def _child() -> Iterator[_Child]:
    child = _Child()
    try:
        yield child
    finally:
        child.process.kill()
        child.process.wait()
        for line in (child.process.stdin, child.process.stdout):
            with suppress(OSError):  # what it was sent last is not read any more
                line and line.close()


def _forfeited(forfeit: Played | None, fault: str) -> Played | None:
    return None if forfeit is None else replace(forfeit, fault=fault)


def main() -> None:
    said = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what an agent prints is no answer

    def say(over: bool, played: Played) -> None:
        pickle.dump((over, played), said)
        said.flush()

    asked: SimpleQueue[Fixture] = SimpleQueue()
    Thread(target=_listen, args=(sys.stdin.buffer, asked), daemon=True).start()
    while True:
        say(True, play_game(asked.get(), lambda forfeit: say(False, forfeit)))


def _listen(line: BinaryIO, asked: SimpleQueue[Fixture]) -> None:
    """Nobody is left to play for once the line ends, in the middle of a thought too."""
    try:
        while True:
            asked.put(pickle.load(line))  # noqa: S301 - from whoever started us
    except EOFError:
        os._exit(0)


if __name__ == "__main__":
    main()
