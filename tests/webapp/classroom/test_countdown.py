"""Countdowns run on the server: votes end and a match goes on without any click."""

import re
import sqlite3
from contextlib import closing

import pytest
from sqlalchemy.engine import make_url

from tests.webapp.classroom.people import Student
from tests.webapp.visitor import HTMX, OWN_PAGE
from webapp.classroom.rules import ANSWER_GRACE_S, LAST_ANSWER_S, REPLY_DELAY_S
from webapp.classroom.store import ClassStore
from webapp.config import Config
from webapp.services import NAME, Clock

GAME = "nim:heaps=2-3,last=wins"
SECONDS = 5


@pytest.fixture
def clock(app):
    """The app's clock, moved by hand."""
    return MovedClock(app)


class MovedClock:
    def __init__(self, app):
        services = app.extensions[NAME]
        self.now = services[Clock].now()
        services[ClassStore].now = lambda: self.now
        services[Clock] = Clock(lambda: self.now)

    def goes_on(self, seconds):
        self.now += seconds


def stored_phase(app):
    path = make_url(app.extensions[NAME][Config].database_url).database
    with closing(sqlite3.connect(path)) as database:
        return database.execute("select phase from class_rounds order by number desc").fetchone()[0]


@pytest.fixture
def voted(clock, teacher, student):
    """A teacher whose class votes on its first move, counted down; one student has voted."""
    teacher.begins_match(GAME, seconds=str(SECONDS))
    student.says("b1")
    return teacher


def goes_on(teacher):
    return teacher.post(f"{teacher.path}/on", headers=OWN_PAGE | HTMX).status_code


def test_a_vote_ends_with_its_countdown_and_nobody_has_to_close_it(app, clock, teacher, student):
    teacher.asks(GAME, seconds=str(SECONDS))
    student.says("b1")
    poll = student.polls()
    clock.goes_on(SECONDS + ANSWER_GRACE_S)
    assert poll().status_code == 204
    clock.goes_on(0.1)
    assert "The vote is closed. You said b1." in poll().text
    assert student.polls()().status_code == 204
    assert (teacher.screen.phase, teacher.control.phase) == ("closed", "closed")
    student.says("a1", 409)


def test_a_vote_that_has_ended_is_written_down_with_the_next_change(app, clock, teacher, student):
    teacher.asks(GAME, seconds=str(SECONDS))
    clock.goes_on(SECONDS + ANSWER_GRACE_S + 0.1)
    poll = student.polls()
    assert stored_phase(app) == "open"
    teacher.does("settle")
    assert stored_phase(app) == "closed"
    assert poll().status_code == 204  # the phone is up to date
    teacher.does("again")
    assert (poll().status_code, teacher.control.phase) == (200, "open")


def test_whoever_comes_in_between_changes_what_phones_know(app, clock, teacher, student):
    teacher.does("names", action="settings")
    teacher.asks(GAME, seconds=str(SECONDS))
    clock.goes_on(SECONDS + ANSWER_GRACE_S + 0.1)
    poll = student.polls()
    student.posts("name", name="Ada")
    assert poll().status_code == 200
    assert student.phone.phase == "closed"
    teacher.asks(GAME)
    assert Student(app, teacher.code).phone.phase == "open"


def test_a_match_goes_on_with_nothing_but_the_clock(clock, voted):
    teacher = voted
    assert goes_on(teacher) == 204
    clock.goes_on(LAST_ANSWER_S + 0.1)
    assert (teacher.screen.phase, teacher.control.plays_in) == ("closed", 0.1)
    assert goes_on(teacher) == 200
    screen = teacher.screen
    assert (screen.phase, screen.match_text) == ("match", "We play Perfect. We played b1.")
    assert [(bar.shown, bar.counts) for bar in screen.result.bars] == [("b1", (1,))]
    assert goes_on(teacher) == 204
    clock.goes_on(REPLY_DELAY_S)
    assert goes_on(teacher) == 200
    assert (teacher.screen.phase, teacher.control.question.number) == ("open", 2)
    assert re.fullmatch(r"We play Perfect\. It played [ab]\d\.", teacher.screen.match_text)


def test_a_vote_in_a_match_closes_two_seconds_after_the_last_answer(
    clock, teacher, student, others
):
    teacher.begins_match(GAME)
    student.says("b1")
    clock.goes_on(5)
    assert teacher.screen.phase == "open"
    for other in others:
        other.says("a1")
    clock.goes_on(LAST_ANSWER_S - 0.1)
    assert teacher.screen.phase == "open"
    student.says("a1")  # it counts from the last one
    clock.goes_on(LAST_ANSWER_S - 0.1)
    assert teacher.screen.phase == "open"
    clock.goes_on(0.2)
    assert teacher.screen.phase == "closed"
    assert goes_on(teacher) == 200
    assert teacher.screen.match_text == "We play Perfect. We played a1."


def test_a_question_outside_a_match_stays_open_when_all_have_answered(clock, teacher, student):
    teacher.asks(GAME)
    student.says("b1")
    clock.goes_on(10)
    assert teacher.screen.phase == "open"


def test_a_vote_closed_by_hand_is_played_by_hand(clock, voted):
    voted.does("close")
    clock.goes_on(60)
    assert (goes_on(voted), voted.control.plays_in) == (204, None)
    voted.plays("b1")
    assert voted.screen.phase == "match"


@pytest.mark.parametrize("step", ["talk", "reveal"])
def test_whoever_wants_to_speak_about_a_vote_plays_by_hand(clock, voted, step):
    voted.does("close", step)
    clock.goes_on(60)
    assert (voted.control.plays_in, goes_on(voted)) == (None, 204)


def test_where_nobody_voted_nothing_is_played(clock, teacher):
    teacher.begins_match(GAME, seconds=str(SECONDS))
    clock.goes_on(60)
    assert goes_on(teacher) == 204
    assert teacher.control.phase == "closed"


def test_the_teachers_own_screen_lets_the_match_go_on_and_no_other(clock, voted, student):
    assert not voted.screen.drives
    clock.goes_on(60)
    assert voted.screen.drives
    assert student.get(f"{voted.path}/screen").status_code == 200
    assert not student.seen["screen"].drives
    assert student.post(f"{voted.path}/on").status_code == 403
