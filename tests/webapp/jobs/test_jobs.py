"""Jobs: rows that are the truth, worked off by whoever holds them."""

import os
import signal
from concurrent.futures import Future
from time import monotonic

import pytest

from agents.runs import train_slice
from engine.errors import ZermeloError
from tests.webapp.jobs.working import (
    OWNER,
    HereAndNow,
    a_training,
    ended,
    worked_off,
)
from webapp.config import JobSettings
from webapp.jobs.coordinator import CANCEL_GRACE_S, POLL_S, Coordinator
from webapp.jobs.coordinator_process import warm_up_tasks
from webapp.jobs.local_executor import LocalProcesses
from webapp.jobs.models import (
    Change,
    Checkpoint,
    DiedTaskError,
    FullQueueError,
    JobGame,
    JobKind,
    JobState,
    LostLeaseError,
    Task,
    TooManyJobsError,
    UnknownJobError,
)
from webapp.jobs.store import JobStore

pytestmark = pytest.mark.stores


def test_a_training_ends_with_the_brain_of_an_undisturbed_run(store):
    job = store.begin(a_training())
    worked_off(store)
    whole = train_slice("tictactoe", "menace", 7, None, until=300, seconds=60)
    record = store.find(job.id)
    assert (record.state, record.step, record.total) == (JobState.DONE, 300, 300)
    assert store.checkpoint(job.id, 0) == Checkpoint(300, whole.brain)
    points = store.points(job.id)
    assert [(point.step, point.digest) for point in points] == [
        *((point.step, point.digest) for point in whole.points),
        (300, whole.digest),
    ]
    assert points[:-1] == whole.points


def test_a_page_has_a_point_to_show_after_one_step_and_no_pace_made_of_that(store):
    job = store.begin(a_training(length=10**6))
    coordinator = Coordinator(store, HereAndNow())
    coordinator.turn()
    first = store.find(job.id)
    assert [point.step for point in store.points(job.id)] == [1]
    assert (first.step, first.pace) == (1, None)
    coordinator.turn()
    assert store.find(job.id).step > 2


def test_several_runs_of_one_job_are_strands_of_their_own(store):
    job = store.begin(a_training(length=20, runs=(("menace", 1), ("menace", 2))))
    worked_off(store, HereAndNow(lanes=4))
    alone = [train_slice("tictactoe", "menace", seed, None, until=20) for seed in (1, 2)]
    assert [store.checkpoint(job.id, lane).data for lane in (0, 1)] == [run.brain for run in alone]
    assert store.find(job.id).step == 40


def test_a_visitor_has_only_so_many_jobs_under_way(opened):
    store = JobStore(opened, JobSettings(each=1, queue=2))
    store.begin(a_training())
    with pytest.raises(TooManyJobsError, match="1 jobs under way"):
        store.begin(a_training())
    store.begin(a_training(owner="1" * 32))
    with pytest.raises(FullQueueError):
        store.begin(a_training(owner="2" * 32))


def test_a_job_is_held_by_one_coordinator_until_its_lease_runs_out(opened):
    now = [1000.0]
    store = JobStore(opened, clock=lambda: now[0])
    job = store.begin(a_training())
    assert [held.record.id for held in store.leases.claim("one", 8.0, 10)] == [job.id]
    assert store.leases.claim("two", 8.0, 10) == ()
    now[0] += 9
    assert [held.record.id for held in store.leases.claim("two", 8.0, 10)] == [job.id]
    with pytest.raises(LostLeaseError):
        store.leases.write("one", job.id, Change(5), None, None)
    assert store.find(job.id).step == 0


def test_a_game_is_counted_once_however_often_it_is_written(store):
    job = store.begin(a_training())
    store.leases.claim("one", 8.0, 10)
    first = JobGame(0, 3, "b2 a1", None, "board full", first_seconds=0.5)
    again = JobGame(0, 3, "a1", 1, "line")
    store.leases.write("one", job.id, Change(1, games=(first,)), None, None)
    other = JobGame(1, 3, "", 0, "line")
    store.leases.write("one", job.id, Change(1, games=(again, other)), None, None)
    assert store.games(job.id) == (first, other)


def test_jobs_that_were_over_long_ago_go_and_others_stay(opened):
    now = [1000.0]
    store = JobStore(opened, clock=lambda: now[0])
    over, waiting = (store.begin(a_training(owner=name * 32)) for name in "12")
    store.ask_to_cancel(over.id)
    now[0] = 5000.0
    assert store.remove_old(1000.0, 50) == 0
    assert store.remove_old(4000.0, 50) == 1
    assert store.find(waiting.id).state is JobState.QUEUED
    with pytest.raises(UnknownJobError):
        store.find(over.id)


def test_what_waits_is_cancelled_at_once_and_what_runs_keeps_what_is_written(store):
    waiting, running = (store.begin(a_training(length=10**6)) for _ in range(2))
    assert store.ask_to_cancel(waiting.id).state is JobState.CANCELLED
    coordinator = Coordinator(store, HereAndNow())
    coordinator.turn()
    assert store.ask_to_cancel(running.id).state is JobState.RUNNING
    worked_off(store, coordinator=coordinator)
    record = store.find(running.id)
    assert record.state is JobState.CANCELLED
    assert 0 < record.step == store.checkpoint(running.id, 0).step < record.total


def test_a_job_thrown_away_is_dropped_by_whoever_works_on_it(store):
    job = store.begin(a_training(length=10**6))
    coordinator = Coordinator(store, HereAndNow())
    coordinator.turn()
    store.remove(job.id)
    worked_off(store, coordinator=coordinator)
    with pytest.raises(UnknownJobError):
        store.find(job.id)
    assert store.points(job.id) == ()


def _failing(number):
    raise ZermeloError(f"no {number} today")


def _dying(path):
    os.kill(os.getpid(), signal.SIGKILL)


def _dying_once(path):
    if not os.path.exists(path):
        open(path, "w").close()
        os.kill(os.getpid(), signal.SIGKILL)
    return "well"


def _touch(path):
    open(path, "w").close()


def _sleeping(path):
    import time

    time.sleep(600)


def there(file, seconds=60):
    """The file, once someone has made it."""
    until = monotonic() + seconds
    while not file.exists():
        assert monotonic() < until, f"nobody makes {file}"
    return file


def kind_of(function, *arguments):
    """Jobs of one task."""

    def plan(written, running):
        yield from [] if running else [Task("only", function, arguments)]

    def take(written, task, result):
        return Change(1, {"said": result}, done=True)

    return lambda name: JobKind(name, "tasks", plan, take)


def worked_off_as(store, kinds, executor=None):
    """A job once it is over, taken for one of another kind."""
    job = store.begin(a_training())
    worked_off(store, coordinator=Coordinator(store, executor or HereAndNow(), kinds))
    return store.find(job.id)


def test_a_task_that_fails_makes_its_job_fail_with_the_reason(store):
    record = worked_off_as(store, kind_of(_failing, 3))
    assert (record.state, record.error) == (JobState.FAILED, "no 3 today")


def test_a_job_of_a_kind_that_nobody_knows_fails(store):
    record = worked_off_as(store, lambda name: None)
    assert "knows no jobs of the kind training" in record.error


class Dying(HereAndNow):
    """Every task takes its process with it, so many times."""

    def __init__(self, deaths):
        super().__init__()
        self.deaths = deaths

    def submit(self, function, arguments, seconds, *, express=False):
        if self.deaths > 0:
            self.deaths -= 1
            future = Future()
            future.set_exception(DiedTaskError("the process that worked on it ended"))
            return future
        return super().submit(function, arguments, seconds)


@pytest.mark.parametrize(
    ("deaths", "state"), [(2, JobState.DONE), (3, JobState.FAILED)], ids=["tried again", "given up"]
)
def test_a_task_whose_process_dies_is_tried_again_twice(store, deaths, state):
    job = store.begin(a_training(length=3))
    worked_off(store, Dying(deaths))
    assert store.find(job.id).state is state


def test_visitors_take_turns_however_many_jobs_one_of_them_has(store):
    first = [store.begin(a_training(length=10**6)) for _ in range(3)]
    other = store.begin(a_training(length=10**6, owner="1" * 32))
    coordinator = Coordinator(store, HereAndNow(lanes=1))
    coordinator.turn()
    assert store.find(other.id).step > 0
    assert sum(store.find(job.id).step > 0 for job in first) == 1


@pytest.mark.slow
class TestInProcesses:
    """The same with processes of their own, which can die."""

    @pytest.fixture
    def processes(self):
        made = LocalProcesses(2)
        yield made
        made.close()

    def test_a_training_comes_out_the_same(self, store, processes):
        job = store.begin(a_training())
        worked_off(store, processes)
        whole = train_slice("tictactoe", "menace", 7, None, until=300, seconds=60)
        assert store.checkpoint(job.id, 0).data == whole.brain

    def test_a_process_that_died_is_replaced(self, store, processes, tmp_path):
        record = worked_off_as(store, kind_of(_dying_once, str(tmp_path / "died")), processes)
        assert (record.state, record.metrics) == (JobState.DONE, {"said": "well"})

    def test_a_task_that_kills_every_process_fails_its_job(self, store, processes):
        record = worked_off_as(store, kind_of(_dying, ""), processes)
        assert record.state is JobState.FAILED
        assert record.error == "the process that worked on it ended"

    def test_a_task_that_goes_on_for_ever_is_cancelled_with_its_process(self, store, processes):
        """A look at the rows, a moment of grace, a look that ends it: below two seconds."""
        job = store.begin(a_training())
        coordinator = Coordinator(store, processes, kind_of(_sleeping, ""))
        coordinator.turn()
        store.ask_to_cancel(job.id)
        worked_off(store, coordinator=coordinator)
        assert ended(store, job.id, state=JobState.CANCELLED)
        assert POLL_S + CANCEL_GRACE_S + POLL_S < 2

    def test_a_fork_server_that_is_killed_costs_a_try_and_no_lane(self, monkeypatch):
        class Killed:
            def Process(self, **_):  # noqa: N802 - as multiprocessing calls it
                monkeypatch.undo()
                return self

            def start(self):
                raise EOFError("unexpected EOF")

        monkeypatch.setattr("agents.compute.child_process.fresh_context", lambda _: Killed())
        executor = LocalProcesses(1)
        with pytest.raises(DiedTaskError, match="no process could be started"):
            executor.submit(len, ("abc",), 60.0).result(60)
        assert executor.submit(len, ("abc",), 60.0).result(60) == 3
        executor.close()

    def test_processes_warm_up_while_nobody_waits(self, tmp_path):
        files = [tmp_path / "one", tmp_path / "two"]
        executor = LocalProcesses(1, warm_up=[(_touch, (str(file),), 60.0) for file in files])
        assert [there(file) for file in files] == files
        assert executor.submit(len, ("abc",), 60.0).result(60) == 3
        executor.close()

    def test_a_process_for_one_that_died_of_its_task_warms_up_too(self, tmp_path):
        warmed = tmp_path / "warmed"
        # A spare process runs the first of these alone.
        executor = LocalProcesses(1, warm_up=[(len, ("",), 60.0), (_touch, (str(warmed),), 60.0)])
        there(warmed).unlink()
        with pytest.raises(DiedTaskError):
            executor.submit(_dying, ("",), 60.0).result(60)
        assert there(warmed)
        executor.close()

    def test_nothing_is_left_running(self, store):
        processes = LocalProcesses(2)
        store.begin(a_training())
        coordinator = Coordinator(store, processes, kind_of(_sleeping, ""))
        coordinator.turn()
        while not processes.pids:
            coordinator.turn()
        pids = processes.pids
        coordinator.close()
        assert [pid for pid in pids if os.path.exists(f"/proc/{pid}")] == []


@pytest.mark.slow
def test_every_learner_that_counts_games_is_warmed_up_who_learns_most_games_first():
    warmed = {arguments[1]: (function, arguments) for function, arguments, _ in warm_up_tasks()}
    assert "menace" in warmed
    first, (function, arguments) = next(iter(warmed.items()))
    assert first == "qlearning"
    assert function(*arguments).step == 1


def test_the_owner_sees_their_own_jobs_newest_first(store):
    made = [store.begin(a_training(seed=seed)) for seed in (1, 2)]
    store.begin(a_training(owner="1" * 32))
    assert [job.id for job in store.own(OWNER, 10)] == [job.id for job in reversed(made)]
