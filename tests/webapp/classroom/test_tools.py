"""*Ask the class* and *Projector* are for teachers: while a class is on, or if wished for."""

import pytest

from tests.webapp.classroom.people import Teacher
from tests.webapp.visitor import OWN_PAGE, Visitor

LESSON = "/learn/nim"
POSITION = "/positions?game=nim"
MACHINE = "/machines/menace?game=tictactoe"
BOX = "/optimise/black-box"
# A page, and what of the tools it has.
PAGES = [
    (LESSON, ("/class/ask", 'id="projector"')),
    (POSITION, ("/class/ask", 'id="projector"')),
    (MACHINE, ("/class/ask", 'id="projector"')),
    (BOX, ('id="present"',)),
]


def tools_on(visitor, path):
    """Those that a visitor sees: what is hidden is pressed by a key alone."""
    page = visitor.get(path).text
    found = {tag for tag in ("/class/ask", 'id="projector"', 'id="present"') if tag in page}
    hidden = 'aria-label="Projector" hidden' in page
    return found - ({'id="projector"'} if hidden else set())


@pytest.mark.parametrize(("path", "tools"), PAGES)
def test_a_stranger_sees_no_teachers_tools_until_they_ask_for_them(visitor, path, tools):
    assert tools_on(visitor, path) == set()
    visitor.post("/class/tools", {"show": "1"})
    assert tools_on(visitor, path) == set(tools)
    visitor.post("/class/tools", {"show": ""})
    assert tools_on(visitor, path) == set()


@pytest.mark.parametrize(("path", "tools"), PAGES)
def test_a_teacher_sees_them_while_a_class_is_on_and_nobody_else_does(app, path, tools):
    teacher, stranger = Teacher(app), Visitor(app)
    assert tools_on(teacher, path) == set(tools)
    assert tools_on(stranger, path) == set()
    teacher.posts("settings", do="end")
    teacher.get(teacher.path)
    assert tools_on(teacher, path) == set()


def test_a_wish_outlasts_the_class(app):
    teacher = Teacher(app)
    teacher.post("/class/tools", {"show": "1"})
    teacher.posts("settings", do="end")
    teacher.get(teacher.path)
    assert tools_on(teacher, LESSON) == {"/class/ask", 'id="projector"'}


def test_who_is_on_the_projector_can_leave_it(visitor):
    assert "Leave the projector" in visitor.get(f"{BOX}?present=1").text


@pytest.mark.parametrize(
    ("sent_from", "leads_to"),
    [
        ("http://localhost/learn/nim?mirror=1", "/learn/nim?mirror=1"),
        ("http://localhost/", "/"),
        ("http://localhost//elsewhere.example", "/class"),
        ("http://localhost/\\elsewhere.example", "/class"),
        ("http://elsewhere.example/learn", "/class"),
        ("", "/class"),
    ],
)
def test_the_choice_leads_back_to_our_page_it_was_made_on(visitor, sent_from, leads_to):
    headers = OWN_PAGE | ({"Referer": sent_from} if sent_from else {})
    answer = visitor.post("/class/tools", {"show": "1"}, headers)
    assert (answer.status_code, answer.location) == (303, leads_to)


def test_the_choice_takes_along_what_a_lesson_holds(visitor):
    headers = OWN_PAGE | {"Referer": "http://localhost/learn/nim?mirror=0"}
    fields = {"show": "1", "mirror": "1", "columns": "a2!"}
    answer = visitor.post("/class/tools", fields, headers)
    assert answer.location == "/learn/nim?mirror=1&columns=a2%21"


def test_students_phones_do_not_offer_them(app):
    teacher = Teacher(app)
    assert "teacher-tools" in teacher.get("/").text
    assert "teacher-tools" not in Visitor(app).get("/join").text
    assert "teacher-tools" not in teacher.get(f"{teacher.path}/screen").text
