"""Abandoned matches are removed if so configured, and no others."""

from time import monotonic, sleep

import pytest

from engine import Match, load_game
from tests.webapp.visitor import Visitor
from webapp.matches import rules
from webapp.matches.store import MatchStore
from webapp.replays.models import PERSON, UnknownMatchError, new_record
from webapp.services import NAME
from webapp.storage import retention
from webapp.storage.database import Database
from webapp.storage.retention import Removal, Retention, TrustedClock
from webapp.web.cookies import Actor

pytestmark = pytest.mark.stores

ME = Actor("me")
LONG_AGO, LATELY = 1_000, 2_000


@pytest.fixture
def store(database):
    found = Database(database)
    found.upgrade()
    yield MatchStore(found, clock=lambda: LONG_AGO)
    found.close()


def begun(store, *moves):
    rules = load_game("tictactoe")
    match = Match.replay(rules, map(rules.parse_move, moves))
    return store.create(new_record("me", match, (PERSON, PERSON))).id


def there(store, match_id):
    try:
        return store.find(match_id).id == match_id
    except UnknownMatchError:
        return False


def moves_of(store, match_id):
    with store.database.read() as cursor:
        cursor.execute(f"select count(*) from moves where match_id = '{match_id}'")
        return cursor.fetchone()[0]


def removed_by(thread, store, finished=False):
    """How many matches it removes, of those last touched before lately."""

    def remove(most):
        return store.remove_old(LATELY, most, finished=finished)

    return thread.remove_all(Removal("matches", remove))


def test_what_was_left_unfinished_goes_with_its_moves(store):
    left = begun(store, "a1", "b1")
    assert removed_by(Retention(), store) == 1
    assert not there(store, left)
    assert moves_of(store, left) == 0


def test_what_was_touched_since_stays_and_what_was_finished_unless_it_is_to_go(store):
    finished = begun(store, "a1", "b1", "a2", "b2", "a3")
    touched = begun(store)
    store._clock = lambda: LATELY
    store.change(touched, lambda record: rules.moved(record, ME, "b2", 0))
    assert removed_by(Retention(), store) == 0
    assert there(store, finished)
    assert removed_by(Retention(), store, finished=True) == 1
    assert not there(store, finished)
    assert there(store, touched)


def test_many_go_a_few_at_a_time(store, monkeypatch):
    monkeypatch.setattr(retention, "BATCH", 3)
    monkeypatch.setattr(retention, "PAUSE_S", 0)
    for _ in range(7):
        begun(store)
    assert removed_by(Retention(), store) == 7


def test_it_stops_when_the_server_does(store):
    begun(store)
    ended = Retention()
    ended.close()
    assert removed_by(ended, store) == 0


def until(condition):
    patience = monotonic() + 60
    while not condition():
        assert monotonic() < patience
        sleep(0.01)


def test_a_clock_that_was_put_forward_removes_nothing():
    day, wall, passed = 24 * 3600, [1_000_000.0], [50.0]
    clock = TrustedClock(lambda: wall[0], lambda: passed[0])

    def after(seconds, jump=0.0):
        passed[0] += seconds
        wall[0] += seconds + jump
        return clock.is_right()

    assert not after(60)  # the system may still set it
    assert after(60)
    assert not after(5, jump=365 * day)
    assert not after(day - 100)
    assert after(5, jump=-365 * day)  # put right again
    assert not after(5, jump=2 * 3600)
    assert after(day)  # nobody put it right: it was right


def test_an_app_that_is_told_to_removes_and_another_keeps(start, monkeypatch):
    monkeypatch.setattr(retention, "START_S", 0)
    keeping = Visitor(start())
    keeping.begins("tictactoe", "person")
    store = keeping.app.extensions[NAME][MatchStore]
    match_id = keeping.match.record.id
    with store.database.write() as cursor:
        cursor.execute(f"update matches set updated = 0 where id = '{match_id}'")
    assert keeping.get(keeping.path).status_code == 200
    start(keep_unfinished_days=90)
    until(lambda: keeping.get(keeping.path).status_code == 404)
