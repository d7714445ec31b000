"""`zermelo visitors`: what each holds, and its end."""

import pytest

from agents.runs import train_slice
from tests.webapp.classroom.people import Teacher
from tests.webapp.commands.command_line import assert_one_line, document, zermelo
from tests.webapp.jobs.working import a_training
from tests.webapp.visitor import Visitor
from webapp.jobs.kinds.training import describe_brain
from webapp.jobs.store import JobStore
from webapp.services import NAME
from webapp.web.access_log import visitor_id
from webapp.web.owner import owner_key


@pytest.fixture
def holder(app, config, monkeypatch):
    """A teacher with one of everything but bots."""
    monkeypatch.setenv("ZERMELO_DATABASE_URL", config.database_url)
    teacher = Teacher(app)
    teacher.get(f"/owner/{owner_key(app.secret_key)}")
    teacher.post("/leagues", {"title": "Spring", "game": "tictactoe"})
    teacher.post("/assignments", {"title": "For Monday", "tasks": "## Nim\nlesson: nim\n"})
    teacher.post(f"{teacher.get('/puzzles/today').location.partition('?')[0]}/show")
    teacher.post("/matches/tokens", {"name": "script"})
    teacher.begins("nim", "person")
    teacher.begins("tictactoe", "person")
    player = teacher.match.record.owner
    store = app.extensions[NAME][JobStore]
    store.begin(a_training(owner=player))
    brain = train_slice("tictactoe", "menace", 7, None, until=5, seconds=60).brain
    store.brains.keep(player, describe_brain(brain), brain)
    return teacher, visitor_id(player), len(brain)


def test_everyone_is_listed_by_what_they_hold_and_one_can_be_ended(app, holder):
    teacher, name, size = holder
    other = Visitor(app)
    other.begins("nim", "person")
    most, least = document("visitors")
    assert most == {
        "player": name,
        "matches": 2,
        "unfinished": 2,
        "jobs": 1,
        "active_jobs": 1,
        "brain_bytes": size,
        "classes": 1,
        "assignments": 1,
        "puzzles": 1,
        "bots": 0,
        "leagues": 1,
        "tokens": 1,
    }
    assert (least["matches"], least["jobs"]) == (1, 0)
    assert name in zermelo("visitors", name[:6]).stdout
    assert zermelo("visitors", name, "--end", typed="n\n").exit_code != 0
    assert len(document("visitors")) == 2
    assert zermelo("visitors", name, "--end", "--yes").exit_code == 0
    assert [each["player"] for each in document("visitors")] == [least["player"]]
    assert teacher.get(teacher.path).status_code == 404
    assert other.get(other.path).status_code == 200


def test_a_visitor_who_is_nobody_is_one_line(holder):
    assert_one_line(zermelo("visitors", "zzz"), "names no visitor")
    assert_one_line(zermelo("visitors", "--end"), "needs a visitor")
