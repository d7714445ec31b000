"""Texts and numbers that a database does not take: a NUL, a page of twenty digits, a name taken."""

import io
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import quote

import pytest

from tests.webapp.classroom.people import Student, Teacher
from tests.webapp.jobs.working import worked_off
from tests.webapp.serving.process import eventually
from tests.webapp.visitor import OWN_PAGE
from webapp.classroom.models import NotYourClassError
from webapp.classroom.seat_store import SeatStore
from webapp.jobs.store import JobStore
from webapp.services import NAME

NUL = "a\0b"
HUGE = (10**20, -(10**20), 10**400)

FORMS = {
    "/matches": ("game", "opponent", "rival", "starts", "mode", "preset", "nim.heaps"),
    "/matches/import": ("text",),
    "/class": ("ask", "shipped"),
    "{class}/rounds": ("game", "prompt", "truth", "machine", "start", "moves", "choice"),
    "{class}/machine": ("machine",),
    "{class}/answers": ("answer",),
    "{class}/settings": ("do", "address"),
    "{class}/match": ("game", "machine", "seconds"),
    "{class}/cup": ("do", "game", "games"),
    "{class}/lesson": ("do",),
    "{phone}/answer": ("move",),
    "{phone}/name": ("name",),
    "{phone}/machine": ("spec", "machine"),
    "/join": ("code",),
    "/arena": ("game", "machine", "title", "opening", "name"),
    "/train": ("game", "learner", "origin", "length", "name", "title"),
    "/brains/upload": ("name",),
    "/positions": ("game", "opponent", "state", "position"),
    "/optimise/runs": ("problem", "search", "text"),
    "/puzzles/201c6f5e/answer": ("move", "revision", "since", "game"),
    "/puzzles/sprint": ("game",),
    "/assignments": ("title", "about", "due", "names", "tasks", "add"),
    "/a": ("code",),
}
PAGES = (
    *(
        "/?game=",
        "/matches?page=",
        "/jobs?page=",
        "/brains?page=",
        "/train?origin=",
        "/arena?like=",
        "/arena?game=",
    ),
    *("/optimise/set-cover?run=", "/optimise/black-box?run=", "/machines?game=", "/guide?game="),
    *("/matches/", "/jobs/", "/brains/", "/class/", "/c/", "/invitations/", "/optimise/runs/"),
    *(
        "/puzzles?game=nim:",
        "/puzzles?theme=",
        "/puzzles?after=",
        "/puzzles/",
        "/assignments/",
        "/a/",
    ),
    *("{class}?known=", "{class}/key/", "{phone}?pick=", "{phone}/now?known=", "/class/ask?game="),
)


@pytest.fixture
def services(app, own_data):
    return app.extensions[NAME]


@pytest.fixture
def places(app):
    teacher = Teacher(app)
    student = Student(app, teacher.code)
    teacher.does("names", action="settings")
    teacher.asks()
    return teacher, student


def at(path, places):
    """(whose page it is, its address)."""
    teacher, student = places
    told = path.replace("{class}", teacher.path).replace("{phone}", student.path)
    return (student if "{phone}" in path else teacher), told


@pytest.mark.stores
@pytest.mark.usefixtures("services")
def test_a_form_a_file_or_an_address_with_a_nul_in_it_leads_to_no_error_of_ours(places):
    for path, names in FORMS.items():
        for name in names:
            who, where = at(path, places)
            fields = {"round": 1, "vote": 1, "do": "open", "seat": "x", name: NUL}
            answer = who.post(where, fields)
            assert answer.status_code in (400, 404, 422), (path, name, answer.text)
    lesson = "# A lesson\n\n## Ask\n\nWhat \0 is it?\n"
    for where, name, text in (("/class", "lesson", lesson), ("/matches/import", "file", "game \0")):
        fields = {name: (io.BytesIO(text.encode()), "sent.txt")}
        answer = places[0].client.post(where, data=fields, headers=OWN_PAGE)
        assert answer.status_code in (400, 422), (where, answer.text)
    for path in PAGES:
        who, where = at(path, places)
        answer = who.get(f"{where}{quote(NUL)}")
        assert answer.status_code < 500, (path, answer.text)


@pytest.mark.stores
def test_an_address_with_a_huge_number_in_it_leads_to_no_error_of_ours(places, services):
    looks = ("at", "upto", "place", "step", "ply", "page", "known", "number", "round")
    teacher, _ = places
    job = trained(teacher, services)
    for path in ("/", "/jobs", "/brains", "/matches", job, f"{job}.json", "/optimise/set-cover"):
        for name in looks:
            for number in HUGE:
                answer = teacher.get(f"{path}?{name}={number}")
                assert answer.status_code < 500, (path, name, number, answer.text)
    for action, name in (("play", "step"), ("keep", "run")):
        for number in HUGE:
            answer = teacher.post(f"{job}/{action}", {name: number})
            assert answer.status_code < 500, (action, number, answer.text)


def trained(visitor, services):
    fields = {"game": "tictactoe", "learner": "menace", "menace.opponent": "random"}
    begun = visitor.post("/train", fields | {"length": "20"})
    assert begun.status_code == 303, begun.text
    worked_off(services[JobStore])
    return begun.location


@pytest.mark.soak
@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
def test_of_two_students_who_choose_one_name_one_is_told_in_postgresql(places, services):
    """Both are on their way before either has it: held up by the row of their class."""
    teacher, student = places
    Student(student.client.application, teacher.code)
    store = services[SeatStore]
    class_id = teacher.path.rpartition("/")[2]

    def chooses(number):
        try:
            store.rename(class_id, number, "Otter the Great")
        except NotYourClassError:
            return "told"
        return "named"

    def two_wait():
        with store.database.read() as cursor:
            cursor.execute("select count(*) from pg_stat_activity where wait_event_type = 'Lock'")
            return cursor.fetchone()[0] == 2

    with ThreadPoolExecutor(2) as both:
        with store.database.write() as cursor:
            cursor.execute(f"select id from classes where id = '{class_id}' for update")
            chosen = [both.submit(chooses, number) for number in (1, 2)]
            eventually(two_wait)
        assert sorted(each.result() for each in chosen) == ["named", "told"]
