"""Who may do what: every form and every route, sent by those whose it is not, changes nothing.

A new route is among them as soon as it is; where it names something new, `World` has to have one.
"""

import logging
import re
from collections import Counter

import pytest

from agents.runs import train_slice
from benchmarks.guard.page import Page
from tests.webapp.api.script import Script
from tests.webapp.assignments import people as assignments
from tests.webapp.bots.program import Program, owner
from tests.webapp.classroom.people import Student, Teacher
from tests.webapp.jobs.working import worked_off
from tests.webapp.lab.test_brains import sends
from tests.webapp.visitor import OWN_PAGE, Visitor
from webapp.bots.referee import Referee
from webapp.jobs.store import JobStore
from webapp.services import NAME
from webapp.storage.tables.base import Model

pytestmark = [pytest.mark.stores, pytest.mark.slow]
log = logging.getLogger(__name__)

WRONG = "wrong-secret"
EVERYONES = {"puzzle_scores"}  # tables: how visitors fare with a puzzle, all of them together
# What whoever asks leaves behind by asking, wherever it is.
PRESENCE = {"seen", "first_seen", "second_seen"}  # columns
ARENA = {"game": "tictactoe", "machine": ["random", "perfect"], "games": "2", "seed": "3"}
TRAINING = {"game": "tictactoe", "learner": "menace", "menace.opponent": "random", "length": "20"}
# Fields that forms have, for routes of which no page has a form.
FIELDS = {
    "move": "a1",
    "revision": "0",
    "ply": "0",
    "do": "reveal",
    "round": "1",
    "vote": "1",
    "name": "Mallory",
    "text": "x",
    "machine": "random",
    "spec": "random",
    "answer": "b1",
    "game": "tictactoe",
    "opponent": "random",
    "title": "x",
    "code": WRONG,
    "seat": "x",
}
REFUSED = {401, 403, 404, 409}
# Routes that nobody reads but whose they are.
PRIVATE = {
    "/api/1/bots/<bot_id>/games",
    "/class/<class_id>",
    "/class/<class_id>.csv",
    "/class/<class_id>/key/<key>",
    "/assignments/<assignment_id>",
    "/assignments/<assignment_id>.csv",
    "/assignments/<assignment_id>/links.csv",
    "/assignments/<assignment_id>/key/<key>",
    "/assignments/<assignment_id>/screen",
    "/assignments/<assignment_id>/students/<int:seat>",
    "/owner/<key>",
}


class World:
    """One of everything, each of someone; `values` are the ids by the names they have in routes."""

    def __init__(self, app, tmp_path):
        self.app, self.services = app, app.extensions[NAME]
        self.services[Referee].close()  # changes rows by itself
        self.ada = Visitor(app)  # whose all is, but the class and the league
        self.ada.begins(opponent="random")
        match = self.ada.path
        self.ada.begins(opponent="friend")
        shared = self.ada.path
        self.invitation = re.search(r"/invitations/([\w-]+)", self.ada.get(shared).text)[1]
        self.friend = Visitor(app)
        brain = train_slice("tictactoe", "menace", 7, None, until=20, seconds=60).brain
        brain_page = sends(self.ada, brain, "mine").location
        arena, training = (
            self.ada.post(path, form).location
            for path, form in (("/arena", ARENA), ("/train", TRAINING))
        )
        worked_off(self.services[JobStore])
        waiting = self.ada.post("/train", TRAINING).location
        self.script = Script(app, self.ada)
        self.teacher = Teacher(app)
        self.student = Student(app, self.teacher.code)
        self.teacher.asks()
        self.student.says("b1")
        self.bot = Program(app, "Ada's")
        self.bot.practises(opponent="random")
        self.claim = re.search(r"/claim/([\w-]+)", str(self.bot.joined))[1]
        self.chief = owner(app)
        league = self.chief.post("/leagues", {"title": "Spring", "game": "tictactoe"}).location
        token = re.search(r"/matches/tokens/([\w-]+)/revoke", self.ada.get("/matches").text)[1]
        key = re.search(r"/key/([\w-]+)", self.teacher.get(self.teacher.path).text)[1]
        puzzle = self.ada.get("/puzzles/today").location.partition("?")[0]
        self.ada.post(f"{puzzle}/hint")
        self.setter = assignments.Teacher(app)
        self.pupil = assignments.Student(app, self.setter.code)
        self.pupil.says("c3")
        task = self.pupil.path
        self.values = {
            "assignment_id": [self.setter.assignment_id],
            "task": ["1"],
            "seat": ["1"],
            "puzzle_id": [last(puzzle)],
            "match_id": [last(match), last(shared), self.bot.turn()["match"]],
            "job_id": [last(arena), last(training), last(waiting)],
            "brain_id": [last(brain_page)],
            "class_id": [self.teacher.class_id],
            "code": [self.teacher.code, self.setter.code],
            "bot_id": [self.bot.id],
            "league_id": [last(league)],
            "token_id": [token],
            "turn_id": [self.bot.turn()["turn"]],
            "number": ["1"],
            "one": ["0"],
            "two": ["1"],
            "entrant": ["0"],
            "secret": [WRONG],
            "key": ["minimax"],  # of a machine, and no key to a class or to the server
            "slug": ["minimax"],
            "kind": ["svg"],
        }
        self.secrets = {
            "the invitation": self.invitation,
            "the claim of a bot": self.claim,
            "the token of a bot": self.bot.token,
            "the token of a person": self.script.token,
            "the key of a class": key,
            "the key of an assignment": self.setter.record.key,
        }
        pages = (match, shared, brain_page, arena, training, waiting, "/matches", "/brains", puzzle)
        self.whose = dict.fromkeys((*pages, "/jobs", "/bots"), self.ada)
        self.whose |= {self.teacher.path: self.teacher, f"/c/{self.teacher.code}": self.student}
        self.whose |= {self.setter.path: self.setter, task: self.pupil, f"{task}/1": self.pupil}
        self.whose |= {league: self.chief, f"/bots/{self.bot.id}": self.chief}

    def paths(self, rule):
        """The addresses of a route, with every id that there is."""
        found = [rule.rule]
        for name in rule.arguments:
            pattern = rf"<(?:\w+(?:\([^)]*\))?:)?{name}>"
            found = [re.sub(pattern, each, path) for path in found for each in self.values[name]]
        return found

    def forms(self):
        """(who may send it, path, fields) of the forms on all these pages, with each button."""
        for path, who in self.whose.items():
            for form in Page(who.get(path).text).forms:
                if form.method == "post" and form.action.startswith("/"):
                    for button in form.buttons or [None]:
                        yield who, form.action, dict(form.fields({}, button))

    def rows(self):
        """Every row by its table and key, without what is noted of whoever asks."""
        database, found = self.services[JobStore].database, {}
        for table in Model.metadata.sorted_tables:
            if table.name in EVERYONES:
                continue
            names = [column.name for column in table.columns]
            with database.read() as cursor:
                cursor.execute(f"select {', '.join(map(quoted, names))} from {table.name}")
                rows = cursor.fetchall()
            for row in rows:
                told = dict(zip(names, row, strict=True))
                key = tuple(told[column.name] for column in table.primary_key)
                shown = {name: value for name, value in told.items() if name not in PRESENCE}
                found[table.name, key] = shown
        return found


def quoted(name):
    return f'"{name}"'


def last(path):
    return path.rpartition("/")[2]


def changed(before, after):
    """Rows that were there and are others now, or gone; new ones are somebody's own."""
    return {key: (row, after.get(key)) for key, row in before.items() if after.get(key) != row}


@pytest.fixture
def world(app, tmp_path, monkeypatch):
    monkeypatch.setenv("ZERMELO_DATA", str(tmp_path / "data"))
    return World(app, tmp_path)


class Others:
    """Those whose nothing of it is: by the name under which they try."""

    def __init__(self, world):
        app = world.app
        self.stranger = Visitor(app)
        self.stranger.begins()  # so that they have a cookie
        self.foreign_teacher = Teacher(app)
        self.nobody = app.test_client(use_cookies=False)
        self.foreign_script, self.foreign_bot = Script(app), Program(app, "Mallory")
        self.student = world.student
        self.told = Counter()

    def posts(self, path, fields):
        """Sent by each of them; statuses by who sent it."""
        return self.told_by(
            {
                "stranger": self.stranger.post(path, fields),
                "teacher": self.foreign_teacher.post(path, fields),
                "nobody": self.nobody.post(path, data=fields, headers=OWN_PAGE),
            }
        )

    def calls(self, method, path, body):
        """A call of the API, with no token and with those of others."""
        tokens = {
            "nobody": "",
            "garbage": "zp_" + "x" * 40,
            "script": self.foreign_script.token,
            "bot": self.foreign_bot.token,
        }
        return self.told_by(
            {
                who: self.nobody.open(
                    path,
                    method=method,
                    headers={"Authorization": f"Bearer {token}"} if token else {},
                    **({"json": body} if method != "GET" else {}),
                )
                for who, token in tokens.items()
            }
        )

    def told_by(self, answers):
        for answer in answers.values():
            self.told[answer.status_code] += 1
            assert answer.status_code < 500 or "Retry-After" in answer.headers
        return answers


def test_what_others_send_changes_nothing_that_was_there(world):
    """Every form that someone's pages offer, and every route that changes something."""
    others, before = Others(world), None
    forms = list(world.forms())
    assert len({action for _, action, _ in forms}) > 30
    before = world.rows()
    for _, path, fields in forms:
        others.posts(path, fields)
        assert changed(before, world.rows()) == {}, (path, fields)
    for rule in world.app.url_map.iter_rules():
        for method in sorted(rule.methods & {"POST", "PUT", "PATCH", "DELETE"}):
            for path in world.paths(rule):
                if path.startswith("/api/"):
                    others.calls(method, path, FIELDS)
                else:
                    others.posts(path, FIELDS)
                assert changed(before, world.rows()) == {}, (method, path)
    log.info("%d requests: %s", others.told.total(), dict(others.told))
    assert others.told[403] + others.told[404] + others.told[401] > others.told.total() / 3


def test_the_same_forms_do_change_things_where_they_are_ones_own(world):
    """Or the test above would show nothing."""
    count = 0
    for who, path, fields in list(world.forms()):
        before = world.rows()
        answer = who.post(path, fields)
        assert answer.status_code < 500
        count += bool(changed(before, world.rows()))
    assert count >= 12


def test_no_address_tells_others_a_secret(world):
    """Every route that is read, by everyone whose it is not; some are refused altogether."""
    others, refused, read = Others(world), set(), set()
    for rule in world.app.url_map.iter_rules():
        if "GET" not in rule.methods or rule.endpoint in ("static", "metrics.show"):
            continue
        for path in world.paths(rule):
            if path.startswith("/api/"):
                answers = others.calls("GET", path, None)
            else:
                answers = others.told_by(
                    {
                        "stranger": others.stranger.get(path),
                        "teacher": others.foreign_teacher.get(path),
                        "nobody": others.nobody.get(path),
                        "student": others.student.get(path),
                    }
                )
            for who, answer in answers.items():
                for name, secret in world.secrets.items():
                    assert secret.encode() not in answer.data, (who, path, name)
                    assert secret not in str(answer.headers), (who, path, name)
                answer.close()
            told = {answer.status_code for answer in answers.values()}
            (refused if told <= REFUSED else read).add(rule.rule)
    log.info("%d requests: %s", others.told.total(), dict(others.told))
    assert refused - read >= PRIVATE
