"""Games in a child process with a timeout per move: an agent that hangs or crashes it forfeits.

Slower than a worker pool, because of a message per move, so it is only for agents of packages and
for games that were lost there.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import inf
from multiprocessing.connection import Connection
from queue import SimpleQueue
from threading import Thread

from agents.compute.child_process import (
    Worker,
    WorkerDiedError,
    WorkerTimeoutError,
    by_command,
    standard_input,
)
from agents.contest.arena import (
    Fixture,
    Interrupted,
    Played,
    begun_within,
    parts_of,
    play_game,
    play_part,
)
from agents.core import GRACE_S
from agents.errors import BrokenAgentError
from agents.players.spec import is_player
from agents.roster import is_trusted
from engine.core import Seat

CHILD = "agents.contest.guarded"
MAX_CRASHES = 3  # of the child in one game, before the agent to move forfeits
PLIES = 200  # of a long game
PART_S = 5.0  # after which a game of a job is interrupted: each part needs a process of its own
DELIVERY_S = 0.5  # within which a message has come


@dataclass(frozen=True, slots=True)
class GuardTimeouts:
    """Seconds after which an agent is taken to hang, where its limit does not say."""

    first_move: float = 180.0  # in a process, as kernels are compiled
    move: float = 60.0
    game: float = 600.0  # in a worker pool, without a timeout per move


DEFAULT_TIMEOUTS = GuardTimeouts()


def play_guarded(
    fixtures: Sequence[Fixture],
    seconds: float,
    begun: bytes | None = None,
    timeouts: GuardTimeouts = DEFAULT_TIMEOUTS,
) -> list[Played | Interrupted]:
    """Play the games that begin within `seconds`, as `arena.play_some` does: a task of a job."""
    parts = ((fixture, so_far, PART_S) for fixture, so_far in parts_of(fixtures, begun))
    return begun_within(seconds, _guarded(parts, timeouts))


def guarded(
    fixtures: Iterable[Fixture], timeouts: GuardTimeouts = DEFAULT_TIMEOUTS
) -> Iterator[Played]:
    """The games in order, each to its end; raises BrokenAgentError if no child can be started."""
    for played in _guarded(((fixture, None, inf) for fixture in fixtures), timeouts):
        assert isinstance(played, Played)
        yield played


# A game, where it was interrupted, and seconds after which it is interrupted again.
Part = tuple[Fixture, Interrupted | None, float]


def _guarded(parts: Iterable[Part], timeouts: GuardTimeouts) -> Iterator[Played | Interrupted]:
    guard = Guard(timeouts)
    try:
        for part in parts:
            yield guard.play(part)
    finally:
        guard.worker.end()


def is_guarded(fixture: Fixture) -> bool:
    """Whether a game is played under guard from the first: an agent of it is a package's."""
    return not all(is_trusted(spec) or is_player(spec) for spec in fixture.specs)


def play_here(
    fixtures: Iterable[Fixture], timeouts: GuardTimeouts = DEFAULT_TIMEOUTS
) -> Iterator[Played]:
    """The games in order: in this process where all agents are ours, else under guard."""
    guard = Guard(timeouts)
    try:
        for fixture in fixtures:
            whole = (fixture, None, inf)
            played = guard.play(whole) if is_guarded(fixture) else play_game(fixture)
            assert isinstance(played, Played)
            yield played
    finally:
        guard.worker.end()


class Guard:
    """Plays games in a child process, replaced when it hangs or dies."""

    def __init__(self, timeouts: GuardTimeouts) -> None:
        paths = os.pathsep.join(path for path in sys.path if path)
        environment = os.environ | {"PYTHONPATH": paths}
        command = (sys.executable, "-m", CHILD)
        self.worker = Worker(by_command(command, environment), greets=False)
        self._timeouts = timeouts
        self._moved: set[Seat] = set()  # in the current process
        self._hung: set[str] = set()  # specs

    def play(self, part: Part) -> Played | Interrupted:
        """The result; a crash counts against the agent to move when it is the last of several."""
        for _ in range(MAX_CRASHES):
            forfeit, fault, crashed = self._try(part)
            if fault is None or not crashed:
                break
        if forfeit is None:
            raise BrokenAgentError("no process could be had to watch a game in")
        return replace(forfeit, fault=fault) if isinstance(forfeit, Played) and fault else forfeit

    def _try(self, part: Part) -> tuple[Played | Interrupted | None, str | None, bool]:
        """(the result or the forfeit so far, the fault if any, whether to try again)."""
        forfeit: Played | None = None
        seconds = self._timeouts.first_move
        try:
            self.worker.send(part)
            while True:
                over, played = self.worker.receive(seconds)
                if over:
                    return played, None, False
                forfeit = played
                seconds = self._move_timeout(played)
        except WorkerTimeoutError:
            if forfeit is not None and forfeit.loser is not None:
                self._hung.add(forfeit.loser)
            fault, crashed = f"it did not answer within {seconds:g} s", forfeit is None
        except WorkerDiedError:
            fault, crashed = "it took its process down", True
        self._moved.clear()
        return forfeit, fault, crashed

    def _move_timeout(self, forfeit: Played) -> float:
        """For the next move; longer for the first move of a seat in this process."""
        assert forfeit.outcome.winner is not None
        seat = forfeit.outcome.winner.other
        limit = forfeit.fixture.limit_of(seat).seconds
        # Nothing is compiled any more for one that has hung before.
        is_first = seat not in self._moved and forfeit.loser not in self._hung
        self._moved.add(seat)
        if is_first:
            return self._timeouts.first_move + (limit or 0.0)
        # Whoever answers late is found out by its clock: here it need only be ended.
        return self._timeouts.move if limit is None else limit + GRACE_S + DELIVERY_S


def main() -> None:
    """Run the child: before each move it says what is forfeited if the move never comes."""
    channel = standard_input()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent's affair
    parts: SimpleQueue[Part] = SimpleQueue()
    Thread(target=_receive, args=(channel, parts), daemon=True).start()
    while True:
        played = play_part(*parts.get(), watch=lambda forfeit: channel.send((False, forfeit)))
        channel.send((True, played))


def _receive(channel: Connection, parts: SimpleQueue[Part]) -> None:
    """Queue the games, and exit with the parent, even in the middle of a move."""
    try:
        while True:
            parts.put(channel.recv())
    except (EOFError, OSError):
        os._exit(0)


if __name__ == "__main__":
    main()
