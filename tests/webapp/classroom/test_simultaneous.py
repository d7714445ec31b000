"""One machine, or the teacher, against every phone at once."""

import csv
from time import sleep

import pytest

from engine import Seat
from tests.webapp.classroom.people import Student, Teacher
from tests.webapp.visitor import HTMX
from webapp.classroom.models import Scene
from webapp.config import Rate
from webapp.matches.store import MatchStore
from webapp.services import NAME
from webapp.storage.database import Database

NIM = "nim:heaps=1-2,last=wins"  # b1 leaves 1-1: whoever moves first wins


def match_of(student):
    return student.phone.data.match


def hears(student, ends=False):
    """Look at the phone until the machine has replied, or the game has ended."""
    for _ in range(1000):
        record = match_of(student)
        if record.outcome is not None if ends else record.match.state.to_move is Seat.FIRST:
            return
        sleep(0.01)
    raise AssertionError("the machine has not replied")


@pytest.fixture
def begun(teacher, student, others):
    teacher.posts("at-once", game=NIM, machine="perfect")
    for one in (student, *others):
        one.posts("game")
    return student, *others


def test_every_student_plays_a_game_of_their_own(begun, teacher):
    one, other, *_ = begun
    assert len({match_of(each).id for each in begun}) == len(begun)
    one.says("b1")
    hears(one)
    assert len(match_of(one).plies) == 2
    assert match_of(other).plies == ()
    assert teacher.control.wall.tally == "4 boards: 4 still played"
    last = "b1" if match_of(one).plies[-1].text == "a1" else "a1"
    one.says(last)
    assert "You have won!" in one.phone.status
    assert teacher.screen.wall.tally == "4 boards: 3 still played, 1 won"
    assert teacher.get(f"{teacher.path}/screen").text.count('class="picture"') == 4


def test_a_game_that_is_begun_twice_is_the_same(begun):
    one = begun[0]
    before = match_of(one).id
    one.posts("game")
    assert match_of(one).id == before


def test_games_that_are_given_up_and_begun_again_count_as_matches(start):
    app = start(rates_match=Rate(0.001, 3))
    teacher = Teacher(app)
    one = Student(app, teacher.code)
    teacher.posts("at-once", game=NIM, machine="perfect")

    def begins():
        status = one.post(f"{one.path}/game", {}).status_code
        match = match_of(one)
        one.post(f"{match.path}/resign", {"revision": str(match.revision)})
        return status

    assert [begins() for _ in range(5)] == [303] * 3 + [429] * 2
    other = Student(app, teacher.code)
    other.posts("game")
    assert [other.post(f"{other.path}/game", {}).status_code for _ in range(5)] == [303] * 5


def test_a_late_student_gets_a_board_and_whoever_is_sent_out_leaves_the_wall(begun, teacher):
    one = begun[0]
    assert len(teacher.screen.wall.games) == 4
    number = str(one.phone.seat.number)
    teacher.posts("seats", do="remove", seat=number)
    assert len(teacher.screen.wall.games) == 3
    one.posts("game", 403)


def test_a_student_moves_on_no_other_board(begun, stranger):
    one, other, *_ = begun
    path = match_of(other).path
    assert one.post(f"{path}/moves", {"move": "b1", "revision": "0"}).status_code == 403
    assert stranger.post(f"{one.path}/game", {}).status_code == 403
    assert match_of(other).plies == ()


def test_a_move_for_an_older_board_and_an_illegal_one_change_nothing(begun):
    one = begun[0]
    one.says("c9", 422)
    one.says("b1")
    hears(one)
    revision = match_of(one).revision
    one.posts("answer", 409, round="1", vote="0", move="a1")
    assert match_of(one).revision == revision


def test_once_the_teacher_stops_no_move_is_accepted(begun, teacher):
    one = begun[0]
    teacher.posts("at-once", do="stop")
    one.says("b1", 409)
    one.posts("game", 409)
    assert "over" in one.phone.status
    assert teacher.asks(NIM).session.record.scene is Scene.ROUND


def test_the_teacher_plays_every_student(app, teacher, student, others):
    teacher.posts("at-once", game=NIM, do="teacher")
    for one in (student, others[0]):
        one.posts("game")
    student.says("b1")
    assert [game.seat for game in teacher.control.wall.waiting] == [student.phone.seat.number]
    record = match_of(student)
    sent = teacher.post(f"{record.path}/moves", {"move": "a1", "revision": str(record.revision)})
    assert sent.status_code == 303
    assert teacher.control.wall.waiting == ()
    assert len(app.extensions[NAME][MatchStore].find(record.id).plies) == 2
    assert "Your move, against your teacher." in student.phone.status


def test_no_machine_advises_in_these_games(begun):
    record = match_of(begun[0])
    assert record.advice_refusal(type("Actor", (), {"player": record.owner, "seat": None})())


def test_before_it_is_opened_there_is_no_game(app):
    teacher = Teacher(app)
    teacher.posts("at-once", 409, do="stop")


def test_what_polls_costs_as_many_queries_with_seven_games_as_with_four(
    app, begun, teacher, counted
):
    def costs():
        return [counted(teacher, "screen"), counted(teacher, "control"), counted(begun[0], "phone")]

    before = costs()
    for _ in range(3):
        Student(app, teacher.code).posts("game")
    assert costs() == before


@pytest.fixture
def counted(monkeypatch):
    """Counts the queries of a page and of its next poll, which finds nothing new."""
    asked = []
    real = Database.run
    monkeypatch.setattr(Database, "run", lambda *call: asked.append(call[2]) or real(*call))

    def count(visitor, name):
        asked.clear()
        follow = getattr(visitor, name).follow
        page = len(asked)
        assert visitor.client.get(follow, headers=HTMX).status_code == 204
        return page, len(asked) - page

    return count


def test_what_polls_sees_every_move_and_every_new_game(begun, teacher):
    one, other, *_ = begun
    pages = [(teacher, teacher.screen), (teacher, teacher.control), (one, one.phone)]
    one.says("b1")
    hears(one)
    for visitor, page in pages:
        assert visitor.client.get(page.follow, headers=HTMX).status_code == 200
    one.says("b1" if match_of(one).plies[-1].text == "a1" else "a1")
    before = teacher.screen.follow
    one.posts("game")
    other.says("b1")
    assert teacher.client.get(before, headers=HTMX).status_code == 200


def test_the_csv_says_how_games_ended(begun, teacher):
    one, other, third, _ = begun
    one.says("b1")
    hears(one)
    one.says("b1" if match_of(one).plies[-1].text == "a1" else "a1")
    other.says("a1")  # 0-2: the machine takes both
    hears(other, ends=True)
    third.says("b1")
    rows = csv.DictReader(teacher.get(f"{teacher.path}.csv").text.splitlines())
    said = {row["student"]: row["answer"] for row in rows}
    assert [said[each.name] for each in begun] == ["won", "lost", "playing", "playing"]
