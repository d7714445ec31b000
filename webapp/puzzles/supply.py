"""Fresh puzzles in the background: a thread that asks the workers for some while they are idle."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from threading import Event, Thread
from time import monotonic

from agents.puzzles.answers import answered
from agents.puzzles.collection import SHIPPED, shipped_puzzles
from agents.puzzles.difficulty import level_by_depth
from agents.puzzles.finder import find_puzzles, identity
from agents.puzzles.models import Puzzle
from engine import load_game
from webapp.puzzles.models import FRESH
from webapp.puzzles.store import PuzzleStore
from webapp.workers.pool import WorkerPool
from webapp.workers.queue import BusyError, Rank
from webapp.workers.requests import ResultRequest

log = logging.getLogger(__name__)

TARGET = 40  # of each game, that nobody has tried
BATCH = 4  # puzzles of a request
REQUEST_S = 8.0
PERIOD_S = 20.0  # between two requests, at least


@dataclass(frozen=True, slots=True)
class FreshPuzzlesRequest(ResultRequest[tuple[Puzzle, ...]]):
    """Makes a few puzzles of a game, none of them one that ships."""

    game: str
    seed: int

    @property
    def key(self) -> tuple[str, str]:
        return "fresh puzzles", self.game

    def run(self, seconds: float) -> tuple[Puzzle, ...]:
        end = monotonic() + seconds / 2
        game = load_game(self.game)
        known = set(map(identity, shipped_puzzles()))
        made: list[Puzzle] = []
        for puzzle in find_puzzles(game, self.seed):
            if identity(puzzle) not in known:
                made.append(answered(level_by_depth(puzzle)))
            if len(made) == BATCH or monotonic() > end:
                break
        return tuple(made)


class PuzzleSupply:
    """Keeps some puzzles of each game that nobody has tried yet."""

    def __init__(self, store: PuzzleStore, pool: WorkerPool) -> None:
        self._store = store
        self._pool = pool
        self._closed = Event()
        self._thread = Thread(target=self._run, name="puzzles", daemon=True)
        self._exhausted: set[str] = set()  # games of which a request brought nothing new

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        self._closed.set()
        if self._thread.is_alive():
            self._thread.join(1.0)

    def _run(self) -> None:
        while not self._closed.wait(PERIOD_S):
            try:
                self.add_some()
            except Exception:  # the next round tries again
                log.exception("no fresh puzzles this time")

    def add_some(self) -> int:
        """Add puzzles of the game that has the fewest, if the workers are idle; returns how many.

        What another process has added counts too: the seed is how many there are.
        """
        if any(self._pool.load):
            return 0
        before = self._store.supply()
        left = {
            game: count - tried
            for game in SHIPPED
            if game not in self._exhausted
            for count, tried in (before.get(game, (0, 0)),)
            if count - tried < TARGET
        }
        if not left:
            return 0
        game = min(left, key=lambda each: left[each])
        count = before.get(game, (0, 0))[0]
        try:
            pending = self._pool.ask(
                FreshPuzzlesRequest(game, count), REQUEST_S, Rank.WARMING, "puzzles"
            )
        except BusyError:
            return 0
        answer = pending.wait(2 * REQUEST_S)
        self._store.keep((answer.result or ()) if answer else (), FRESH)
        added = self._store.supply().get(game, (0, 0))[0] - count
        if not added:
            self._exhausted.add(game)
        return added
