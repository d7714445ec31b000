"""A teacher, students with phones and a stranger, around one class."""

from __future__ import annotations

import re
from dataclasses import dataclass

from benchmarks.guard.record import Browser, Section

CODE = re.compile(r"^h1: ([A-Z]{4})$", re.MULTILINE)


@dataclass
class People:
    """Everyone in and around one class."""

    teacher: Browser
    phones: list[Browser]
    stranger: Browser
    path: str
    code: str

    def look(self) -> None:
        """The same moment, from every side."""
        self.teacher.get(self.path)
        self.teacher.get(f"{self.path}/screen")
        self.stranger.get(f"{self.path}/screen")
        self.stranger.get(f"{self.path}/report")
        for phone in (*self.phones[:2], self.stranger):
            phone.get(f"/c/{self.code}")
        self.phones[0].get(f"/c/{self.code}/now?known=0")
        self.teacher.get(self.path)

    def answer(self, *answers: str) -> None:
        for phone, answer in zip(self.phones, answers, strict=False):
            page = phone.get(f"/c/{self.code}")
            form = page.form("/answer")
            hidden = [(each.name, each.value) for each in form.controls if each.kind == "hidden"]
            phone.follow(phone.post(form.action, [*hidden, ("move", answer)]))

    def step(self, *ids: str) -> None:
        """Presses of the teacher, one after the other."""
        for each in ids:
            self.teacher.get(self.path)
            self.teacher.does(each)


def begin(section: Section, *, htmx: bool = False, **fields: str) -> People:
    """A class that some have joined, by code and by link."""
    teacher, stranger = (
        section.browser("teacher", htmx=htmx),
        section.browser("stranger", htmx=htmx),
    )
    teacher.get("/class")
    page = teacher.follow(teacher.post("/class", fields))
    path, code = page.path, CODE.findall("\n".join(page.lines))[0]
    phones = [section.browser(f"phone{number}", htmx=htmx) for number in (1, 2, 3)]
    people = People(teacher, phones, stranger, path, code)
    teacher.get(f"{path}/screen")
    for number, phone in enumerate(phones):
        phone.get("/join" if number else f"/c/{code}")
        phone.does("join", **({"code": code.lower()} if number else {}))
    people.look()
    return people


def vote(phone: Browser, code: str) -> None:
    """The first button of the board that is a move."""
    page = phone.get(f"/c/{code}")
    form = page.form("/answer")
    moves = [button for button in form.buttons if button.name == "move"]
    picks = [button for button in form.buttons if button.name == "pick"]
    if moves:
        phone.follow(phone.submit(form, moves[0]))
    elif picks:
        looked = phone.submit(form, picks[0])
        again = looked.form("/answer")
        hidden = [(each.name, each.value) for each in again.controls if each.kind == "hidden"]
        phone.follow(phone.post(again.action, [*hidden, ("move", picks[0].value)]))
