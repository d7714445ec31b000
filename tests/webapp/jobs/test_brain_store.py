"""Brains in either database: names, bytes by their digest, a quota that holds for everyone."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from sqlalchemy.exc import DBAPIError

from agents.contest.arena import Terms
from agents.runs import train_slice
from agents.training import brain_files
from agents.training.brains import from_bytes
from tests.webapp.jobs.working import OWNER, HereAndNow, a_training, worked_off
from webapp.config import JobSettings
from webapp.jobs.brain_store import BrainQuotaError, BrainStore, UnknownBrainError
from webapp.jobs.kinds.arena import ArenaPlan, arena_job, results_of
from webapp.jobs.kinds.training import describe_brain
from webapp.jobs.models import JobState, KeptBrain, TooManyJobsError
from webapp.jobs.store import JobStore
from webapp.storage.database import BusyDatabaseError, Database

pytestmark = pytest.mark.stores
OTHER = "1" * 32
AT_ONCE = 6
QUOTA = 1 << 20


@pytest.fixture
def store(opened, tmp_path, monkeypatch):
    monkeypatch.setenv("ZERMELO_DATA", str(tmp_path / "data"))
    return BrainStore(opened, JobSettings(brains_bytes=QUOTA))


@pytest.fixture(scope="module")
def data():
    return train_slice("tictactoe", "menace:opponent=random", 7, None, until=5, seconds=60).brain


def named(digest, name="one"):
    return KeptBrain(name, digest, "menace", "tictactoe", 4, {"curve": []})


def test_a_brain_is_kept_once_an_owner_and_found_renamed_and_deleted(store, data):
    kept = store.keep(OWNER, describe_brain(data), data)
    assert store.keep(OWNER, describe_brain(data, "again"), data) == kept
    theirs = store.keep(OTHER, describe_brain(data), data)
    assert store.find(kept.id).facts["seed"] == 7
    assert (store.usage(OWNER), store.data(kept.digest)) == (len(data), data)
    store.rename(kept.id, "Anna\u2019s")
    assert [brain.name for brain in store.mine(OWNER, 10)] == ["Anna\u2019s"]
    store.delete(kept)
    with pytest.raises(UnknownBrainError):
        store.find(kept.id)
    assert store.data(kept.digest) == data  # another has it still
    store.delete(theirs)
    assert store.data(kept.digest) is None


def test_whoever_plays_finds_it_by_its_digest(store, data):
    kept = store.keep(OWNER, describe_brain(data), data)
    assert store.for_game(OWNER, "tictactoe") == (kept,)
    assert store.for_game(None, "tictactoe") == store.for_game(OWNER, "nim") == ()
    assert brain_files.find(kept.digest).digest == from_bytes(data).digest


def test_points_of_a_job_count_towards_the_quota_and_go_with_it(opened, store):
    jobs = JobStore(opened)
    job = jobs.begin(a_training(length=20))
    worked_off(jobs, HereAndNow())
    digests = store.there(job.id)
    (kept,) = store.mine(OWNER, 10)
    assert kept.digest in digests
    assert store.usage(OWNER) == sum(len(store.data(digest)) for digest in digests)
    jobs.remove(job.id)
    assert [digest for digest in digests if store.data(digest) is not None] == [kept.digest]


def test_without_room_points_are_kept_and_of_the_brains_only_the_last(opened, store, data):
    jobs = JobStore(opened, JobSettings(brains_bytes=3 * len(data)))
    job = jobs.begin(a_training(length=300))
    worked_off(jobs, HereAndNow())
    points, kept = jobs.points(job.id), store.there(job.id)
    assert [point.step for point in points] == [1, 2, 5, 10, 20, 50, 100, 200, 300]
    assert all(point.digest for point in points)
    assert points[0].digest in kept
    assert points[-2].digest not in kept
    (last,) = store.mine(OWNER, 10)
    assert last.digest == points[-1].digest in kept
    assert store.usage(OWNER) - len(store.data(last.digest)) <= 3 * len(data)


def test_the_games_of_an_arena_are_read_by_pair_and_by_number(opened):
    jobs = JobStore(opened)
    terms = Terms("tictactoe", ("random", "opportunist", "perfect"), 4, 1)
    job = jobs.begin(arena_job(OWNER, "cup", ArenaPlan(terms)))
    worked_off(jobs, HereAndNow())
    assert jobs.find(job.id).state is JobState.DONE
    every = jobs.games(job.id)
    assert len(list(results_of(terms, every))) == len(every) == terms.total
    assert jobs.games_of_pair(job.id, 1, 2, 2) == tuple(
        game for game in every if game.pair == 1 and game.round >= 2
    )
    assert jobs.game(job.id, 2, 3) == next(game for game in every if game.key == (2, 3))


def at_once(config, act):
    """Act in several threads over connections of their own: who got through, and who did not."""
    barrier = Barrier(AT_ONCE)
    databases = [Database(config.database_url) for _ in range(AT_ONCE)]

    def one(number):
        barrier.wait(30)
        while True:
            try:
                return act(databases[number], number)
            except (BrainQuotaError, TooManyJobsError) as error:
                return error
            except (DBAPIError, BusyDatabaseError):  # it is another's turn for too long
                continue

    try:
        with ThreadPoolExecutor(AT_ONCE) as threads:
            results = list(threads.map(one, range(AT_ONCE)))
    finally:
        for database in databases:
            database.close()
    return [result for result in results if not isinstance(result, Exception)]


@pytest.mark.usefixtures("opened")
def test_the_bound_of_jobs_holds_however_many_ask_at_once(config):
    begun = at_once(
        config, lambda database, _: JobStore(database, JobSettings(each=2)).begin(a_training())
    )
    assert len(begun) == 2


def test_the_quota_holds_however_many_ask_at_once(config, store):
    def keep(database, number):
        return BrainStore(database, JobSettings(brains_bytes=250)).keep(
            OWNER, named(f"{number:032x}"), bytes(100)
        )

    assert len(at_once(config, keep)) == 2
    assert store.usage(OWNER) == 200
