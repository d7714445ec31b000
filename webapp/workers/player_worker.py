"""Workers for players from outside: threads that ask a process per match and keep it."""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from threading import Event, Lock, Thread
from time import monotonic
from typing import Any

from agents.compute.child_process import WorkerDiedError
from agents.core import Limit, ask
from agents.errors import BrokenAgentError
from agents.player_loader import end_matches, outside_agent
from agents.roster import load_agent
from agents.wrappers import LoadedAgent
from engine.catalog import load_game
from webapp.workers.analyses import AnalysisRequest, checked
from webapp.workers.requests import Request
from webapp.workers.worker import Result

log = logging.getLogger(__name__)

LANES = 2  # players from outside that think at a time
MAX_MATCHES = 16  # whose processes are kept; others are told their match again
IDLE_S = 60.0  # after which a match's process is ended: people take breaks, and leave
IDLE_CHECK_S = 5.0

MatchKey = tuple[str, str, str]  # the match, or what else it is asked for; agent; game


@dataclass(eq=False, slots=True)
class LiveMatch:
    """A player's processes in one match."""

    loaded: LoadedAgent
    used: float
    lock: Lock = field(default_factory=Lock)  # held while it is asked or ended


class LivePlayers:
    """The matches that players from outside are in; shared by the workers."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._matches: OrderedDict[MatchKey, LiveMatch] = OrderedDict()
        self._lock = Lock()
        self._closed = Event()
        self._sweeper: Thread | None = None

    def ask(self, request: AnalysisRequest, seconds: float) -> Any:
        """The player's analysis; raises BrokenAgentError where it forfeits."""
        live = self._find(request)
        with live.lock:
            try:
                limit = Limit(seconds=seconds)
                analysis = checked(ask(live.loaded, request.match, limit, Random(request.seed)))
            except BrokenAgentError:
                self._end(live)
                raise
            if request.match.play(analysis.choice).outcome() is not None:
                self._end(live)
            live.used = self._clock()
        return analysis

    def close(self) -> None:
        """End every process, also of players that are thinking."""
        self._closed.set()
        with self._lock:
            matches = list(self._matches.values())
        for live in matches:
            if (outside := outside_agent(live.loaded)) is not None:
                outside.close()

    def end_idle(self) -> None:
        """End the processes of matches that nobody has moved in for a while."""
        with self._lock:
            matches = list(self._matches.items())
        late = self._clock() - IDLE_S
        for number, (key, live) in enumerate(reversed(matches)):
            is_over = live.used < late or number >= MAX_MATCHES
            if is_over and live.lock.acquire(blocking=False):
                try:
                    self._end(live)
                finally:
                    live.lock.release()
                with self._lock:
                    self._matches.pop(key, None)

    def _find(self, request: AnalysisRequest) -> LiveMatch:
        key = (request.occasion, request.agent, request.game)
        with self._lock:
            live = self._matches.get(key)
            if live is None:
                loaded = load_agent(request.agent, load_game(request.game))
                if (outside := outside_agent(loaded)) is not None:
                    outside.seed = request.occasion
                live = self._matches[key] = LiveMatch(loaded, self._clock())
            self._matches.move_to_end(key)
            live.used = self._clock()
            if self._sweeper is None:
                self._sweeper = Thread(target=self._sweep, name="idle players", daemon=True)
                self._sweeper.start()
        return live

    def _sweep(self) -> None:
        while not self._closed.wait(IDLE_CHECK_S):
            self.end_idle()

    def _end(self, live: LiveMatch) -> None:
        end_matches(live.loaded)


class PlayerWorker:
    """One lane: waits for a player's process in a thread of this one."""

    is_alive = True
    memory = 0  # of a process: it is a thread

    def __init__(self, players: LivePlayers) -> None:
        self._players = players

    def run(self, request: Request[Any], seconds: float, deadline: float) -> Result:
        """Its analysis; the process has deadlines of its own, for its start and for a move."""
        assert isinstance(request, AnalysisRequest)
        try:
            return Result(self._players.ask(request, seconds), 0.0)
        except WorkerDiedError as error:  # not of a worker of ours
            broken = BrokenAgentError(str(error))
            broken.traceback = error.traceback
            raise broken from error

    def close(self) -> None:
        self._players.close()


def player_workers() -> tuple[PlayerWorker, ...]:
    """The lanes of a pool, which share the matches."""
    players = LivePlayers()
    return tuple(PlayerWorker(players) for _ in range(LANES))
