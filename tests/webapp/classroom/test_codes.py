"""Wrong codes are limited by visitor, and no class is locked out."""

import pytest

from tests.webapp.classroom.people import Student, Teacher
from tests.webapp.visitor import Visitor
from webapp.config import Rate
from webapp.web.names import ANIMALS, CODE_LETTERS, generate_name

WRONG = "ZZZZ"


def guesses(visitor, count):
    return [visitor.post("/join", {"code": WRONG}).status_code for _ in range(count)]


def test_a_visitor_who_guesses_is_slowed_down_and_the_others_are_not(start):
    app = start(rates_guess=Rate(0.001, 3))
    teacher = Teacher(app)
    known = Student(app, teacher.code)
    assert guesses(known, 5) == [404, 404, 404, 429, 429]
    assert known.get(f"/c/{Teacher(app).code}").status_code == 429
    other = Student(app, teacher.code)
    assert other.phone.phase == "waiting"
    by_link = [other.get(f"/c/{WRONG}").status_code for _ in range(4)]
    assert by_link == [404, 404, 404, 429]


def test_whoever_has_a_seat_keeps_it_however_many_codes_they_mistype(start):
    app = start(rates_guess=Rate(0.001, 3))
    teacher = Teacher(app)
    student = Student(app, teacher.code)
    assert guesses(student, 4)[-1] == 429
    assert student.phone.phase == "waiting"
    assert student.client.get(f"{student.path}/now?known=0").status_code == 200
    teacher.asks()
    student.says("b1")
    assert student.post("/join", {"code": teacher.code}).status_code == 303
    assert guesses(student, 1) == [429]


def test_guessing_without_a_cookie_shuts_nobody_out(start):
    app = start(rates_address_guess=Rate(0.001, 3))
    teacher = Teacher(app)
    statuses = [Visitor(app).post("/join", {"code": WRONG}).status_code for _ in range(5)]
    assert statuses == [404, 404, 404, 429, 429]
    newcomer = Visitor(app)
    assert newcomer.post("/join", {"code": teacher.code}).status_code == 429
    assert newcomer.post("/join", {"code": teacher.code}).status_code == 303  # with a cookie now


@pytest.mark.parametrize("action", ["answer", "game", "name", "machine", "join"])
def test_every_form_of_a_phone_counts_the_codes_that_are_tried_without_a_cookie(start, action):
    app = start(rates_address_guess=Rate(0.001, 3))
    code = Teacher(app).code

    def tried(code):
        return Visitor(app).post(f"/c/{code}/{action}", {})

    assert [tried(WRONG).status_code for _ in range(5)] == [404, 404, 404, 429, 429]
    right, wrong = tried(code), tried(WRONG)
    assert right.status_code == wrong.status_code == 429
    assert right.text.replace(code, WRONG) == wrong.text


def test_codes_have_no_letter_that_spells_or_looks_like_a_digit():
    assert not set(CODE_LETTERS) & set("AEIOUL01")


def test_there_are_names_for_everyone():
    taken = set()
    for _ in range(len(ANIMALS) + 100):
        taken.add(generate_name(taken))
    assert len(taken) == len(ANIMALS) + 100
    assert len(set(ANIMALS)) == len(ANIMALS)
