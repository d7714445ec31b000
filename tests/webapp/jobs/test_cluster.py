"""Jobs on a real Dask cluster: the same results as here, whatever is killed."""

import os
import pickle
import signal
import socket
import ssl
from contextlib import closing, suppress
from shutil import which
from time import monotonic
from types import SimpleNamespace

import pytest

from agents.contest.arena import Terms
from agents.runs import train_slice
from agents.training import brain_files
from agents.training import cluster as parcels
from agents.training.brains import from_bytes
from tests.webapp.jobs.clusters import Certificates, listening, running_cluster
from tests.webapp.jobs.working import OWNER, HereAndNow, a_training, worked_off
from webapp.config import ClusterError, Config, ConfigError, check_cluster_address
from webapp.jobs import dask_client, dask_executor
from webapp.jobs.coordinator import Coordinator
from webapp.jobs.dask_client import Scheduler
from webapp.jobs.dask_executor import DaskCluster
from webapp.jobs.kinds import KINDS
from webapp.jobs.kinds.arena import ArenaPlan, arena_job
from webapp.jobs.models import Change, DiedTaskError, JobKind, JobRecord, JobState, Task

PATIENCE = 240


@pytest.fixture
def cluster(tmp_path):
    with running_cluster(tmp_path) as started:
        yield started


@pytest.fixture
def executor(cluster):
    executor = DaskCluster(cluster.address)
    yield executor
    executor.close()


def an_arena(players=("random", "perfect", "opportunist"), games=10, seed=3):
    plan = ArenaPlan(Terms("tictactoe", tuple(players), games, seed, opening=1))
    return arena_job(OWNER, "cup", plan)


def games_of(store, job):
    """What was played, without what a clock has seen."""
    return [(game.key, game.moves, game.winner, game.ending) for game in store.games(job.id)]


def begun_twice(store, *made):
    """Jobs that wait, each after one that was worked off here, which they are to be like."""
    done = [store.begin(each) for each in made]
    worked_off(store, HereAndNow())
    return list(zip(done, [store.begin(each) for each in made], strict=True))


def assert_alike(store, pairs):
    for here, there in pairs:
        assert store.find(there.id).state is JobState.DONE
        assert games_of(store, there) == games_of(store, here)
        assert store.checkpoint(there.id, 0) == store.checkpoint(here.id, 0)


@pytest.mark.soak
def test_an_arena_and_a_training_come_out_as_they_do_here(store, executor):
    jobs = begun_twice(store, an_arena(), a_training())
    worked_off(store, executor, seconds=PATIENCE)
    assert_alike(store, jobs)
    assert executor.lanes == 2


@pytest.mark.slow
def test_over_tcp_no_process_of_a_cluster_waits_for_other_machines(cluster):
    pids = cluster.pids()
    waits = {pid: listening(pid) for pid in pids}
    assert len(pids) > 3  # the scheduler, the nannies, their workers
    assert {host for found in waits.values() for host, _ in found} == {"127.0.0.1"}


@pytest.mark.slow
def test_a_worker_waits_for_tasks_alone_and_shows_no_pages(cluster):
    assert {len(listening(pid)) for pid in cluster.pids_of_workers()} == {1}


@pytest.mark.soak
@pytest.mark.skipif(which("openssl") is None, reason="certificates are made by openssl")
def test_over_tls_a_worker_hears_nobody_without_a_certificate(tmp_path):
    dask = with_tls()

    made = Certificates(tmp_path)
    with running_cluster(tmp_path, 1, made) as cluster:
        with dask.config.set(made.settings):
            pids = {cluster.workers.pid, *cluster.pids_of_workers()}
        ports = {port for pid in pids for _, port in listening(pid)}
        assert len(ports) == 2  # the nanny's and its worker's
        assert not any(map(answered_without_certificate, ports))


def answered_without_certificate(port):
    """Whether whoever listens there says anything to a client that vouches for nothing."""
    anyone = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    anyone.check_hostname, anyone.verify_mode = False, ssl.CERT_NONE
    try:
        with (
            socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as line,
            anyone.wrap_socket(line) as secured,
        ):
            return bool(secured.recv(1))
    except (ssl.SSLError, ConnectionResetError):  # by the listener, which wants a certificate
        return False


@pytest.mark.soak
@pytest.mark.skipif(which("openssl") is None, reason="certificates are made by openssl")
def test_over_tls_a_training_comes_out_as_it_does_here(store, tmp_path):
    dask = with_tls()
    jobs = begun_twice(store, a_training())
    made = Certificates(tmp_path)
    with (
        running_cluster(tmp_path, 1, made) as cluster,
        dask.config.set(made.settings),
        closing(DaskCluster(cluster.address)) as executor,
    ):
        worked_off(store, executor, seconds=PATIENCE)
    assert cluster.address.startswith("tls://")
    assert_alike(store, jobs)


def with_tls():
    # Imported first: what `set` finds missing it takes away again, and with it all its defaults.
    pytest.importorskip("distributed", reason="the extra [cluster] is not installed")
    return pytest.importorskip("dask")


@pytest.mark.soak
def test_a_cluster_that_is_killed_bit_by_bit_ends_every_job_right(store, cluster, executor):
    jobs = begun_twice(store, an_arena(games=120), a_training(length=2_000))
    arena = jobs[0][1]
    coordinator = Coordinator(store, executor)
    play_until(coordinator, store, arena, 30)
    os.kill(cluster.pids_of_workers()[0], signal.SIGKILL)  # its nanny starts another
    play_until(coordinator, store, arena, 90)
    cluster.scheduler.kill()
    cluster.scheduler.wait()
    until = monotonic() + 3
    play_while(coordinator, lambda: monotonic() < until)
    cluster.start_scheduler()
    play_until(coordinator, store, arena, 200)
    cluster.workers.kill()
    cluster.workers.wait()
    cluster.start_workers(1)
    worked_off(store, coordinator=coordinator, seconds=PATIENCE)
    assert_alike(store, jobs)


@pytest.mark.slow
def test_a_scheduler_that_takes_the_call_and_says_nothing_is_given_up(monkeypatch):
    pytest.importorskip("distributed", reason="the extra [cluster] is not installed")
    monkeypatch.setattr(dask_client, "REPLY_TIMEOUT_S", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as silent, pytest.raises(TimeoutError):
        Scheduler(f"tcp://127.0.0.1:{silent.getsockname()[1]}")


@pytest.mark.soak
def test_a_scheduler_that_hangs_is_waited_for_and_no_longer_than_it_hangs(store, cluster, executor):
    jobs = begun_twice(store, an_arena(games=120))
    coordinator = Coordinator(store, executor)
    play_until(coordinator, store, jobs[0][1], 30)
    cluster.scheduler.send_signal(signal.SIGSTOP)
    play_while(coordinator, lambda: executor._scheduler is not None)  # until it is given up
    cluster.scheduler.send_signal(signal.SIGCONT)
    worked_off(store, coordinator=coordinator, seconds=PATIENCE)
    assert_alike(store, jobs)


@pytest.mark.soak
def test_what_a_worker_that_hangs_had_is_done_by_another(store, tmp_path):
    jobs = begun_twice(store, an_arena(games=120))
    hasty = {"DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL": "10s"}
    with (
        running_cluster(tmp_path, **hasty) as cluster,
        closing(DaskCluster(cluster.address)) as executor,
    ):
        coordinator = Coordinator(store, executor)
        play_until(coordinator, store, jobs[0][1], 30)
        os.kill(cluster.pids_of_workers()[0], signal.SIGSTOP)
        worked_off(store, coordinator=coordinator, seconds=PATIENCE)
    assert_alike(store, jobs)


class Forgetful:
    """A scheduler that a first task never reaches, and that does the others at once."""

    is_connected = True

    def __init__(self, address):
        self.sent = []

    def submit(self, parcel, priority=0):
        self.sent.append(parcel)
        status = "pending" if len(self.sent) == 1 else "finished"
        back = parcels.perform(parcel)
        return SimpleNamespace(
            key=f"{len(self.sent)}",
            status=status,
            result=lambda timeout: back,
            add_done_callback=lambda heard: None,
        )

    def threads(self):
        return 1

    def pending(self, keys):
        return []

    def log_other_versions(self):
        return None

    close = log_other_versions


@pytest.mark.slow
def test_a_task_that_its_scheduler_does_not_know_is_sent_again_long_before_its_time(monkeypatch):
    pytest.importorskip("distributed", reason="the extra [cluster] is not installed")
    monkeypatch.setattr(dask_executor, "Scheduler", Forgetful)
    monkeypatch.setattr(dask_executor, "STATUS_INTERVAL_S", 0.0)
    monkeypatch.setattr(dask_executor, "LOST_AFTER_S", 0.1)
    with closing(DaskCluster("tcp://127.0.0.1:9")) as executor:
        assert executor.submit(_spec_length, ("random",), 600.0).result(30) == 6


@pytest.mark.soak
def test_of_a_scheduler_is_pending_what_was_sent_to_it_and_nothing_else(cluster):
    with closing(Scheduler(cluster.address)) as connected:
        sent = connected.submit(parcels.packed(_sleeping, ()))
        until = monotonic() + PATIENCE
        while connected.pending([sent.key, "never sent"]) != [sent.key]:
            assert monotonic() < until


@pytest.mark.soak
def test_jobs_wait_for_workers_and_say_so_until_one_joins(store, tmp_path, monkeypatch):
    monkeypatch.setattr(dask_executor, "MAX_LOSSES", 1)  # that nobody is there is nobody's loss
    monkeypatch.setattr(Scheduler, "submit", counted := Counted(Scheduler.submit))
    jobs = begun_twice(store, an_arena())
    there = jobs[0][1]
    hasty = {"DASK_DISTRIBUTED__SCHEDULER__NO_WORKERS_TIMEOUT": "1s"}
    with (
        running_cluster(tmp_path, 0, **hasty) as cluster,
        closing(DaskCluster(cluster.address)) as executor,
    ):
        coordinator = Coordinator(store, executor)
        play_while(coordinator, lambda: counted.calls < 5)  # given up by the scheduler, twice
        play_while(coordinator, lambda: "workers" not in (store.find(there.id).hindrance or ""))
        assert store.find(there.id).state is JobState.RUNNING
        cluster.start_workers(1)
        worked_off(store, coordinator=coordinator, seconds=PATIENCE)
    assert store.find(there.id).hindrance is None
    assert_alike(store, jobs)


class Counted:
    """A method, and how often it was called."""

    def __init__(self, method):
        self.method, self.calls = method, 0

    def __get__(self, instance, owner):
        def call(*arguments, **settings):
            self.calls += 1
            return self.method(instance, *arguments, **settings)

        return call


@pytest.mark.soak
def test_a_brain_is_brought_to_a_worker_that_lacks_it(store, cluster, tmp_path, monkeypatch):
    ours, theirs = tmp_path / "ours" / "brains", tmp_path / "brains"
    monkeypatch.setenv("ZERMELO_DATA", str(ours.parent))
    digest = brain_files.keep(
        from_bytes(train_slice("tictactoe", "menace", 1, None, until=50).brain)
    )
    jobs = begun_twice(store, an_arena(("random", f"menace:brain={digest}")))
    assert not theirs.exists()
    with closing(DaskCluster(cluster.address)) as executor:
        worked_off(store, executor, seconds=PATIENCE)
    assert_alike(store, jobs)
    assert [path.stem for path in theirs.rglob("*.npz")] == [digest]


@pytest.mark.soak
def test_a_brain_that_nobody_has_any_more_fails_its_job_by_name(store, executor):
    there = store.begin(an_arena(("random", f"menace:brain={'0' * 32}")))
    worked_off(store, executor, seconds=PATIENCE)
    record = store.find(there.id)
    assert record.state is JobState.FAILED
    assert "0" * 32 in record.error


@pytest.mark.soak
def test_a_task_that_kills_its_worker_fails_its_job_and_no_other(store, executor):
    deadly = JobKind("deadly", "steps", _plan_death, lambda written, task, result: Change(1))
    coordinator = Coordinator(store, executor, {**KINDS, "deadly": deadly}.get)
    killer = store.begin(JobRecord(OWNER, "deadly", "kills", {}, 1, 1))
    arena = store.begin(an_arena(games=40))
    worked_off(store, coordinator=coordinator, seconds=PATIENCE)
    failed = store.find(killer.id)
    assert failed.state is JobState.FAILED
    assert "worker" in failed.error
    assert store.find(arena.id).state is JobState.DONE


@pytest.mark.soak
def test_a_task_that_never_ends_goes_with_its_worker_and_the_next_one_is_done(tmp_path):
    with (
        running_cluster(tmp_path, 1) as cluster,
        closing(DaskCluster(cluster.address)) as executor,
    ):
        with pytest.raises(DiedTaskError, match="not done after 1 s"):
            executor.submit(_sleeping, (), 1.0).result(PATIENCE)
        assert executor.submit(_spec_length, ("random",), 60.0).result(PATIENCE) == 6


def _sleeping():
    from threading import Event

    Event().wait()


def _plan_death(written, running):
    if not running:
        yield Task("death", os._exit, (1,), 30.0)


def play_until(coordinator, store, job, games):
    play_while(coordinator, lambda: store.find(job.id).step < games)


def play_while(coordinator, holds):
    until = monotonic() + PATIENCE
    while holds():
        assert monotonic() < until
        coordinator.turn()


@pytest.mark.parametrize("address", ["tcp://10.0.0.7:8786", "http://localhost:8786", "here"])
def test_a_scheduler_in_the_open_is_refused(address):
    with pytest.raises(ClusterError):
        check_cluster_address(address)
    with pytest.raises(ConfigError, match="ZERMELO_CLUSTER"):
        Config.from_environment({"ZERMELO_CLUSTER": address, "ZERMELO_SECRET_KEY": "k"})


@pytest.mark.parametrize(
    "address", ["tcp://127.0.0.1:8786", "tcp://[::1]:8786", "tls://lab.example:8786"]
)
def test_this_machine_and_tls_are_trusted(address):
    assert check_cluster_address(address) == address


def test_a_parcel_names_its_brains_and_a_worker_that_lacks_one_says_so(tmp_path, monkeypatch):
    data = train_slice("tictactoe", "menace", 1, None, until=5).brain
    digest = from_bytes(data).digest
    monkeypatch.setenv("ZERMELO_DATA", str(tmp_path))
    parcel = parcels.packed(_spec_length, (f"menace:brain={digest}",))
    assert parcel.digests == {digest}
    assert parcels.perform(parcel).missing == {digest}
    with_brain = parcels.Parcel(parcel.packed, parcel.sender, {digest: data})
    assert parcels.perform(with_brain).result is not None
    assert brain_files.find(digest).digest == digest
    assert parcels.perform(parcel).missing == frozenset()


def test_a_brain_that_is_not_what_it_is_sent_as_is_refused(tmp_path, monkeypatch):
    monkeypatch.setenv("ZERMELO_DATA", str(tmp_path))
    data = train_slice("tictactoe", "menace", 1, None, until=5).brain
    parcel = parcels.packed(_spec_length, ("menace:brain=" + "0" * 32,))
    forged = parcels.Parcel(parcel.packed, parcel.sender, {"0" * 32: data})
    with pytest.raises(parcels.UnreadableBrainError):
        parcels.perform(forged)


def test_a_worker_of_another_make_says_so_and_does_nothing():
    ours = parcels.fingerprint()
    stranger = parcels.Fingerprint("2.7", ours.numpy, ours.numba, ours.sources)
    parcel = parcels.packed(os._exit, (1,))
    back = parcels.perform(parcels.Parcel(parcel.packed, stranger))
    assert (back.result, back.stranger) == (None, ours)


def test_what_a_task_raises_is_its_result():
    back = parcels.perform(parcels.packed(_failing, ()))
    failed, error = pickle.loads(back.result)
    assert failed
    assert isinstance(error, DiedTaskError)


def _failing():
    raise DiedTaskError("as it was raised")


def _spec_length(spec):
    return len(spec)


@pytest.mark.soak
def test_a_cluster_that_is_not_there_is_waited_for_and_closed():
    pytest.importorskip("distributed")
    executor = DaskCluster("tcp://127.0.0.1:9")
    future = executor.submit(_spec_length, ("random",), 1.0)
    executor.close()
    with suppress(Exception):
        future.result(0)
    assert future.cancelled()
