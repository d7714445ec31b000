"""An arena on two Dask workers beside the same arena in two plain processes.

    python -m benchmarks.cluster [GAMES]

Each round plays the arena in one process, in two and on two workers; what counts is the median
of the gains, as ratios within a round.
"""

from __future__ import annotations

import os
import socket
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, perf_counter, sleep

from agents.contest.arena import Terms
from agents.core import Limit
from webapp.jobs.coordinator import Coordinator
from webapp.jobs.dask_executor import DaskCluster
from webapp.jobs.kinds.arena import ArenaPlan, arena_job
from webapp.jobs.local_executor import LocalProcesses, TaskExecutor
from webapp.jobs.store import JobStore
from webapp.storage.database import Database

ROUNDS = 5
PLAYERS = ("alphabeta:depth=3", "mcts:simulations=200", "opportunist")
ROOT = Path(__file__).parents[1]


def main() -> None:
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 160
    with tempfile.TemporaryDirectory() as directory, running_cluster(Path(directory)) as address:
        database = Database(f"sqlite:///{directory}/cluster.sqlite")
        database.upgrade()
        store = JobStore(database)
        executors = {
            "one process": LocalProcesses(1, 0),
            "two processes": LocalProcesses(2, 0),
            "two workers": DaskCluster(address),
        }
        for executor in executors.values():
            played(store, executor, 8, 1)  # compiles, connects
        gains: dict[str, list[float]] = {"two processes": [], "two workers": []}
        for round_ in range(ROUNDS):
            seconds = {
                name: played(store, executor, games, round_ + 2)
                for name, executor in executors.items()
            }
            for name, found in gains.items():
                found.append(seconds["one process"] / seconds[name])
            told = ", ".join(f"{name} {taken:.1f} s" for name, taken in seconds.items())
            print(f"round {round_ + 1}: {told}", flush=True)
        for executor in executors.values():
            executor.close()
        database.close()
    plain, dask = (statistics.median(found) for found in gains.values())
    shares = [there / here for here, there in zip(*gains.values(), strict=True)]
    print(f"gain of two processes {plain:.2f}, of two workers {dask:.2f} (medians of {ROUNDS})")
    print(f"two workers gain {100 * statistics.median(shares):.0f} % of what two processes gain")


def played(store: JobStore, executor: TaskExecutor, games: int, seed: int) -> float:
    """Seconds that the arena takes as a job."""
    terms = Terms("tictactoe", PLAYERS, games, seed, Limit(nodes=5_000), opening=1)
    job = store.begin(arena_job("0" * 32, "benchmark", ArenaPlan(terms)))
    coordinator = Coordinator(store, executor)
    begun = perf_counter()
    while not store.find(job.id).state.is_over:
        coordinator.turn()
    return perf_counter() - begun


@contextmanager
def running_cluster(data: Path) -> Iterator[str]:
    """A scheduler and two workers on this machine."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"tcp://127.0.0.1:{port}"
    scheduler = ("distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", str(port))
    commands = (
        (*scheduler, "--no-dashboard", "--dashboard-address", "127.0.0.1:0"),
        ("webapp", "worker", "--scheduler", address, "--workers", "2"),
    )
    environment = os.environ | {"ZERMELO_DATA": str(data)}
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    processes = [
        subprocess.Popen([sys.executable, "-m", *command], cwd=ROOT, env=environment, **quiet)  # type: ignore[call-overload]
        for command in commands
    ]
    try:
        from distributed import Client

        until = monotonic() + 60
        while True:
            try:
                with Client(address, timeout=5, set_as_default=False) as client:
                    client.wait_for_workers(2, timeout=60)
                break
            except OSError:
                if monotonic() > until:
                    raise
                sleep(0.5)
        yield address
    finally:
        for process in processes:
            process.terminate()
        for process in processes:
            process.wait(30)


if __name__ == "__main__":
    main()
