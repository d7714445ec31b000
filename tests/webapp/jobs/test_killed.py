"""Killed at any point, a job goes on from what is written, and ends as if nothing had happened."""

import os
import signal
from contextlib import suppress
from functools import cache
from random import Random
from time import monotonic, sleep

import pytest

from agents.contest.arena import Terms, play_game
from agents.contest.export import meetings_csv, standings_csv
from agents.contest.results import Result
from agents.contest.standings import standings_of
from agents.grid import Axis, Grid
from agents.grid_runs import documents, final_metrics
from agents.optimisers.runs import optimise
from agents.runs import train_slice
from engine.problems.black_box import write_genome
from engine.problems.catalog import load_problem
from tests.soak import lessened
from tests.webapp.jobs.working import MANY, OWNER, a_training, coordinator_process, ended
from tests.webapp.serving.process import ServerProcess, children, is_alive
from webapp.jobs.kinds.arena import ARENA, ArenaPlan, arena_job, results_of
from webapp.jobs.kinds.grid import GRID, grid_job, metrics_of
from webapp.jobs.kinds.optimisation import (
    SEARCHING,
    SearchPlan,
    SearchRun,
    lane_figures,
    search_job,
)
from webapp.jobs.kinds.training import TRAINING
from webapp.jobs.store import JobStore
from webapp.storage.database import Database

PATIENCE = 900  # seconds, on a machine that others use too
AT_WORK = 0.7  # of the kills come once something is written again, the others at any time
LENGTH = 40_000
RUNS = (("menace:opponent=random", 3), ("qlearning", 4))
SEARCHES = SearchPlan(
    "black-box:groups=5", (SearchRun("genetic", 1), SearchRun("annealing", 2)), calls=60_000
)
SETTINGS = Grid(
    "tictactoe",
    "qlearning:opponent=random",
    (Axis("alpha", ("0.2", "0.5", "0.8")), Axis("gamma", ("0.3", "0.6", "0.9"))),
    length=100_000,
)
TERMS = Terms("tictactoe", ("random", "mcts:simulations=60", "opportunist"), 80, 5, opening=1)


@pytest.fixture
def store(tmp_path):
    database = Database(f"sqlite:///{tmp_path / 'zermelo.sqlite'}")
    database.upgrade()
    yield JobStore(database, MANY)
    database.close()


def descendants(pid):
    """All that a process has started, those that only fork included."""
    found, fresh = set(), {pid}
    while fresh:
        found |= fresh
        fresh = {child for parent in fresh for child in children(parent)} - found
    return sorted(found - {pid})


class CoordinatorAlone:
    """`zermelo jobs`, to be killed and started again."""

    def __init__(self, data):
        self.data = data
        self.process = coordinator_process(data)

    def kill(self):
        self.process.kill()
        self._bury()

    def start_again(self):
        self.process = coordinator_process(self.data)

    def end(self):
        self.process.terminate()
        self._bury()

    def _bury(self):
        self.process.wait()
        self.process.stdout.close()


class WholeServer:
    """`zermelo serve` with all that it starts."""

    def __init__(self, data):
        self.data = data
        self.start_again()

    @property
    def process(self):
        return self.server.process

    def kill(self):
        self.server.kill()

    def start_again(self):
        self.server = ServerProcess(
            self.data, ZERMELO_JOB_WORKERS="1", ZERMELO_JOB_NICENESS="0", ZERMELO_WORKERS="1"
        )

    def end(self):
        self.server.end()


@pytest.mark.soak
def test_a_coordinator_that_is_told_to_stop_leaves_no_process_and_lets_go_of_its_jobs(
    store, tmp_path
):
    job = store.begin(a_training("qlearning", length=20_000_000))
    process = coordinator_process(tmp_path)
    try:
        until = monotonic() + 120
        while store.find(job.id).step == 0:
            assert monotonic() < until
            sleep(0.05)
        started = descendants(process.pid)
    finally:
        process.send_signal(signal.SIGTERM)
        code = process.wait(30)
        process.stdout.close()
    assert code == 0
    until = monotonic() + 10
    while left := [pid for pid in started if is_alive(pid)]:
        assert monotonic() < until, left
    assert [held.record.id for held in store.leases.claim("next", 1.0, 5)] == [job.id]


@pytest.mark.soak
@pytest.mark.parametrize(
    ("victim", "kills"),
    [(CoordinatorAlone, lessened(30, 2)), (WholeServer, lessened(30, 3))],
    ids=["coordinator", "server"],
)
def test_jobs_killed_at_random_points_end_as_if_nothing_had_happened(
    store, tmp_path, victim, kills
):
    """The whole, or any process under it, again and again; then all is left in peace."""
    rng = Random(11)
    jobs = begun(store)
    running = victim(tmp_path)
    try:
        for _ in range(kills):
            if rng.random() < AT_WORK:
                wait_for_progress(store, jobs)
            sleep(rng.uniform(0.05, 2.5))
            kill_something(running, rng)
            if all(store.find(job.id).state.is_over for job in jobs):
                jobs += begun(store)
        for job in jobs:
            ended(store, job.id, seconds=PATIENCE)
    finally:
        running.end()
    assert {job.kind for job in jobs} == set(UNDISTURBED)
    for job in jobs:
        UNDISTURBED[job.kind](store, job)


def begun(store):
    """Jobs to be disturbed: trainings, an arena, searches without a foe, and a grid."""
    trainings = [a_training(*run, length=LENGTH) for run in RUNS]
    others = [
        arena_job(OWNER, "cup", ArenaPlan(TERMS)),
        search_job(OWNER, "box", SEARCHES),
        grid_job(OWNER, "grid", SETTINGS),
    ]
    return [store.begin(job) for job in (*trainings, *others)]


@pytest.mark.soak
def test_a_grid_killed_amid_its_settings_and_amid_its_best_ends_as_if_nothing_had_happened(
    store, tmp_path
):
    """`kill -9` twice: while combinations are tried, and while the best are tried again."""
    job = store.begin(grid_job(OWNER, "grid", SETTINGS))
    running = CoordinatorAlone(tmp_path)
    try:
        for least in (1, SETTINGS.grid_runs + 1):
            until = monotonic() + PATIENCE
            while store.find(job.id).step < least:
                assert monotonic() < until, "nothing goes on"
                sleep(0.005)
            running.kill()
            assert store.find(job.id).step < SETTINGS.total
            running.start_again()
        ended(store, job.id, seconds=PATIENCE)
    finally:
        running.end()
    assert_undisturbed_grid(store, job)


def assert_undisturbed_grid(store, job):
    found, whole = metrics_of(store.points(job.id)), undisturbed_grid()
    assert found == whole
    assert len(store.points(job.id)) == SETTINGS.total
    assert documents(SETTINGS, found) == documents(SETTINGS, whole)


@cache
def undisturbed_grid():
    """The same in this process, a run at a time."""
    found = {}
    for run in range(SETTINGS.total):
        best = SETTINGS.candidates(SETTINGS.best(found)) if run >= SETTINGS.grid_runs else ()
        (found[run],) = final_metrics(SETTINGS.game, (SETTINGS.run(run, best),), SETTINGS.length)
    return found


def wait_for_progress(store, jobs):
    """Until one of them has written something, or all are over."""

    def steps():
        return [store.find(job.id).step for job in jobs]

    before, until = steps(), monotonic() + PATIENCE
    while before == steps() and not all(store.find(job.id).state.is_over for job in jobs):
        assert monotonic() < until, "nothing goes on"
        sleep(0.02)


def kill_something(running, rng):
    found = descendants(running.process.pid)
    if found and rng.random() < 0.5:
        with suppress(ProcessLookupError):  # one that has ended meanwhile is no trouble
            os.kill(rng.choice(found), signal.SIGKILL)
    else:
        running.kill()
        running.start_again()


def assert_undisturbed_training(store, job):
    run = job.parameters["runs"][0]
    whole = undisturbed_training(run["agent"], run["seed"])
    assert store.checkpoint(job.id, 0).data == whole.brain
    curve = {point.step: (point.digest, dict(point.metrics)) for point in whole.points}
    curve[LENGTH] = (whole.digest, dict(whole.metrics))
    points = store.points(job.id)
    assert {point.step: (point.digest, dict(point.metrics)) for point in points} == curve
    assert len(points) == len(curve)


@cache
def undisturbed_training(agent, seed):
    return train_slice("tictactoe", agent, seed, None, LENGTH, seconds=600)


def assert_undisturbed_search(store, job):
    """Each run's end, and every point of its curves."""
    lanes, points = lane_figures(store.find(job.id)), store.points(job.id)
    bits = load_problem(SEARCHES.problem).bits
    assert [
        (lanes[lane]["best"], lanes[lane]["calls"], lanes[lane]["genome"])
        for lane in range(len(SEARCHES.runs))
    ] == [
        (whole.best, whole.calls, write_genome(whole.genome, bits))
        for whole in undisturbed_searches()
    ]
    assert [
        tuple(
            tuple((p.step, p.metrics[name]) for p in points if p.lane == lane and name in p.metrics)
            for name in ("best", "diversity")
        )
        for lane in range(len(SEARCHES.runs))
    ] == [(whole.curve, whole.diversity) for whole in undisturbed_searches()]


@cache
def undisturbed_searches():
    return [
        next(optimise(SEARCHES.problem, run.search, seed=run.seed, calls=SEARCHES.calls)).run
        for run in SEARCHES.runs
    ]


def assert_undisturbed_arena(store, job):
    played = undisturbed_arena()
    assert [(game.key, game.moves, game.winner, game.ending) for game in store.games(job.id)] == [
        (
            ((number - 1) % TERMS.pairs, (number - 1) // TERMS.pairs),
            " ".join(game.moves),
            None if game.outcome.winner is None else int(game.outcome.winner),
            str(game.outcome.ending),
        )
        for number, game in enumerate(played, 1)
    ]
    there = standings_of(TERMS, list(results_of(TERMS, store.games(job.id))))
    here = standings_of(TERMS, map(Result.of, played))
    assert standings_csv(there, times=False) == standings_csv(here, times=False)
    assert meetings_csv(there) == meetings_csv(here)


@cache
def undisturbed_arena():
    return [play_game(fixture) for fixture in TERMS.fixtures()]


UNDISTURBED = {
    TRAINING.name: assert_undisturbed_training,
    ARENA.name: assert_undisturbed_arena,
    SEARCHING.name: assert_undisturbed_search,
    GRID.name: assert_undisturbed_grid,
}
