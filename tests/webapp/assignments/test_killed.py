"""The server is killed while students answer, repeatedly: no answer is lost or doubled."""

import re
import sqlite3
from contextlib import closing
from http.client import HTTPException
from threading import Event, Thread

import pytest

from tests.soak import lessened
from tests.webapp.assignments.people import TASKS
from tests.webapp.serving.process import Browser

pytestmark = pytest.mark.soak

STUDENTS = 4
KILLS = lessened(12, 3)
WRONG = ("a1", "b1", "a3")  # in the first puzzle: all free, none right


class Phone(Thread):
    """Tries one wrong move after another, and counts what was acknowledged."""

    def __init__(self, port, student):
        super().__init__()
        self.student, self.answered = student, Event()
        student.browser.port = port

    def run(self):
        try:
            while self.student.acknowledged < 40:
                self.student.answer()
                self.answered.set()
        except (OSError, HTTPException):
            return


class Student:
    """A phone that keeps its cookie across restarts."""

    def __init__(self, port, code):
        self.browser, self.path, self.acknowledged = Browser(port), f"/a/{code}", 0
        answer, _ = self.browser.request("POST", f"{self.path}/join", {"begin": 1})
        assert answer.status == 303

    def answer(self):
        """Send the next try; one that was stored before a kill is acknowledged when resent."""
        number = self.acknowledged + 1
        fields = {"part": 1, "number": number, "move": WRONG[number % len(WRONG)]}
        answer, text = self.browser.request("POST", f"{self.path}/1/answer", fields)
        assert answer.status in (303, 429, 503), text
        if answer.status == 303:
            self.acknowledged = number


def test_answers_survive_sigkill(serve, tmp_path):
    server = serve(tmp_path)
    teacher = Browser(server.port)
    made, _ = teacher.request("POST", "/assignments", {"title": "For Monday", "tasks": TASKS})
    page = teacher.request("GET", made.headers["Location"])[1]
    code = re.search(r'id="code" class="code">(\w{5})<', page)[1]
    students = [Student(server.port, code) for _ in range(STUDENTS)]
    for _ in range(KILLS):
        phones = [Phone(server.port, student) for student in students]
        for phone in phones:
            phone.start()
        for phone in phones:
            assert phone.answered.wait(60) or phone.student.acknowledged >= 40
        server.kill()
        for phone in phones:
            phone.join(60)
        with closing(sqlite3.connect(tmp_path / "zermelo.sqlite")) as database:
            assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            found = database.execute("select seat, count(*) from assignment_tries group by seat")
            kept = dict(found.fetchall())
        for seat, student in enumerate(students, start=1):
            # All that was acknowledged, and at most the one in flight when the server died.
            assert kept[seat] in (student.acknowledged, student.acknowledged + 1)
        server = serve(tmp_path)
    assert server.stop() == 0
