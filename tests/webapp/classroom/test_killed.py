"""The server is killed during a vote, repeatedly: no answer is lost or doubled."""

import re
import sqlite3
from contextlib import closing
from http.client import HTTPException
from threading import Event, Thread
from time import sleep

import pytest

from tests.soak import lessened
from tests.webapp.serving.process import Browser

pytestmark = pytest.mark.soak

PHONES = 6
KILLS = lessened(30, 5)
MOVES = [
    f"{row}{count}"
    for row, most in zip("abcd", (1, 3, 5, 7), strict=True)
    for count in range(1, most + 1)
]


class Phone(Thread):
    """Changes its answer as long as the server lives, and records what was acknowledged."""

    def __init__(self, port, student):
        super().__init__()
        self.student = student
        self.student.browser.port = port
        self.answered = Event()

    def run(self):
        try:
            while True:
                self.student.answer()
                self.answered.set()
        except (OSError, HTTPException):
            return


class Student:
    """A phone that keeps its cookie and its page across restarts."""

    def __init__(self, port, code, number):
        self.browser, self.code, self.at = Browser(port), code, number
        self.sent = self.acknowledged = None
        answer, _ = self.browser.request("POST", f"/c/{code}/join", {"join": 1})
        assert answer.status == 303

    def answer(self):
        """Send another answer, retrying while the server is busy and stores nothing."""
        self.at += 1
        while True:
            self.sent = MOVES[self.at % len(MOVES)]
            fields = {"round": 1, "vote": 1, "move": self.sent}
            answer, text = self.browser.request("POST", f"/c/{self.code}/answer", fields)
            if answer.status == 303:
                self.acknowledged = self.sent
                return
            assert answer.status in (429, 503), text
            self.sent = self.acknowledged
            sleep(float(answer.headers["Retry-After"]))


def answers_in(place):
    with closing(sqlite3.connect(place / "zermelo.sqlite")) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        return dict(database.execute("select seat, answer from class_answers").fetchall())


def test_a_vote_survives_sigkill(serve, tmp_path):
    server = serve(tmp_path)
    teacher = Browser(server.port)
    begun, _ = teacher.request("POST", "/class", {"begin": 1})
    path = begun.headers["Location"]
    code = re.search(r'<span class="code">(\w{4})</span>', teacher.request("GET", path)[1])[1]
    teacher.request("POST", f"{path}/rounds", {"game": "nim:preset=marienbad"})
    students = [Student(server.port, code, number) for number in range(PHONES)]
    for _ in range(KILLS):
        phones = [Phone(server.port, student) for student in students]
        for phone in phones:
            phone.start()
        for phone in phones:
            assert phone.answered.wait(60)
        server.kill()
        for phone in phones:
            phone.join(60)
        kept = answers_in(tmp_path)
        assert len(kept) == PHONES
        # The last acknowledged answer, or the one in flight when the server died.
        assert all(
            kept[seat] in (student.acknowledged, student.sent)
            for seat, student in enumerate(students, start=1)
        )
        server = serve(tmp_path)
    teacher.port = server.port
    for student in students:
        student.browser.port = server.port
        student.answer()
    teacher.request("POST", f"{path}/phase", {"do": "close", "round": 1, "vote": 1})
    rows = teacher.request("GET", f"{path}.csv")[1].splitlines()[1:]
    assert sorted(row.split(",")[3] for row in rows) == sorted(
        student.acknowledged for student in students
    )
    assert server.stop() == 0
