"""A class that strangers want to fill, guess or take over."""

import pytest

from agents.formats import harmless_cell
from tests.webapp.classroom.people import Student, Teacher
from tests.webapp.visitor import Visitor
from webapp.classroom import seat_store
from webapp.classroom.models import ClosedVoteError, NoFreeCodeError
from webapp.classroom.rules import MAX_ROUNDS, asked
from webapp.classroom.seat_store import SeatStore
from webapp.classroom.store import ClassStore
from webapp.config import Rate, Rates
from webapp.questions.models import Question
from webapp.services import NAME, Clock
from webapp.web import names

WRONG = "ZZZZ"


def test_with_every_short_code_taken_a_class_gets_a_longer_one(app, monkeypatch):
    monkeypatch.setattr(names, "CODE_LETTERS", "B")
    assert [Teacher(app).code for _ in range(3)] == ["BBBB", "BBBBB", "BBBBBB"]
    with pytest.raises(NoFreeCodeError):
        app.extensions[NAME][ClassStore].begin("1" * 32)
    answer = Visitor(app).post("/class")
    assert answer.status_code == 503
    assert "Retry-After" in answer.headers


def test_a_class_of_two_hundred_joins_from_one_address_at_once(start):
    usual = Rates()
    app = start(rates_seats=usual.seats, rates_player=usual.player, rates_address=usual.address)
    code = Teacher(app).code
    assert [Visitor(app).post(f"/c/{code}/join").status_code for _ in range(200)] == [303] * 200


@pytest.mark.stores
def test_whoever_is_sent_out_takes_no_seat(app, monkeypatch):
    monkeypatch.setattr(seat_store, "MAX_SEATS", 2)
    teacher = Teacher(app)
    first = Student(app, teacher.code)
    Student(app, teacher.code)
    assert Visitor(app).post(f"/c/{teacher.code}/join").status_code == 403
    teacher.posts("seats", seat=1, do="remove")
    assert Visitor(app).post(f"/c/{teacher.code}/join").status_code == 303
    assert Visitor(app).post(f"/c/{teacher.code}/join").status_code == 403
    assert "taken you out" in first.get(f"/c/{teacher.code}").text


def test_nobody_joins_a_locked_class_and_who_is_in_it_stays(app):
    teacher = Teacher(app)
    student = Student(app, teacher.code)
    teacher.posts("settings", do="lock")
    answer = Visitor(app).post(f"/c/{teacher.code}/join")
    assert answer.status_code == 403
    assert "Nobody new can join" in answer.text
    assert student.post(f"/c/{teacher.code}/join").status_code == 303
    teacher.asks()
    student.says("b1")
    teacher.posts("settings", do="unlock")
    assert Visitor(app).post(f"/c/{teacher.code}/join").status_code == 303


@pytest.mark.stores
def test_those_who_came_in_the_last_minute_are_sent_out_together_with_their_votes(app):
    now = [1_800_000_000.0]
    services = app.extensions[NAME]
    services[Clock] = Clock(lambda: now[0])
    services[ClassStore].now = lambda: now[0]
    teacher = Teacher(app)
    honest = [Student(app, teacher.code) for _ in range(2)]
    now[0] += 61
    crowd = [Student(app, teacher.code) for _ in range(5)]
    teacher.asks()
    for student in (*honest, *crowd):
        student.says("b1")
    teacher.posts("seats", do="remove-recent")
    seats = services[SeatStore].seats(teacher.class_id)
    assert [seat.removed for seat in seats] == [False] * 2 + [True] * 5
    teacher.posts("phase", do="close", round=1, vote=1)
    assert sum(bar.counts[0] for bar in teacher.control.result.bars) == 2


def test_a_new_link_ends_control_by_the_old_one(app):
    teacher = Teacher(app)
    old = teacher.session.record.key
    second = Visitor(app)
    assert second.post(f"{teacher.path}/key/{old}").status_code == 303
    assert second.get(teacher.path).status_code == 200
    assert second.post(f"{teacher.path}/settings", {"do": "new-link"}).status_code == 403
    teacher.posts("settings", do="new-link")
    assert second.get(teacher.path).status_code == 403
    assert second.post(f"{teacher.path}/key/{old}").status_code == 404
    new = teacher.session.record.key
    assert second.post(f"{teacher.path}/key/{new}").status_code == 303


def test_the_link_of_a_class_that_is_over_gives_no_names(app):
    teacher = Teacher(app)
    key = teacher.session.record.key
    teacher.posts("settings", do="end")
    assert Visitor(app).post(f"{teacher.path}/key/{key}").status_code == 404


WAYS = {
    "now": lambda visitor, code: visitor.get(f"/c/{code}/now?known=1"),
    "answer": lambda visitor, code: visitor.post(
        f"/c/{code}/answer", {"move": "b1", "round": "1", "vote": "1"}
    ),
    "join": lambda visitor, code: visitor.post("/join", {"code": code}),
    "page": lambda visitor, code: visitor.get(f"/c/{code}"),
}


@pytest.mark.parametrize("way", WAYS)
def test_codes_are_counted_whichever_way_they_are_tried(start, way):
    app = start(rates_guess=Rate(0.001, 3))
    known = Visitor(app)
    known.begins()  # has a cookie
    code = Teacher(app).code
    answers = [WAYS[way](known, WRONG).status_code for _ in range(5)]
    assert answers[3:] == [429, 429]
    assert WAYS[way](known, code).status_code == 429


def test_a_new_cookie_brings_no_further_tries_without_end(start):
    app = start(rates_all_guesses=Rate(0.001, 6), rates_guess=Rate(0.001, 3))
    statuses = []
    for _ in range(4):
        visitor = Visitor(app)
        visitor.begins()
        statuses += [visitor.post("/join", {"code": WRONG}).status_code for _ in range(3)]
    assert statuses == [404] * 6 + [429] * 6


def test_a_student_with_a_seat_is_never_refused_for_the_tries_of_others(start):
    app = start(rates_all_guesses=Rate(0.001, 2))
    teacher = Teacher(app)
    student = Student(app, teacher.code)
    for _ in range(4):
        Visitor(app).post("/join", {"code": WRONG})
    teacher.asks()
    student.says("b1")
    assert student.get(f"/c/{teacher.code}/now?known=0").status_code == 200


def test_the_rounds_of_a_class_are_bounded(app):
    session = Teacher(app).session
    question = Question("nim:heaps=1-2", "What would you play?")
    for _ in range(MAX_ROUNDS):
        session = asked(session, question, 0.0)
    with pytest.raises(ClosedVoteError, match="rounds"):
        asked(session, question, 0.0)


@pytest.mark.parametrize("text", ["=1+1", "a;=1+1", "a; +1", "＝1+1", "-2+3", "@x"])
def test_no_cell_begins_as_a_formula_whatever_ends_a_field(text):
    plain = harmless_cell(text)
    assert plain.replace("'", "", 1) == text
    assert all(cell.lstrip()[:1] not in "=+-@＝" for cell in plain.split(";"))
