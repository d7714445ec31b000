"""Runs of a validation grid: their tasks, in processes of this machine, and the list of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import as_completed
from functools import lru_cache
from typing import Any

from agents.compute.processes import local_processes
from agents.grid import AS_GIVEN, Grid, Metrics
from agents.roster import read_agent
from agents.runs import read_learner
from agents.training.trainer import with_length
from engine.catalog import load_game

BATCH_S = 4.0  # estimated seconds of a task, with curves that a grid does without
MAX_BATCH = 50  # runs in a task


@lru_cache(maxsize=32)
def run_seconds(grid: Grid) -> float:
    """The estimated time of one training with its curve: a run of a grid takes less.

    Of the longest of three, as a setting whose brain is known takes no time.
    """
    game = load_game(grid.game)
    longest = 0.0
    for number in (AS_GIVEN, 0, len(grid.combinations) - 1):
        entry, options = read_agent(grid.spec(number), game)
        longest = max(longest, entry.lasts(game, with_length(options, grid.length)))
    return longest


def batches(grid: Grid, runs: Sequence[int]) -> Iterator[Sequence[int]]:
    """The runs of each task."""
    size = max(1, min(MAX_BATCH, int(BATCH_S / max(run_seconds(grid), 1e-9))))
    return (runs[first : first + size] for first in range(0, len(runs), size))


def run_grid(grid: Grid, workers: int, watch: Callable[[int], None]) -> dict[int, Metrics]:
    """[run] -> its metrics, in so many processes; `watch` is told how many have ended.

    After Ctrl-C, those that have ended by then.
    """
    found: dict[int, Metrics] = {}
    try:
        with local_processes(workers, ("agents.grid_runs",)) as pool:
            for first, last in ((0, grid.grid_runs), (grid.grid_runs, grid.total)):
                candidates = grid.candidates(grid.best(found)) if first else ()
                tasks = {}
                for batch in batches(grid, range(first, last)):
                    specs = tuple(grid.run(run, candidates) for run in batch)
                    tasks[pool.submit(final_metrics, grid.game, specs, grid.length)] = batch
                for task in as_completed(tasks):
                    found.update(zip(tasks[task], task.result(), strict=True))
                    watch(len(found))
    except KeyboardInterrupt:
        if not found:
            raise
    return found


def final_metrics(
    game: str, runs: Sequence[tuple[str, int]], length: int
) -> tuple[dict[str, float], ...]:
    """The metrics at the end of each training, of (spec, seed): a task of a job."""
    rules = load_game(game)
    found = []
    for spec, seed in runs:
        entry, values = read_agent(spec, rules)
        _, train, _ = read_learner(spec, rules)
        options = with_length(values, length)
        if entry.final is not None:
            found.append(dict(entry.final(rules, options, seed)))
        else:
            *_, last = train(rules, options, seed, None)
            found.append(dict(last.metrics))
    return tuple(found)


def documents(grid: Grid, found: Mapping[int, Metrics]) -> list[dict[str, Any]]:
    """Every setting as JSON data, best first; those trained again with their fresh score."""
    fresh = grid.fresh(found)
    return [
        {
            "rank": rank,
            "parameters": dict(each.parameters),
            "score": each.score,
            **each.metrics,
            "spec": grid.spec(each.number),
            **({"fresh": fresh[each.number]._asdict()} if each.number in fresh else {}),
        }
        for rank, each in enumerate(grid.ranking(found), 1)
    ]
