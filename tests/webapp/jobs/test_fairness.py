"""Jobs of one visitor keep nobody else's waiting, however slow they are and however many."""

import os
from concurrent.futures import Future
from dataclasses import replace
from threading import Event
from time import monotonic, sleep

import pytest

from agents.contest.arena import Interrupted, Terms, play_game, play_part, play_some
from agents.core import Limit
from agents.grid import Axis, Grid
from tests.webapp.jobs.working import OWNER, HereAndNow, a_training, worked_off
from tests.webapp.serving.process import eventually
from webapp.jobs.coordinator import MAX_JOBS, TASKS_PER_LANE, Coordinator
from webapp.jobs.kinds.arena import ARENA, MAX_MOVE_S, ArenaPlan, arena_job
from webapp.jobs.kinds.grid import GRID, grid_job
from webapp.jobs.kinds.training import LONG_STEP_S, step_seconds
from webapp.jobs.leases import choose_jobs
from webapp.jobs.local_executor import LocalProcesses
from webapp.jobs.models import Change, JobKind, JobSnapshot, JobState, Task

QUIXO = Terms("quixo:size=3", ("random", "mcts:simulations=40"), 4, seed=5)
OTHER, THIRD = "1" * 32, "2" * 32


class Stuck:
    """Takes tasks and ends none."""

    hindrance, lanes = None, 2

    def __init__(self):
        self.tasks = []  # (arguments, whether it is express)
        self.futures = []

    def submit(self, function, arguments, seconds, *, express=False):
        self.tasks.append((arguments, express))
        self.futures.append(Future())
        return self.futures[-1]

    def end(self, future):
        return None

    def close(self):
        return None


def endless(name, lasting=()):
    """Jobs with any number of tasks, known by the job's seed; those of some seeds may last."""

    def plan(snapshot, running):
        seed = snapshot.record.seed
        yield Task(str(len(running)), len, (seed,), may_last=seed in lasting)

    return JobKind(name, "tasks", plan, lambda *_: Change(1, done=True))


def test_everyones_first_job_is_taken_however_many_there_are():
    crowd = [(f"{owner}{job}", owner) for owner in "abcdef" for job in range(3)]
    late = [("g0", "g"), ("h0", "h")]
    chosen = choose_jobs([*crowd, *late], {}, 16)
    assert len(chosen) == 16
    assert chosen[:8] == ["a0", "b0", "c0", "d0", "e0", "f0", "g0", "h0"]
    full = dict.fromkeys("abcdef", 3)
    assert choose_jobs([*late, ("g1", "g"), ("a9", "a")], full, 16) == ["g0", "h0"]


@pytest.mark.stores
def test_a_job_is_begun_beside_any_number_of_long_ones(store):
    crowd = [f"{number:032x}" for number in range(6)]
    for number in range(MAX_JOBS + 2):
        store.begin(a_training(owner=crowd[number % 6], length=10**6))
    coordinator = Coordinator(store, Stuck(), endless)
    coordinator.turn()
    late = store.begin(a_training(owner="f" * 32))
    coordinator.turn()
    assert store.find(late.id).state is JobState.RUNNING


def test_a_place_of_every_lane_is_kept_for_owners_who_have_none(store):
    store.begin(a_training(seed=1))
    executor = Stuck()
    coordinator = Coordinator(store, executor, endless)
    coordinator.turn()
    mine = TASKS_PER_LANE * executor.lanes
    assert executor.tasks == [((1,), number == 0) for number in range(mine)]
    store.begin(a_training(seed=2, owner=OTHER))
    store.begin(a_training(seed=3, owner=THIRD))
    coordinator.turn()
    assert executor.tasks[mine:] == [((2,), True), ((3,), True)]


def test_half_of_the_places_kept_for_newcomers_are_for_short_tasks(store):
    """Slow arenas of as many visitors as you like leave one to a training."""
    executor = Stuck()
    coordinator = Coordinator(store, executor)
    slow = Terms("quixo:size=3", ("mcts", "mcts:simulations=40"), 400, seed=5)
    for number in range(12):
        store.begin(replace(arena_job(OWNER, "slow", ArenaPlan(slow)), owner=f"{number:032}"))
    coordinator.turn()
    lasting = len(executor.tasks)
    assert lasting == TASKS_PER_LANE * executor.lanes + executor.lanes // 2
    assert sum(express for _, express in executor.tasks) == executor.lanes // 2
    store.begin(a_training(owner=THIRD))
    coordinator.turn()
    assert len(executor.tasks) == lasting + 1
    assert executor.tasks[-1][1]  # express


def test_lasting_tasks_never_have_all_the_kept_places(store):
    """Nor as others end: else slow arenas have every spare process, and a training waits."""
    executor = Stuck()
    coordinator = Coordinator(store, executor, lambda name: endless(name, lasting=range(100)))

    def begin(seed):
        store.begin(a_training(seed=seed, owner=f"{seed:032}"))
        coordinator.turn()

    for seed in range(6):
        begin(seed)
    kept = executor.lanes // 2
    assert [express for _, express in executor.tasks] == [False] * 4 + [True] * kept
    executor.futures[0].set_result(None)
    coordinator.turn()
    for seed in range(6, 9):
        begin(seed)
    assert sum(express for _, express in executor.tasks) == kept
    begin(100)
    assert executor.tasks[-1] == ((100,), True)


def test_batches_of_a_grid_and_long_generations_may_last():
    grid = Grid("tictactoe", "menace", (Axis("win", ("1", "2")),), 10)
    (*tasks,) = GRID.plan(JobSnapshot(grid_job(OWNER, "grid", grid)), [])
    assert all(task.may_last for task in tasks)
    assert step_seconds("nim", "es-mix:parents=1000,games=10000") > LONG_STEP_S
    assert step_seconds("tictactoe", "menace") < LONG_STEP_S


def test_networks_take_turns_before_their_visitors_do(store):
    for number in range(3):
        crowded = a_training(seed=number, owner=f"{number:032x}")
        store.begin(replace(crowded, origin="a" * 32))
    store.begin(replace(a_training(seed=9, owner="f" * 32), origin="b" * 32))
    executor = Stuck()
    Coordinator(store, executor, endless).turn()
    assert [arguments for arguments, _ in executor.tasks[:2]] == [(0,), (9,)]


def _wait_for(path):
    until = monotonic() + 60
    while not os.path.exists(path) and monotonic() < until:
        sleep(0.01)
    return "long"


@pytest.mark.slow
def test_spare_processes_have_started_before_they_are_wanted():
    executor = LocalProcesses(2, warm_up=[(len, ("abc",), 60.0)] * 3)
    try:
        eventually(lambda: len(executor.pids) == 4, seconds=120)
    finally:
        executor.close()


@pytest.mark.slow
def test_a_first_task_waits_for_nothing_that_is_warmed_up(tmp_path):
    file = tmp_path / "go"
    executor = LocalProcesses(1, warm_up=[(_wait_for, (str(file),), 60.0)])
    try:
        eventually(lambda: executor.pids, seconds=120)  # one has begun to warm up
        assert executor.submit(len, ("abc",), 60.0, express=True).result(30) == 3
        assert executor.submit(len, ("abcd",), 60.0).result(30) == 4
    finally:
        file.touch()
        executor.close()


@pytest.mark.slow
def test_an_express_task_begins_while_every_process_is_busy(tmp_path):
    executor = LocalProcesses(1)
    try:
        file = tmp_path / "go"
        long = [executor.submit(_wait_for, (str(file),), 60.0) for _ in range(3)]
        quick = executor.submit(len, ("abc",), 60.0, express=True)
        assert quick.result(60) == 3
        assert not any(future.done() for future in long)
        file.touch()
        assert [future.result(60) for future in long] == ["long"] * 3
    finally:
        executor.close()


@pytest.mark.parametrize("number", range(1, QUIXO.total + 1))
def test_a_game_cut_after_every_move_is_the_game_played_whole(number):
    fixture = QUIXO.fixture(number)
    part, cuts = play_part(fixture, None, 0.0), 0
    while isinstance(part, Interrupted):
        cuts += 1
        assert len(part.moves) == cuts
        part = play_part(fixture, Interrupted.from_bytes(fixture, part.to_bytes()), 0.0)
    whole = play_game(fixture)
    assert part == whole
    assert cuts == len(whole.moves) - 1


@pytest.mark.stores
def test_an_arena_of_slow_games_goes_on_in_parts_and_ends_as_one_of_fast_games(store, monkeypatch):
    job = store.begin(arena_job(OWNER, "cup", ArenaPlan(QUIXO)))
    executor = Cutting()
    worked_off(store, coordinator=Coordinator(store, executor))
    assert executor.parts > QUIXO.total
    games = {game.key: game.moves for game in store.games(job.id)}
    whole = [play_game(fixture) for fixture in QUIXO.fixtures()]
    assert games == {(0, game.fixture.round): " ".join(game.moves) for game in whole}
    stored = [store.checkpoint(job.id, number) for number in range(1, QUIXO.total + 1)]
    assert {checkpoint.data for checkpoint in stored if checkpoint} == {b""}


class Cutting(HereAndNow):
    """Plays a move of a game at a time."""

    parts = 0

    def submit(self, function, arguments, seconds, *, express=False):
        self.parts += 1
        return super().submit(_one_move, arguments, seconds)


def _one_move(fixtures, seconds, begun):
    return play_some(fixtures, seconds, begun, part=0.0)


@pytest.mark.parametrize(("given", "kept"), [(None, MAX_MOVE_S), (2.0, 2.0), (60.0, MAX_MOVE_S)])
def test_no_machine_thinks_for_longer_than_the_bound_in_any_arena(given, kept):
    terms = replace(QUIXO, limit=Limit(seconds=given))
    record = arena_job(OWNER, "cup", ArenaPlan(terms))
    task = next(ARENA.plan(JobSnapshot(record), ()))
    assert [fixture.limit.seconds for fixture in task.arguments[0]] == [kept]
    assert task.seconds <= 90


def test_a_coordinator_stops_between_parts(store):
    """What was played of a game is stored, and another coordinator goes on from it."""
    job = store.begin(arena_job(OWNER, "cup", ArenaPlan(QUIXO)))
    first = Coordinator(store, Cutting())
    first.turn(Event())
    first.close()
    assert store.checkpoint(job.id, 1).step > 0
    worked_off(store, Cutting())
    assert store.find(job.id).state is JobState.DONE
