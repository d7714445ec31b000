"""A class in every phase, as its teacher, the screen, phones and strangers see it."""

from __future__ import annotations

import re

from benchmarks.guard import adapter
from benchmarks.guard.fixed import at_once, pass_seconds
from benchmarks.guard.people import People, begin, vote
from benchmarks.guard.record import Section
from benchmarks.guard.sections.teaching import ASKED

SMALL = "nim:heaps=1-2"
ANSWERS = (("a1", "b1", "b2"), ("b3", "c1", "b1"), ("c3", "a3"), ("a1-a3",), ("x wins", "a draw"))
ANSWERS += (("few", "many"), ("d7", "a1"), ("over 60",), ("under 0.5", "over 0.5"))


def tour(section: Section) -> None:
    for htmx in (False, True):
        section.start(jobs_each=100, listens="0.0.0.0")  # as if phones could reach it
        people = begin(section, htmx=htmx)
        rounds(people)
        settings(people)
        own_questions(people)
        match(people)
        cup(people, adapter.Jobs(section.app))
        ends(people)


def rounds(people: People) -> None:
    """Votes on a move and on a choice, twice voted, revealed; what is refused meanwhile."""
    teacher, path = people.teacher, people.path
    for query, answers in zip(ASKED, ANSWERS, strict=True):
        page = teacher.get(f"/class/ask?{query}")
        if not page.has_form("/rounds"):
            continue
        with at_once():
            teacher.does("/rounds")
            people.look()
            people.answer(*answers)
            people.phones[0].post(f"/c/{people.code}/answer", {"round": 1, "vote": 1, "move": "z"})
            people.look()
            people.step("do-close")
            people.look()
            if teacher.last and teacher.last.has_form("do-talk"):
                people.step("do-talk")
                people.look()
                people.step("do-again")
                people.answer(*reversed(answers))
                people.step("do-close")
            people.step("do-reveal")
            people.look()
            if teacher.last and teacher.last.has_form("ask-another"):
                for machine in ("perfect", "random", "none"):
                    teacher.get(path)
                    teacher.does("ask-another", machine=machine)
                people.look()
    for fields in (
        {"do": "none", "round": 1, "vote": 1},
        {"do": "close"},
        {"do": "close", "round": 1, "vote": 1},
    ):
        teacher.post(f"{path}/phase", fields)
    for action in ("rounds", "phase", "machine", "settings", "seats", "answers", "match", "play"):
        people.stranger.post(f"{path}/{action}", {"game": SMALL})
    for action in ("answer", "name", "machine"):
        people.stranger.post(f"/c/{people.code}/{action}", {"move": "a1"})


def own_questions(people: People) -> None:
    """With words and answers of the teacher's own, counted down, and played on from."""
    teacher = people.teacher
    for changes in (
        {"kind": "winner", "seconds": "30"},
        {"kind": "choices", "choices": "yes\nno", "prompt": "Is it?"},
        {"kind": "move", "machine": "minimax", "prompt": "Which?"},
        {"kind": "choices", "choices": "one"},
        {"kind": "none"},
        {"seconds": "1"},
        {"prompt": "x" * 300},
    ):
        teacher.get(f"/class/ask?{ASKED[1]}")
        teacher.does("/rounds", **changes)
        people.look()
        pass_seconds(40 if "seconds" in changes else 1)
        people.look()
        if teacher.last and teacher.last.has_form("do-close"):
            people.step("do-close")
    teacher.get(f"/class/ask?{ASKED[1]}")
    teacher.does("/rounds")
    people.answer("b3", "b3")
    people.step("do-close", "play-best")
    people.look()


def settings(people: People) -> None:
    """Names, hidden answers, who is sent out, another device, the files."""
    teacher, path, phone = people.teacher, people.path, people.phones[0]
    phone.post(f"/c/{people.code}/name", {"name": "Ada"})
    for each in ("names", "hide-1", "seat-2", "keep"):
        people.step(each)
        people.look()
    for name in ("Ada", "", "x" * 50):
        phone.post(f"/c/{people.code}/name", {"name": name})
    people.look()
    people.step("seat-2")
    teacher.get(path)
    if teacher.last and teacher.last.has_form("use-address"):
        teacher.does("use-address")
    teacher.post(f"{path}/settings", {"do": "address", "address": "elsewhere"})
    key = re.findall(rf"{path}/key/[\w-]+", teacher.last.text if teacher.last else "")[0]
    second = people.stranger
    for link in (key, f"{path}/key/none"):
        second.get(link)
    teacher.get(key)
    device = teacher.section.browser("device", htmx=teacher.htmx)
    device.get(key)
    device.does("take-control")
    for ending in (".csv", "/report"):
        teacher.get(path + ending)
        people.stranger.get(path + ending)
    pass_seconds(30)
    people.look()


def match(people: People) -> None:
    """The class against a machine, by votes, to its end; counted down, and by the clock."""
    teacher, path = people.teacher, people.path
    for game, machine, seat, seconds in (
        ("tictactoe", "random", "x", ""),
        ("nim:heaps=1-2", "perfect", "o", "10"),
    ):
        teacher.get(path)
        teacher.does("begin-match", game=game, machine=machine, seat=seat, seconds=seconds)
        for _ in range(5):
            people.look()
            if teacher.last and teacher.last.has_form("/reply"):
                teacher.does("/reply")
            if not teacher.get(path).has_form("do-close"):
                break
            for phone in people.phones[:2]:
                vote(phone, people.code)
            if seconds:
                pass_seconds(11)
                people.look()
                teacher.follow(teacher.post(f"{path}/on"))
            else:
                people.step("do-close")
            people.look()
            if teacher.last and teacher.last.has_form("play-favourite"):
                teacher.does("play-favourite")
        people.look()
    for fields in (
        {"game": "chess"},
        {"game": "nim", "machine": "menace"},
        {"game": "nim", "seconds": "x"},
    ):
        teacher.post(f"{path}/match", fields)
    for action in ("play", "reply", "on", "lesson", "cup"):
        teacher.post(f"{path}/{action}", {"move": "z9", "do": "none", "game": "chess"})


def cup(people: People, jobs: adapter.Jobs) -> None:
    """Everyone enters a machine; they play."""
    teacher, path = people.teacher, people.path
    teacher.get(path)
    teacher.does("start-cup", game="tictactoe", games="2")
    people.look()
    for phone, machine in zip(people.phones, ("perfect", "random", "menace"), strict=True):
        phone.get(f"/c/{people.code}")
        phone.does("enter", machine=machine)
    people.phones[0].post(f"/c/{people.code}/machine", {"spec": "chess"})
    people.phones[1].post(f"/c/{people.code}/machine", {"spec": "minimax:depth=1"})
    people.look()
    people.step("begin-cup")
    people.look()
    jobs.work(2)
    people.look()
    jobs.work()
    people.look()
    teacher.tour(teacher.get(path), r"^/jobs/", most=2)


def ends(people: People) -> None:
    people.teacher.get(f"{people.path}/report")
    people.step("end")
    people.look()
    people.phones[0].get(f"/c/{people.code}/now")
    people.phones[0].post(f"/c/{people.code}/answer", {"round": 1, "vote": 1, "move": "a1"})
    people.teacher.get("/class")
    people.teacher.get(f"{people.path}.csv")
