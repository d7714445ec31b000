"""A coordinator as a process: alone, or beside the server that started it, which it never
outlives and which starts it again when it dies."""

from __future__ import annotations

import logging
import signal
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing import parent_process
from multiprocessing.process import BaseProcess
from threading import Event, Thread
from typing import Any

from agents.compute.processes import fresh_context
from agents.roster import refusal, roster
from agents.runs import read_learner, stretch
from agents.training.trainer import length_of
from engine import load_game
from engine.catalog import catalog
from engine.errors import ZermeloError
from webapp.config import Config
from webapp.jobs.brain_store import BrainStore
from webapp.jobs.coordinator import Coordinator
from webapp.jobs.kinds.training import PATIENCE
from webapp.jobs.local_executor import Errand, LocalProcesses, TaskExecutor
from webapp.jobs.store import JobStore
from webapp.serving.logs import write_logs
from webapp.storage.database import Database


def first_steps() -> tuple[Errand, ...]:
    """Each learner's first game, of the first game that it can learn; those who learn most games
    come first, since they are asked for most."""
    games = [load_game(entry.key) for entry in catalog()]
    found: list[tuple[int, Errand]] = []
    for learner in (entry for entry in roster() if entry.train is not None):
        learned = [game.spec for game in games if refusal(learner, game) is None]
        if learned and _counts_games(learner.key, learned[0]):
            step = (stretch, (learned[0], learner.key, 1, None, 1, 0.0), PATIENCE)
            found.append((-len(learned), step))
    return tuple(step for _, step in sorted(found, key=lambda each: each[0]))


def _counts_games(key: str, game: str) -> bool:
    """Generations may last long, and are nothing to warm up with."""
    try:
        return length_of(read_learner(key, load_game(game))[2]) == "games"
    except (ZermeloError, TypeError):  # of a package that fails
        return False


log = logging.getLogger(__name__)

# One fork server for all processes of a server: it has loaded what either kind needs.
PRELOADED = ("webapp.workers.process", "agents.roster")
MERCY = 5.0  # seconds in which a coordinator has written what it knows
AGAIN = 1.0  # seconds before another is started for one that died


@dataclass(frozen=True, slots=True)
class Workplace:
    """Which database's jobs are worked on, and by whom."""

    database_url: str
    lanes: int  # processes of this machine
    niceness: int
    cluster: str | None = None  # instead of these
    warm: bool = False  # they load what a first task needs before it comes
    quota: int | None = None  # bytes of brains, for one visitor

    @classmethod
    def of(cls, config: Config) -> Workplace:
        return cls(
            config.database_url,
            config.job_workers,
            config.job_niceness,
            config.cluster,
            config.warm_up,
            config.brains_bytes,
        )


def coordinate(workplace: Workplace, stopping: Event) -> None:
    """Keep the jobs of this database going until told to stop."""
    database = Database(workplace.database_url)
    database.upgrade()
    try:
        executor = executor_for(workplace, BrainStore(database).data)
        leases = JobStore(database, quota=workplace.quota).leases
        Coordinator(leases, executor).run(stopping)
    finally:
        database.close()


def executor_for(workplace: Workplace, kept: Callable[[str], bytes | None]) -> TaskExecutor:
    """Where tasks run: on a cluster, or in so many processes of this machine, which step back for
    whoever answers players."""
    if workplace.cluster is None:
        warming = first_steps() if workplace.warm else ()
        return LocalProcesses(workplace.lanes, workplace.niceness, warming)
    from webapp.jobs.dask_executor import DaskCluster, brain_bytes  # an extra

    return DaskCluster(workplace.cluster, lambda digest: kept(digest) or brain_bytes(digest))


def stop_when_told(stopping: Event) -> None:
    """SIGTERM and Ctrl-C end a coordinator in its own good time."""
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stopping.set())


def _beside(workplace: Workplace) -> None:
    """What runs in a process of its own beside a server."""
    write_logs()
    stopping = Event()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server's business
    signal.signal(signal.SIGTERM, lambda *_: stopping.set())
    Thread(target=_end_with_parent, args=(stopping,), daemon=True).start()
    coordinate(workplace, stopping)


def _end_with_parent(stopping: Event) -> None:
    """However it ended: what is written stays, and whoever comes next goes on from there."""
    if (parent := parent_process()) is not None:
        parent.join()
        stopping.set()


class CoordinatorProcess:
    """The coordinator of a server, kept running until the server closes."""

    def __init__(self, workplace: Workplace) -> None:
        self._workplace = workplace
        self._closing = Event()
        self._process: BaseProcess | None = None
        self._thread = Thread(target=self._keep, name="coordinator", daemon=True)

    @property
    def pid(self) -> int | None:
        process = self._process
        return None if process is None else process.pid

    @property
    def is_alive(self) -> bool:
        process = self._process
        return process is not None and process.is_alive()

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        """End it, with all its workers."""
        self._closing.set()
        if (process := self._process) is not None:
            process.terminate()
            process.join(MERCY)
            process.kill()
            process.join()
        if self._thread.is_alive():
            self._thread.join(MERCY)

    def _keep(self) -> None:
        while not self._closing.is_set():
            try:
                context: Any = fresh_context(PRELOADED)
                # Not a daemon: those may have no workers. It ends with us all the same.
                process = context.Process(target=_beside, args=(self._workplace,), daemon=False)
                process.start()
            except (OSError, EOFError):  # the latter where the fork server is killed now
                log.exception("no coordinator could be started")
            else:
                self._process = process
                if self._closing.is_set():
                    process.terminate()
                process.join()
                if not self._closing.is_set():
                    log.error(
                        "the coordinator of jobs ended (%s): another is started", process.exitcode
                    )
            self._closing.wait(AGAIN)
