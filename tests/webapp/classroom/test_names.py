"""Names: from the round on that begins with them, and nowhere beside what was said before.

Every address is read as teacher, student and stranger, before and after the switch. Then two
students exchange all that they were and said without names; every response has to be the same to
the byte, also for the teacher.
"""

import csv
from io import StringIO

import pytest

from tests.webapp.classroom.people import Student, Teacher
from tests.webapp.classroom.test_leaks import (
    all_urls,
    differing_keys,
    open_rules,
    responses,
    stop_clock,
)
from webapp.classroom.store import ClassStore
from webapp.services import NAME, Clock

GAME = "nim:heaps=2-3,last=wins"
REAL = ("Ada Lovelace", "Blaise Pascal", "Carl Gauss")
EXCHANGE = (
    "update class_answers set seat = 100 where seat = 2 and round = 1",
    "update class_answers set seat = 2 where seat = 3 and round = 1",
    "update class_answers set seat = 3 where seat = 100 and round = 1",
    "update class_seats set alias = 'nobody' where number = 2",
    "update class_seats set alias = (select alias from class_seats where number = 3) "
    "where number = 2",
    "update class_seats set alias = '{}' where number = 3",
)


class NamedClass:
    """A class of three; one round without names, then names on, then a round with them."""

    def __init__(self, app):
        self.services = app.extensions[NAME]
        at = self.services[Clock].now()
        self.services[ClassStore].now = lambda: at  # presence does not expire during the test
        self.teacher = Teacher(app)
        self.students = [Student(app, self.teacher.code) for _ in REAL]
        self.made_up = [student.name for student in self.students]

    def asks(self, *answers):
        self.teacher.asks(GAME, machine="perfect")
        for student, answer in zip(self.students, answers, strict=True):
            student.says(answer)
        return self

    def switches(self):
        self.teacher.does("names", action="settings")
        for student, name in zip(self.students, REAL, strict=True):
            student.posts("name", name=name)
        return self

    def all_responses(self, stranger):
        """Every address by each of them."""
        record = self.teacher.session.record
        values = VALUES | {"class_id": record.id, "code": record.code}
        paths = all_urls(self.teacher.app, values)
        visitors = {"teacher": self.teacher, "student": self.students[0], "stranger": stranger}
        return {
            (who, *asked): answer
            for who, visitor in visitors.items()
            for asked, answer in responses(visitor, paths).items()
        }

    @property
    def rows(self):
        answer = self.teacher.get(f"{self.teacher.path}.csv")
        return list(csv.DictReader(StringIO(answer.text)))

    def exchange(self):
        """Let the second and the third student swap what they said before there were names."""
        with self.teacher.app.extensions[NAME][ClassStore].database.write() as cursor:
            for statement in EXCHANGE:
                cursor.execute(statement.format(self.made_up[1]))


VALUES = {
    **dict.fromkeys(("brain_id", "bot_id", "league_id", "turn_id", "secret"), "none"),
    **dict.fromkeys(("match_id", "job_id", "puzzle_id", "assignment_id"), "none"),
    "task": 1,
    "seat": 1,
    "slug": "nim",
    "kind": "css",
    "filename": "css/classroom/class.css",
    "number": 1,
    "one": 1,
    "two": 2,
    "entrant": 1,
}


@pytest.fixture
def named(app):
    return NamedClass(app)


def telling(answers, names):
    """Who reads which of these names at which address."""
    return {
        (who, path, name)
        for (who, path, _), (_, _, body) in answers.items()
        for name in names
        if name.encode() in body
    }


def test_before_the_switch_no_address_has_a_name_and_phones_say_so(named, stranger):
    named.asks("b1", "a1", "a2")
    phone = named.students[0].get(named.students[0].path).text
    assert "Nobody sees who said what." in phone
    assert "Your teacher sees" not in phone
    named.teacher.does("close", "reveal")
    answers = named.all_responses(stranger)
    assert {who for who, _, _ in telling(answers, REAL)} == set()
    assert [(row["student"], row["answer"]) for row in named.rows] == list(
        zip(named.made_up, ("b1", "a1", "a2"), strict=True)
    )


def test_a_round_that_is_on_when_names_are_turned_on_stays_without(named):
    named.asks("b1", "a1", "a2").switches()
    phone = named.students[0].get(named.students[0].path).text
    assert "Nobody sees who said what. From the next question on your teacher sees" in phone
    named.teacher.does("close")
    assert {said for _, _, said in named.teacher.control.students} == {""}
    named.teacher.does("talk", "again")
    named.students[0].says("a1")
    named.teacher.does("close", "reveal")
    assert {said for _, _, said in named.teacher.control.students} == {""}
    assert not {row["student"] for row in named.rows} & set(REAL)


def test_from_the_next_round_on_the_teacher_alone_sees_who_said_what(named, stranger):
    named.asks("b1", "a1", "a2").switches()
    named.teacher.does("close", "reveal")
    named.asks("a2", "b1", "b2")
    phone = named.students[0].get(named.students[0].path).text
    assert f"Your teacher sees your answers, as those of {REAL[0]}." in phone
    assert "Nobody sees" not in phone
    named.teacher.does("close", "reveal")
    assert {(seat.name, said) for seat, _, said in named.teacher.control.students} == set(
        zip(REAL, ("a2", "b1", "b2"), strict=True)
    )
    found = telling(named.all_responses(stranger), REAL)
    path = named.teacher.path
    assert {where for who, where, _ in found if who == "teacher"} == {path, f"{path}.csv"}
    assert {name for who, _, name in found if who == "student"} == {REAL[0]}  # its own
    assert {who for who, _, _ in found} == {"teacher", "student"}
    by_round = {
        number: {(row["student"], row["answer"]) for row in named.rows if row["round"] == number}
        for number in ("1", "2")
    }
    assert by_round == {
        "1": set(zip(named.made_up, ("b1", "a1", "a2"), strict=True)),
        "2": set(zip(REAL, ("a2", "b1", "b2"), strict=True)),
    }


@pytest.mark.slow
@pytest.mark.parametrize("asks_on", [False, True])
def test_nobody_can_tell_whose_answers_were_given_before_the_switch(named, stranger, asks_on):
    named.asks("b1", "a1", "a2").switches()
    named.teacher.does("close", "reveal")
    if asks_on:
        named.asks("a2", "b1", "b2").teacher.does("close", "reveal")
    open_rules(named.teacher, named.students[0], stranger)
    stop_clock(named.teacher.app)
    before = named.all_responses(stranger)
    named.exchange()
    assert differing_keys(before, named.all_responses(stranger)) == []


def test_names_that_are_turned_off_again_leave_what_was_promised(named):
    named.switches().asks("b1", "a1", "a2")
    named.teacher.does("close", "reveal")
    named.teacher.does("no-names", action="settings")
    named.asks("a2", "b1", "b2")
    assert "Nobody sees who said what." in named.students[0].get(named.students[0].path).text
    named.teacher.does("close", "reveal")
    assert {said for _, _, said in named.teacher.control.students} == {""}
    told = {(row["round"], row["student"]) for row in named.rows}
    assert told == {
        *(("1", name) for name in REAL),
        *(("2", name) for name in named.made_up),
    }


def test_whoever_joins_is_told_whether_names_are_on(named, stranger):
    path = named.students[0].path
    assert "Nobody sees who says what." in stranger.get(path).text
    named.teacher.does("names", action="settings")
    told = stranger.get(path).text
    assert "sees your answers" in told
    assert "Nobody sees" not in told
    screen = named.teacher.get(f"{named.teacher.path}/screen").text
    assert "nobody sees" not in screen
    assert "Nobody sees" not in stranger.get("/join").text
