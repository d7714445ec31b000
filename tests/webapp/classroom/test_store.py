"""The class store, in either database."""

import pytest

from tests.webapp.classroom.people import Student, Teacher
from webapp.classroom.seat_store import SeatStore
from webapp.services import NAME

pytestmark = pytest.mark.stores


def test_a_class_is_kept_whole(app):
    teacher = Teacher(app)
    student, other = Student(app, teacher.code), Student(app, teacher.code)
    teacher.asks("nim:heaps=1-2,last=wins", seconds="60")
    student.says("a1").says("b1")
    other.says("a1")
    teacher.does("close", "again")
    student.says("b1")
    teacher.does("close", "reveal")
    session = teacher.session
    store = app.extensions[NAME][SeatStore]
    stored = [(a.round, a.vote, a.seat, a.answer) for a in store.answers(session.record.id)]
    assert stored == [(1, 1, 1, "b1"), (1, 1, 2, "a1"), (1, 2, 1, "b1")]
    assert session.round.best == ("b1",)
    teacher.does("hide", action="answers", answer="a1")
    teacher.does("remove", action="seats", seat=2)
    assert [seat.removed for seat in store.seats(session.record.id)] == [False, True]
    assert store.turnout(session.record.id, 1, 2).answered == 1
    assert teacher.get(f"/class/{'x' * 5}\x00").status_code == 404
    assert student.get("/c/B\x00CD").status_code in (200, 404)
