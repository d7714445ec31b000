"""The coordinator as a process: alone (`zermelo jobs`), or as a child of a server.

A child never outlives its server, which restarts it when it dies.
"""

from __future__ import annotations

import logging
import signal
from collections.abc import Callable
from multiprocessing import parent_process
from multiprocessing.process import BaseProcess
from threading import Event, Thread
from time import monotonic
from typing import Any

from agents.compute.processes import fresh_context
from agents.roster import refusal, roster
from agents.runs import read_learner, train_slice
from agents.training.trainer import length_of
from engine import load_game
from engine.catalog import catalog
from engine.errors import ZermeloError
from webapp.config import Config
from webapp.jobs.coordinator import Coordinator
from webapp.jobs.kinds.training import STRETCH_TIMEOUT_S
from webapp.jobs.local_executor import LocalProcesses, TaskCall, TaskExecutor
from webapp.jobs.store import JobStore
from webapp.serving.logs import write_logs
from webapp.storage.database import Database
from webapp.workers.worker import PRELOADED  # so that both share one fork server

log = logging.getLogger(__name__)

SHUTDOWN_GRACE_S = 5.0  # for a coordinator to store its results
RESTART_DELAY_S = 1.0
START_GRACE_S = 60.0  # until its first turn: the database may have to be upgraded
HANG_S = 30.0  # without a turn, each of which takes a fraction of a second
WATCH_INTERVAL_S = 1.0


def coordinate(config: Config, stopping: Event, heartbeat: Any = None) -> None:
    """Run the jobs of this database until stopped; `heartbeat.value` is when it last went on."""
    database = Database(config.database_url)
    database.upgrade()
    try:
        store = JobStore(database, config.jobs)
        Coordinator(store, executor_for(config, store.brains.data)).run(stopping, heartbeat)
    finally:
        database.close()


def executor_for(config: Config, stored: Callable[[str], bytes | None]) -> TaskExecutor:
    """The executor of a cluster, or that with processes of this machine."""
    if config.jobs.cluster is None:
        warm_up = warm_up_tasks() if config.warm_up else ()
        return LocalProcesses(config.jobs.workers, config.jobs.niceness, warm_up)
    from webapp.jobs.dask_executor import DaskCluster, brain_bytes  # an extra

    return DaskCluster(config.jobs.cluster, lambda digest: stored(digest) or brain_bytes(digest))


def stop_on_signals(stopping: Event) -> None:
    """Let SIGTERM and Ctrl-C stop a coordinator gracefully."""
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stopping.set())


def _run_coordinator(config: Config, heartbeat: Any) -> None:
    """The main function of a server's child process."""
    write_logs()
    stopping = Event()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server handles it
    signal.signal(signal.SIGTERM, lambda *_: stopping.set())
    Thread(target=_end_with_parent, args=(stopping,), daemon=True).start()
    coordinate(config, stopping, heartbeat)


def _end_with_parent(stopping: Event) -> None:
    """Stop when the parent process ends, however it ends."""
    if (parent := parent_process()) is not None:
        parent.join()
        stopping.set()


class CoordinatorProcess:
    """The coordinator of a server, restarted until the server closes."""

    def __init__(self, config: Config) -> None:
        self._config = config
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
        """End it and its workers."""
        self._closing.set()
        if (process := self._process) is not None:
            process.terminate()
            process.join(SHUTDOWN_GRACE_S)
            process.kill()
            process.join()
        if self._thread.is_alive():
            self._thread.join(SHUTDOWN_GRACE_S)

    def _keep(self) -> None:
        while not self._closing.is_set():
            try:
                context: Any = fresh_context(PRELOADED)
                heartbeat = context.Value("d", monotonic() + START_GRACE_S, lock=False)
                # Not a daemon, which may have no children; it ends with its parent all the same.
                process = context.Process(
                    target=_run_coordinator, args=(self._config, heartbeat), daemon=False
                )
                process.start()
            except (OSError, EOFError):  # the latter where the fork server is killed now
                log.exception("no coordinator could be started")
            else:
                self._process = process
                if self._closing.is_set():
                    process.terminate()
                self._watch(process, heartbeat)
                if not self._closing.is_set():
                    log.error(
                        "the coordinator of jobs ended (%s): another is started", process.exitcode
                    )
            self._closing.wait(RESTART_DELAY_S)

    def _watch(self, process: BaseProcess, heartbeat: Any) -> None:
        """Wait until it ends; one that has not gone on for HANG_S is killed."""
        while process.is_alive():
            process.join(WATCH_INTERVAL_S)
            if process.is_alive() and monotonic() - heartbeat.value > HANG_S:
                log.error("the coordinator of jobs hangs: it is killed")
                process.kill()
                process.join()


def warm_up_tasks() -> tuple[TaskCall, ...]:
    """One step of each learner, in the first game it can learn; the most general learners first."""
    games = [load_game(entry.key) for entry in catalog()]
    found: list[tuple[int, TaskCall]] = []
    for learner in (entry for entry in roster() if entry.train is not None):
        learned = [game.spec for game in games if refusal(learner, game) is None]
        if learned and _counts_games(learner.key, learned[0]):
            step = (train_slice, (learned[0], learner.key, 1, None, 1, 0.0), STRETCH_TIMEOUT_S)
            found.append((-len(learned), step))
    return tuple(step for _, step in sorted(found, key=lambda each: each[0]))


def _counts_games(key: str, game: str) -> bool:
    """Whether its steps are games: generations take too long for a warm-up."""
    try:
        return length_of(read_learner(key, load_game(game))[2]) == "games"
    except (ZermeloError, TypeError):  # of a faulty package
        return False
