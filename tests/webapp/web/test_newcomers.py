"""Whoever comes without a cookie is counted by address: jobs, brains, classes and seats."""

import io
from dataclasses import replace

import pytest

from agents.runs import train_slice
from tests.webapp.assignments import people as assignments
from tests.webapp.classroom.people import Teacher
from tests.webapp.jobs.working import a_training
from tests.webapp.visitor import OWN_PAGE, Visitor
from webapp.config import Config, ConfigError, JobSettings, Rate, Share
from webapp.jobs.brain_store import DAY_S, UNSEEN_S, BrainStore
from webapp.jobs.kinds.training import describe_brain
from webapp.jobs.models import FullQueueError, TooManyJobsError
from webapp.jobs.store import JobStore
from webapp.services import NAME

OFTEN, SELDOM = Rate(10_000, 10_000), Rate(0.001, 3)
NEWCOMERS_SELDOM = Share(OFTEN, SELDOM, OFTEN)
PLAYER_SELDOM = Share(SELDOM, OFTEN, OFTEN)
ARENA = {"game": "tictactoe", "machine": ["random", "perfect"], "games": "2"}


@pytest.fixture(scope="module")
def brain():
    return train_slice("tictactoe", "menace", 7, None, until=5, seconds=60).brain


def trains(visitor, **_):
    return visitor.post("/train", {"game": "tictactoe", "learner": "menace"})


def enters(visitor, **_):
    return visitor.post("/arena", ARENA)


def uploads(visitor, brain, **_):
    fields = {"file": (io.BytesIO(brain), "brain.npz"), "name": ""}
    return visitor.client.post("/brains/upload", data=fields, headers=OWN_PAGE)


def teaches(visitor, **_):
    return visitor.post("/class")


def sits(visitor, code, **_):
    return visitor.post(f"/c/{code}/join")


def solves(visitor, **_):
    return visitor.post("/puzzles/201c6f5e/answer", {"move": "c3"})


def sprints(visitor, **_):
    return visitor.post("/puzzles/sprint")


def sets(visitor, **_):
    return visitor.post("/assignments", {"title": "T", "tasks": "## A\npuzzles: 1"})


def works(visitor, code, **_):
    return visitor.post(f"/a/{code}/join")


TEACHERS = {sits: Teacher, works: assignments.Teacher}  # of whose code something is asked
COSTLY = [
    ("jobs", trains),
    ("jobs", enters),
    ("uploads", uploads),
    ("classes", teaches),
    ("seats", sits),
    ("puzzles", solves),
    ("puzzles", sprints),
    ("classes", sets),
    ("seats", works),
]


@pytest.mark.parametrize(("what", "do"), COSTLY)
def test_without_a_cookie_the_address_is_counted(start, brain, what, do):
    app = start(**{f"rates_{what}": NEWCOMERS_SELDOM})
    code = TEACHERS[do](app).code if do in TEACHERS else "BCDF"
    codes = [do(Visitor(app), brain=brain, code=code).status_code for _ in range(5)]
    assert codes == [303] * 3 + [429] * 2


@pytest.mark.parametrize(("what", "do"), [COSTLY[0], COSTLY[2], COSTLY[3]])
def test_one_player_is_counted_and_nobody_else_is_held_up(start, brain, what, do):
    app = start(**{f"rates_{what}": PLAYER_SELDOM}, jobs_each=100)
    visitor = Visitor(app)
    codes = [do(visitor, brain=brain).status_code for _ in range(5)]
    assert codes == [303] * 4 + [429]  # the first was a newcomer's
    assert do(Visitor(app), brain=brain).status_code == 303


def begins(visitor):
    return visitor.post("/matches", {"game": "nim", "opponent": "person"}).status_code


def test_whoever_drops_their_cookies_keeps_no_newcomer_from_a_first_match(start):
    app = start(rates_newcomer=SELDOM)
    flood = app.test_client(use_cookies=False)
    match = {"game": "nim", "opponent": "person"}
    codes = [flood.post("/matches", data=match, headers=OWN_PAGE).status_code for _ in range(30)]
    assert codes == [303] * 3 + [429] * 27
    for _ in range(20):
        reader = Visitor(app)
        reader.get("/")
        assert begins(reader) == 303
        hasty = Visitor(app)
        assert [begins(hasty), begins(hasty)] == [429, 303]


def test_part_of_what_an_address_may_do_is_left_to_players_who_did_nothing_yet(start):
    app = start(
        rates_address_match=Rate(0.001, 9), rates_newcomer=OFTEN, rates_match=Rate(0.001, 9)
    )
    greedy = Visitor(app)
    assert [begins(greedy) for _ in range(8)] == [303] * 6 + [429] * 2
    others = [Visitor(app) for _ in range(3)]
    assert [begins(other) for other in others] == [303] * 3


def test_without_a_crowd_a_page_sets_no_cookie(start):
    visitor = Visitor(start())
    assert "Set-Cookie" not in visitor.get("/").headers


def test_part_of_the_queue_is_left_to_owners_who_have_no_job_in_it(opened):
    store = JobStore(opened, JobSettings(each=10, queue=9))
    for _ in range(6):
        store.begin(a_training(owner="1" * 32))
    with pytest.raises(FullQueueError):
        store.begin(a_training(owner="1" * 32))
    for owner in "234":
        store.begin(a_training(owner=owner * 32))
    with pytest.raises(FullQueueError):
        store.begin(a_training(owner="5" * 32))


def test_part_of_the_queue_is_left_to_networks_that_have_no_job_in_it(opened):
    store = JobStore(opened, JobSettings(queue=9, address=6))

    def begins(owner, network):
        store.begin(replace(a_training(owner=owner * 32), origin=network * 32))

    for number, owner in enumerate("123456"):
        begins(owner, "ab"[number % 2])
    with pytest.raises(FullQueueError):
        begins("7", "a")
    for network in "cde":
        begins(network, network)


def test_one_network_never_fills_the_queue_whatever_cookies_it_has(start):
    app = start(jobs_queue=6, jobs_address=4)
    codes = [trains(Visitor(app)).status_code for _ in range(6)]
    assert codes == [303] * 4 + [429] * 2
    elsewhere = app.test_client()
    fields = {"game": "tictactoe", "learner": "menace"}
    far = {"REMOTE_ADDR": "192.0.2.7"}
    answer = elsewhere.post("/train", data=fields, headers=OWN_PAGE, environ_overrides=far)
    assert answer.status_code == 303


def test_the_origin_of_a_job_is_no_address_and_is_not_told(start):
    app = start()
    visitor = Visitor(app)
    path = trains(visitor).location
    record = app.extensions[NAME][JobStore].find(path.rpartition("/")[2])
    assert len(record.origin) == 32
    assert "127.0.0.1" not in record.origin
    assert "origin" not in visitor.client.get(f"{path}.json").json


def test_a_full_network_is_told_so(opened):
    store = JobStore(opened, JobSettings(queue=9, address=1))
    first = a_training(owner="1" * 32)
    store.begin(replace(first, origin="a" * 32))
    with pytest.raises(TooManyJobsError, match="of your network"):
        store.begin(replace(first, owner="2" * 32, origin="a" * 32))


def test_all_brains_together_have_a_bound(start, brain):
    app = start(jobs_all_brains_bytes=len(brain))
    assert uploads(Visitor(app), brain).status_code == 303
    more = train_slice("tictactoe", "menace", 8, None, until=5, seconds=60).brain
    answer = uploads(Visitor(app), more)
    assert answer.status_code == 503
    assert "Retry-After" in answer.headers


@pytest.mark.stores
def test_brains_that_nobody_came_back_to_go(opened, brain):
    now = [1_000_000.0]
    store = BrainStore(opened, JobSettings(keep_brains_days=30), clock=lambda: now[0])
    described = describe_brain(brain)
    left = store.keep("1" * 32, described, brain)
    visited = store.keep("2" * 32, described, brain)
    now[0] += 60
    store.owner_came("2" * 32, [visited])
    now[0] += UNSEEN_S
    assert store.remove_forgotten(50) == 1
    assert store.mine("1" * 32, 10) == ()
    assert store.data(left.digest) is not None
    now[0] += 30 * DAY_S
    assert store.remove_forgotten(50) == 1
    assert store.data(left.digest) is None


def test_looking_at_ones_brains_counts_as_coming_back(start, brain):
    app = start()
    visitor = Visitor(app)
    path = uploads(visitor, brain).location
    store = app.extensions[NAME][BrainStore]
    assert store.find(path.rpartition("/")[2]).seen is None
    Visitor(app).get(path)
    assert store.find(path.rpartition("/")[2]).seen is None
    visitor.get(path)
    assert store.find(path.rpartition("/")[2]).seen is not None


def test_a_share_is_three_rates_in_the_environment():
    config = Config.from_environment({"ZERMELO_RATE_JOBS": "1/2,3/4,5/6"})
    assert config.rates.jobs == Share(Rate(1, 2), Rate(3, 4), Rate(5, 6))
    for text in ("1/2", "1/2,3/4,5", "1/2,3/4,5/6,7/8"):
        with pytest.raises(ConfigError, match="ZERMELO_RATE_JOBS"):
            Config.from_environment({"ZERMELO_RATE_JOBS": text})


def test_the_names_of_a_list_count_for_more_than_one_assignment(start):
    """Each is a row that is kept for half a year."""
    app = start(rates_classes=replace(NEWCOMERS_SELDOM, newcomers=Rate(0.001, 5)))
    names = ", ".join(f"Student {number}" for number in range(200))
    told = [
        Visitor(app).post(
            "/assignments", {"title": "T", "tasks": "## A\npuzzles: 1", "names": names}
        )
        for _ in range(2)
    ]
    assert [answer.status_code for answer in told] == [303, 429]
