"""Who is in a class: seats and names, the teacher's control, a second device, the end."""

import pytest

from tests.webapp.classroom.people import Student, Teacher
from webapp.classroom.models import ClassAttendance
from webapp.classroom.seat_store import SeatStore
from webapp.classroom.store import ClassStore
from webapp.services import NAME, Clock
from webapp.web.names import CODE_LETTERS, read_code


def test_a_class_begins_in_one_press_with_a_code_that_spells_nothing(teacher):
    assert len(teacher.code) == 4
    assert set(teacher.code) <= set(CODE_LETTERS)
    assert teacher.screen.phase == "waiting"


@pytest.mark.parametrize("typed", ["{}", " {} ", "{}-"])
def test_a_code_is_read_in_any_case(app, teacher, typed):
    assert read_code(typed.format(teacher.code.lower())) == teacher.code
    assert Student(app, typed.format(teacher.code.lower())).phone.phase == "waiting"


def test_a_seat_is_kept_by_the_cookie_and_has_a_name_nobody_else_has(teacher, student, others):
    name = student.name
    student.post("/join", {"code": teacher.code})
    assert student.name == name
    names = {name, *(other.name for other in others)}
    assert len(names) == 4
    assert {seat.name for seat, _, _ in teacher.control.students} == names


def test_whoever_opens_the_link_joins_by_a_press_and_looking_takes_no_seat(teacher, stranger):
    assert stranger.get(f"/c/{teacher.code}").status_code == 200
    assert teacher.control.students == ()
    assert stranger.post(f"/c/{teacher.code}/join").location == f"/c/{teacher.code}"
    assert len(teacher.control.students) == 1


def test_nobody_answers_without_a_seat_or_for_another(teacher, student, stranger):
    teacher.asks()
    student.says("b1")
    fields = {"round": 1, "vote": 1, "move": "a1", "seat": 1, "player": "1", "name": "x"}
    for other in (stranger, teacher):
        assert other.post(f"{student.path}/answer", fields).status_code == 403
    assert student.phone.answer == "b1"


def test_only_the_teacher_has_the_control(teacher, student, stranger):
    teacher.asks()
    for other in (student, stranger):
        assert other.get(teacher.path).status_code == 403
        fields = {"do": "close", "round": 1, "vote": 1}
        assert other.post(f"{teacher.path}/phase", fields).status_code == 403
    assert teacher.control.phase == "open"


def test_a_link_gives_control_to_a_second_device(teacher, stranger):
    key = teacher.control.key_url.partition("/class/")[2]
    assert stranger.get(f"/class/{key}").status_code == 200
    assert stranger.get(teacher.path).status_code == 403
    assert stranger.post(f"/class/{key}").status_code == 303
    assert stranger.get(teacher.path).status_code == 200
    assert teacher.control.phase == "waiting"
    assert stranger.get(f"/class/{key[:-1]}").status_code == 404


def test_a_student_who_is_sent_out_is_told_so_and_counts_no_more(teacher, student, others):
    teacher.asks()
    student.says("b1")
    others[0].says("a1")
    seat = next(s.number for s, _, _ in teacher.control.students if s.name == student.name)
    teacher.does("remove", action="seats", seat=seat)
    assert "taken you out" in student.get(student.path).text
    student.posts("answer", 403, round=1, vote=1, move="a1")
    teacher.does("close", "reveal")
    assert teacher.screen.result.totals == (1,)
    teacher.does("admit", action="seats", seat=seat)
    assert student.phone.phase == "revealed"


def test_presence_is_whoever_asked_lately(app, teacher, student, others):
    services = app.extensions[NAME]
    now = services[Clock].now()
    services[SeatStore].saw({(teacher.class_id, 1): int(now) - 60})
    assert teacher.screen.turnout.here == 3
    student.polls()()
    services[ClassAttendance].flush()
    assert teacher.screen.turnout.here == 4


def test_an_ended_class_tells_its_phones_and_keeps_its_answers_for_the_teacher(teacher, student):
    teacher.asks()
    student.says("b1")
    poll = student.polls()
    teacher.does("end", action="settings")
    assert "This class is over" in poll().text
    assert teacher.control.record.is_over
    assert teacher.screen.phase == "over"
    assert student.get(student.path).status_code == 404


def test_a_class_goes_after_a_day_unless_it_is_kept(app):
    teacher, other = Teacher(app), Teacher(app)
    services = app.extensions[NAME]
    student = Student(app, teacher.code)
    other.does("keep", action="settings")
    later = services[Clock].now() + 25 * 3600
    services[ClassStore].now = lambda: later
    assert teacher.get(teacher.path).status_code == 404
    assert student.get(student.path).status_code == 404
    assert other.get(other.path).status_code == 200
    assert services[ClassStore].remove_ended(10) == 1
    services[ClassStore].now = lambda: later + 90 * 24 * 3600
    assert services[ClassStore].remove_ended(10) == 1


def test_names_are_said_only_where_the_teacher_wants_it(teacher, student):
    student.posts("name", 403, name="Ada")
    teacher.does("names", action="settings").asks()
    student.posts("name", name="Ada").says("b1")
    assert teacher.control.students[0][2] == ""
    teacher.does("close")
    assert teacher.control.students[0][2] == "b1"
    assert "Ada" not in teacher.get(f"{teacher.path}/screen").text


@pytest.mark.parametrize(
    "question",
    ["game=tictactoe&moves=b2%2Ca1", "game=nim&prompt=A+%26+B%3F&truth=nim-sum&choices=1%7C2"],
)
def test_whoever_has_no_class_begins_one_and_comes_back_to_the_question(stranger, question):
    stranger.get(f"/class/ask?{question}")
    begun = stranger.post("/class", {"ask": stranger.seen["ask"].query})
    assert begun.location == f"/class/ask?{question}"
    stranger.get(begun.location)
    assert len(stranger.seen["ask"].classes) == 1


@pytest.mark.parametrize("wrong", ["//elsewhere.example", "", "\r\nSet-Cookie: a=b", "x" * 9000])
def test_a_class_begins_here_whatever_its_question_is_said_to_be(stranger, wrong):
    begun = stranger.post("/class", {"ask": wrong})
    assert (begun.status_code, begun.location.partition("/class/")[0]) == (303, "")
    assert "Set-Cookie: a=b" not in str(begun.headers)


def test_a_wrong_code_is_the_form_again(teacher, student, stranger):
    wrong = "BBBB" if teacher.code != "BBBB" else "CCCC"
    for answer in (stranger.get(f"/c/{wrong}"), stranger.post("/join", {"code": wrong})):
        assert answer.status_code == 404
        assert 'name="code"' in answer.text
        assert "there is no such class" in answer.text.casefold()


def test_one_tap_is_a_vote_in_nim_and_a_cube_alone_is_none_in_quixo(teacher, student):
    teacher.asks("nim:preset=marienbad")
    sticks = [stick for heap in student.phone.question.board.heaps for stick in heap.sticks]
    assert {stick.action for stick in sticks} == {"move"}
    student.says("d4")
    assert student.phone.question.board.picked == "d4"  # and it stays in sight
    teacher.asks("quixo")
    student.get(f"{student.path}?pick=a1")
    follow = student.seen["phone"].follow
    assert "pick=a1" in follow
    teacher.does("close")
    said = student.get(follow).text
    assert "You had chosen a1, but not where it goes: that is no vote." in said
    assert "pick=a1" in student.seen["phone"].follow  # the page is new once the truth is there


def test_a_cube_that_was_chosen_is_told_in_a_match_and_is_none_of_the_next_vote(
    teacher, student, others
):
    teacher.posts("match", game="quixo:size=3", machine="random", seat="x")
    student.get(f"{student.path}?pick=a1")
    follow = student.seen["phone"].follow
    others[0].says("a1-a3")
    teacher.does("close").plays("a1-a3")
    told = student.get(follow) and student.seen["phone"].status
    assert told == (
        "You had chosen a1, but not where it goes: that is no vote. Random is thinking."
    )
    teacher.hears()
    student.get(student.seen["phone"].follow)
    assert student.seen["phone"].status == "Choose your move."


def test_a_cube_is_chosen_without_a_script_too(teacher, student):
    """The browser sends the fields of the form along, which say what is voted on."""
    teacher.asks("quixo")
    student.get(f"{student.path}?revision=1&round=1&vote=1&pick=a1")
    assert student.seen["phone"].status.startswith("Push a1 back in")


def test_the_old_answer_stays_in_sight_while_it_is_changed(teacher, student):
    teacher.asks("quixo")
    student.says("a1-a5")
    student.get(f"{student.path}?pick=e1")
    assert student.seen["phone"].status.endswith("Until then your answer is a1-a5.")
