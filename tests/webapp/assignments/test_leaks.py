"""A student sees nobody else's work, and no solution before trying.

Every URL is requested by a student, a newcomer and a stranger; then other students' names, links
and tries, and the teacher's data are overwritten in the database, and the solutions of puzzles and
the right answers of lessons are exchanged; every response has to be the same to the byte.
"""

from dataclasses import replace

import pytest

from agents.puzzles import collection
from tests.webapp.assignments.people import FORK, HOLD, TASKS, Student, Teacher
from tests.webapp.classroom.test_leaks import NAMED, differing_keys, open_rules, responses
from tests.webapp.visitor import Visitor
from webapp.learn import models as lesson_models
from webapp.services import NAME, Clock

REWRITE = (
    "update assignment_tries set answer = 'zz', solved = not solved, seconds = 999 where seat <> 1",
    "update assignment_seats set name = 'Somebody ' || number, key = 'key-' || number,"
    " joined = 5 where number <> 1",
    "update assignments set key = 'another', second = 'somebody'",
    "delete from assignment_tries where seat = 3",
)
OURS = ("assignments.", "homework.")
NAMES = "Ada, Ben, Cleo, Dora"


class Homework:
    """An assignment that three of four students have begun."""

    def __init__(self, app):
        services = app.extensions[NAME]
        at = services[Clock].now()
        services[Clock] = Clock(lambda: at)  # pages hold the time
        self.app, self.teacher = app, Teacher(app, TASKS, names=NAMES)
        self.student, *self.others = (
            Student(app, self.teacher.code, name) for name in ("Ada", "Ben", "Cleo")
        )
        for other in self.others:
            other.says("a1", part=1)
            other.says("c3", part=1)
            other.says("b1", part=2)
            other.plays().does("resign")
            page = other.task(3, 1)
            other.says(page.exercise.question.right, 3, 1)

    @property
    def urls(self):
        """Every GET URL of assignments, with every part of every task."""
        values = NAMED | {"assignment_id": self.teacher.assignment_id, "code": self.teacher.code}
        values["key"] = "no-key"
        paths = []
        for rule in self.app.url_map.iter_rules():
            if "GET" in rule.methods and rule.endpoint.startswith(OURS):
                for task in (1, 2, 3):
                    built = rule.rule
                    for name in rule.arguments:
                        given = {**values, "task": task}[name]
                        built = built.replace(f"<int:{name}>", str(given))
                        built = built.replace(f"<{name}>", str(given))
                    paths.append(built)
                    if "task" in rule.arguments:
                        paths += [f"{built}?part={part}" for part in (1, 2, 3)]
                        paths.append(f"{built}?part=2&pick=b1")
        return list(dict.fromkeys(paths))

    def rewritten(self):
        with self.teacher.store.database.write() as cursor:
            for statement in REWRITE:
                cursor.execute(statement)


@pytest.fixture
def run(app):
    return Homework(app)


def all_responses(run, *visitors):
    paths = run.urls
    return {
        (number, *asked): answer
        for number, visitor in enumerate(visitors)
        for asked, answer in responses(visitor, paths).items()
    }


def test_no_address_tells_a_student_what_others_did(run, stranger):
    newcomer = Visitor(run.app)
    open_rules(run.student, newcomer, stranger)
    run.student.says("a1", part=1)
    before = all_responses(run, run.student, newcomer, stranger)
    assert {status for status, *_ in before.values()} >= {200, 403}
    run.rewritten()
    after = all_responses(run, run.student, newcomer, stranger)
    assert differing_keys(before, after) == []


def test_what_is_compared_does_differ_for_the_teacher(run):
    paths = [run.teacher.path, f"{run.teacher.path}.csv"]
    before = responses(run.teacher, paths)
    run.rewritten()
    assert len(differing_keys(before, responses(run.teacher, paths))) == 4


@pytest.fixture
def exchanged(monkeypatch):
    """Exchange what is right, on demand."""

    def exchange():
        puzzles = dict(collection._shipped_by_id())
        for name in (FORK, HOLD):
            others = tuple(m for m in puzzles[name].answers if m not in puzzles[name].solutions)
            wrong = replace(
                puzzles[name],
                solutions=others[:1],
                refutation=(others[1],),
                answers={m: replace(a, line=("z9",)) for m, a in puzzles[name].answers.items()},
            )
            puzzles[name] = wrong
        monkeypatch.setattr(collection, "_shipped_by_id", lambda: puzzles)
        items = tuple(
            replace(
                item,
                why="Because.",
                hint=item.hint and "Think.",
                right=next(c.text for c in item.question.choices if c.text != item.right),
            )
            for item in lesson_models.lesson_items("nim")
        )
        monkeypatch.setattr("webapp.assignments.rules.lesson_items", lambda slug: items)

    return exchange


def test_no_address_tells_what_is_right_before_it_was_tried(run, exchanged):
    open_rules(run.student)
    before = all_responses(run, run.student)
    exchanged()
    assert differing_keys(before, all_responses(run, run.student)) == []


def test_what_is_compared_does_differ_once_it_was_tried(run, exchanged):
    run.student.says("c3", part=1)
    run.student.says("a1", part=2, status=422)
    path = [f"{run.student.path}/1?part=1"]
    run.student.says("a3", part=2)
    path.append(f"{run.student.path}/1?part=2")
    before = responses(run.student, path)
    exchanged()
    assert (path[1], False) in differing_keys(before, responses(run.student, path))


def test_nobody_answers_for_another(run, stranger):
    kept = dict(run.student.task(part=1).kept) | {"move": "c3", "seat": "2", "name": "Ben"}
    ben = run.teacher.row("Ben")
    assert stranger.post(f"{run.student.path}/1/answer", kept).status_code == 403
    assert stranger.post(f"{run.student.path}/2/play").status_code == 403
    assert stranger.post(f"{run.student.path}/as/no-key").status_code == 404
    assert run.student.post(f"{run.student.path}/1/answer", kept).status_code == 303
    assert run.teacher.row("Ben") == ben
    assert run.teacher.row("Ada")[0].solved == 1


def test_a_student_cannot_play_on_in_the_match_of_another(run):
    ben, cleo = run.others
    game = ben.plays()
    for other in (cleo, run.student):
        assert other.post(f"{game.path}/moves", {"move": "b1", "revision": "0"}).status_code == 403
