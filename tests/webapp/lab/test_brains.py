"""Brains: stored under names, shared by address, uploads never trusted."""

import io
import json
import pickle
import re
import zipfile
from dataclasses import replace
from html import unescape
from time import time

import numpy as np
import pytest

from agents.export import export_source
from agents.runs import train_slice
from agents.training.brain_files import brain_path, by_digest, save
from agents.training.brains import HEADER, from_bytes, to_bytes
from engine import load_game
from tests.webapp.classroom.people import Student, Teacher
from tests.webapp.jobs.working import worked_off
from tests.webapp.lab.trainings import trained
from tests.webapp.visitor import OWN_PAGE, AtOnce, Never, Visitor, filled_in, use_pool
from webapp.jobs.brain_store import BrainStore
from webapp.jobs.kinds.training import describe_brain
from webapp.jobs.store import JobStore
from webapp.lab.brains.page import BrainPage
from webapp.lab.brains.uploads import KEPT_S, Uploads
from webapp.services import NAME

ALL_MACHINES = "/?game=tictactoe&choose=1"  # *Choose a machine…* of the lobby


def sends(visitor, data, name=""):
    fields = {"file": (io.BytesIO(data), "brain.npz"), "name": name}
    return visitor.client.post(
        "/brains/upload", data=fields, headers=OWN_PAGE, content_type="multipart/form-data"
    )


def repacked(data, header=None, **arrays):
    """The brain's file with other parts: `header` changes it, arrays are bytes or arrays."""
    with zipfile.ZipFile(io.BytesIO(data)) as old:
        parts = {name: old.read(name) for name in old.namelist()}
    if header is not None:
        parts[HEADER] = json.dumps(json.loads(parts[HEADER]) | header).encode()
    for name, array in arrays.items():
        packed = array
        if not isinstance(array, bytes):
            file = io.BytesIO()
            np.save(file, array, allow_pickle=True)
            packed = file.getvalue()
        parts[f"{name}.npy"] = packed
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as new:
        for name, part in parts.items():
            new.writestr(name, part)
    return made.getvalue()


def test_a_brain_of_the_command_line_is_offered_to_everyone_and_stays_what_it_was(
    visitor, services, brain
):
    save(from_bytes(brain), brain_path("mine"))
    spec = f"menace:brain={from_bytes(brain).digest}"
    assert "Brain of this machine: mine" in visitor.get(ALL_MACHINES).text
    arena = visitor.get("/arena?game=tictactoe").text
    assert "Brains of this machine" in arena
    assert f'value="{spec}"' in arena
    entered = visitor.post("/arena", {"game": "tictactoe", "machine": [spec, "random"]})
    assert entered.status_code == 303, entered.text
    further = train_slice("tictactoe", "menace:opponent=random", 7, brain, until=80, seconds=60)
    save(from_bytes(further.brain), brain_path("mine"))
    assert from_bytes(services[BrainStore].data(from_bytes(brain).digest)).steps == 40
    worked_off(services[JobStore])
    assert visitor.client.get(f"{entered.location}.json").json["state"] == "done"


def with_first_array(data, change):
    """The brain's file with its first array changed."""
    name, array = next(iter(from_bytes(data).arrays.items()))
    return repacked(data, **{name: change(array)})


POISON = {
    "empty": lambda data: b"",
    "no zip": lambda data: b"brains, brains",
    "truncated": lambda data: data[: len(data) // 2],
    "newer": lambda data: repacked(data, {"version": 99}),
    "another game": lambda data: repacked(data, {"game": "nim"}),
    "no game": lambda data: repacked(data, {"game": "chess"}),
    "another agent": lambda data: repacked(data, {"agent": "qlearning"}),
    "no learner": lambda data: repacked(data, {"agent": "random"}),
    "no steps": lambda data: repacked(data, {"steps": -1}),
    "bomb": lambda data: repacked(data, big=np.zeros(20_000_000)),
    "pickled": lambda data: with_first_array(data, lambda _: np.array([{"a": 1}], object)),
    "a pickle": lambda data: with_first_array(data, lambda _: pickle.dumps(print)),
    "NaN": lambda data: with_first_array(data, lambda array: np.full(array.shape, np.nan)),
    "curve with a gap": lambda data: repacked(
        data, {"curve": [{"step": 1, "wins": 0.5}, {"step": 2, "draws": 0.5}]}
    ),
    "wrong shape": lambda data: with_first_array(data, lambda _: np.zeros(3)),
}


@pytest.mark.parametrize("poison", POISON)
def test_a_poisoned_brain_is_refused_and_nothing_is_kept(visitor, services, brain, poison):
    answer = sends(visitor, POISON[poison](brain))
    assert answer.status_code in (400, 413, 422), answer.text
    with services[BrainStore].database.read() as cursor:
        cursor.execute("select count(*) from brains union all select count(*) from brain_files")
        assert [count for (count,) in cursor.fetchall()] == [0, 0]
    assert not list(by_digest().glob("*.npz"))


def test_a_page_of_a_brain_needs_no_app(brain):
    kept = replace(describe_brain(brain), owner="me")
    mine, theirs = BrainPage(kept, "me"), BrainPage(kept, None)
    assert (mine.is_own, theirs.is_own) == (True, False)
    assert (mine.learner, mine.game, mine.after) == ("MENACE", "Tic-tac-toe: 3 × 3", "40 games")
    last = from_bytes(brain).curve[-1].metrics
    assert mine.figure.startswith(f"won {100 * last['wins']:.1f} %, drawn")
    assert mine.figure.endswith(" % against Perfect")
    assert mine.chart.title == "Against Perfect, over both seats"
    assert mine.chart.columns == ("games", "won", "drawn", "lost")
    assert "Opponent random" in mine.settings


def test_a_brains_page_opens_its_own_head_not_the_shipped_ones(visitor, services, brain):
    where = sends(visitor, brain).location
    head = re.search(r'id="its-head" class="btn" href="([^"]+)"', visitor.get(where).text)
    page = visitor.get(unescape(head[1]))
    assert page.status_code == 200
    digest = from_bytes(brain).digest
    assert visitor.seen["machine"].shown.agent == f"menace:brain={digest}"


def test_a_brain_goes_out_and_comes_back_the_same(visitor, stranger, services, brain):
    answer = sends(visitor, brain, "My <b>boxes</b>")
    assert answer.status_code == 303, answer.text
    page = visitor.get(answer.location).text
    assert "My &lt;b&gt;boxes" in page
    assert stranger.get(f"{answer.location}/download").data == brain
    assert from_bytes(to_bytes(from_bytes(brain))).digest == from_bytes(brain).digest


def test_a_brain_is_had_as_a_python_file_that_plays_as_it_does(visitor, stranger, services, brain):
    where = sends(visitor, brain, "my boxes").location
    assert f'href="{where}/source"' in stranger.get(where).text
    answer = stranger.get(f"{where}/source")
    assert answer.headers["Content-Disposition"] == 'attachment; filename="my-boxes.py"'
    kept = from_bytes(brain)
    assert answer.text == export_source(f"{kept.agent}:brain={kept.digest}", load_game(kept.game))


def test_only_its_owner_changes_a_brain_and_others_play_it(visitor, stranger, services, brain):
    where = sends(visitor, brain, "boxes").location
    for action in ("rename", "delete"):
        assert stranger.post(f"{where}/{action}", {"name": "mine"}).status_code == 403
    match = stranger.post(f"{where}/play")
    assert match.status_code == 303
    assert visitor.post(f"{where}/rename", {"name": "my boxes"}).status_code == 303
    assert "my boxes" in visitor.get("/brains").text
    assert visitor.post(f"{where}/rename", {"name": " "}).status_code == 422
    copy = stranger.post(f"{where}/take").location
    assert copy != where
    assert "my boxes" in stranger.get("/brains").text


def test_bytes_stay_as_long_as_a_match_refers_to_them(visitor, services, brain):
    digest = from_bytes(brain).digest
    where = sends(visitor, brain).location
    match = visitor.post(f"{where}/play").location
    visitor.post(f"{where}/delete")
    assert visitor.get(where).status_code == 404
    assert services[BrainStore].data(digest) == brain
    assert visitor.get(match).status_code == 200
    again = sends(visitor, brain).location
    with services[BrainStore].database.write() as cursor:
        cursor.execute("delete from matches")
    visitor.post(f"{again}/delete")
    assert services[BrainStore].data(digest) is None


@pytest.mark.parametrize("table", ["class_seats", "class_rounds"])
def test_bytes_stay_as_long_as_a_class_refers_to_them(app, services, brain, table):
    """In its cup, or as the machine whose thoughts a question shows."""
    digest = from_bytes(brain).digest
    spec = f"menace:brain={digest}"
    teacher = Teacher(app)
    student = Student(app, teacher.code)
    where = sends(student, brain).location
    mention = {
        "class_seats": lambda: enters_the_cup(teacher, student, spec),
        "class_rounds": lambda: teacher.asks("tictactoe", machine=spec),
    }
    mention[table]()
    student.post(f"{where}/delete")
    assert student.get(where).status_code == 404
    assert services[BrainStore].data(digest) == brain
    again = sends(student, brain).location
    with services[BrainStore].database.write() as cursor:
        cursor.execute(f"update {table} set machine = null")
    student.post(f"{again}/delete")
    assert services[BrainStore].data(digest) is None


def test_bytes_stay_as_long_as_an_assignment_refers_to_them(visitor, services, brain):
    digest = from_bytes(brain).digest
    where = sends(visitor, brain).location
    tasks = f"## Beat it\nbeat: tictactoe menace:brain={digest}\n"
    made = visitor.post("/assignments", {"title": "For Monday", "tasks": tasks})
    visitor.post(f"{where}/delete")
    assert services[BrainStore].data(digest) == brain
    again = sends(visitor, brain).location
    assert visitor.post(f"{made.location}/delete").status_code == 303
    visitor.post(f"{again}/delete")
    assert services[BrainStore].data(digest) is None


def enters_the_cup(teacher, student, spec):
    teacher.post(f"{teacher.path}/cup", {"do": "open", "game": "tictactoe"})
    assert student.post(f"{student.path}/machine", {"spec": spec}).status_code == 303


def test_a_body_that_is_too_large_is_413(visitor, services):
    kind = "multipart/form-data; boundary=x"
    answer = visitor.client.post(
        "/brains/upload", data=b"0" * (9 << 20), headers=OWN_PAGE, content_type=kind
    )
    assert answer.status_code == 413


def test_a_brain_is_an_opponent_to_choose_in_the_lobby(visitor, stranger, services, brain):
    spec = f"menace:brain={from_bytes(brain).digest}"
    sends(visitor, brain, "my boxes")
    assert f'value="{spec}"' in visitor.get(ALL_MACHINES).text
    assert "my boxes" not in stranger.get(ALL_MACHINES).text
    visitor.begins("tictactoe", spec)
    assert visitor.record["players"] == ["person", spec]


FORGED = {
    "unit": "boasts",
    "reference": "perfect",
    "total": 9,
    "curve": [{"step": step, "wins": 1.0} for step in (1, 2)],
}


@pytest.mark.parametrize("here", [True, False], ids=["", "of another machine"])
def test_the_file_behind_a_brain_stays_whoever_sends_another_curve(
    visitor, stranger, services, brain, here
):
    for each in (visitor, stranger):
        each.post("/class/tools", {"show": "1"})
    where = sends(visitor, brain, "boxes").location
    mine, file = visitor.get(where).text, by_digest() / f"{from_bytes(brain).digest}.npz"
    if not here:
        file.unlink()
    forged = sends(stranger, repacked(brain, FORGED), "forged")
    assert forged.status_code == 303, forged.text
    assert file.read_bytes() == visitor.get(f"{where}/download").data == brain
    assert visitor.get(where).text == mine
    theirs = stranger.get(forged.location).text
    assert ("boasts" in theirs, "boasts" in mine) == (True, False)
    assert ("/class/ask" in theirs, "/class/ask" in mine) == (False, True)


def test_what_one_gets_of_ones_brain_is_not_the_curve_of_someone_who_sent_it_before(
    visitor, stranger, services
):
    """Neither as a file, nor where a training goes on from it."""
    known = train_slice("tictactoe", "menace:opponent=random", 5, None, until=100, seconds=60).brain
    sends(stranger, repacked(known, FORGED))
    mine = sends(visitor, known, "boxes").location
    got, sent = from_bytes(visitor.get(f"{mine}/download").data), from_bytes(known)
    assert (got.curve, got.reference, got.unit) == (sent.curve, sent.reference, sent.unit)
    learner = {"game": "tictactoe", "learner": "menace", "menace.opponent": "random"}
    longer = learner | {"length": "50", "origin": mine.rpartition("/")[2]}
    job = visitor.post("/train", longer).location.rpartition("/")[2]
    worked_off(services[JobStore])
    steps = [point.step for point in services[JobStore].points(job)]
    assert steps[: len(sent.curve)] == [point.step for point in sent.curve]


def test_a_brain_that_cannot_be_kept_leaves_the_file_of_another(
    start, tmp_path, monkeypatch, brain
):
    monkeypatch.setenv("ZERMELO_DATA", str(tmp_path / "data"))
    visitor = Visitor(start(jobs_brains_bytes=len(brain) + 1))
    file = by_digest() / f"{from_bytes(brain).digest}.npz"
    assert sends(visitor, brain).status_code == 303
    refused = sends(visitor, brain)  # no room for a second one
    assert refused.status_code == 422
    assert "take more than" in refused.text
    assert file.read_bytes() == brain


def test_a_class_is_not_asked_about_a_training_by_the_curve_of_someone_who_sent_it_before(
    visitor, stranger, services
):
    visitor.post("/class/tools", {"show": "1"})
    learned = {"seed": "5", "length": "100"}
    known = train_slice("tictactoe", "menace:opponent=random", 5, None, until=100, seconds=60).brain
    honest = visitor.get(trained(visitor, services, **learned)).text
    assert "/class/ask" in honest
    with services[BrainStore].database.write() as cursor:
        cursor.execute("delete from brain_files")
    (by_digest() / f"{from_bytes(known).digest}.npz").unlink()
    assert sends(stranger, repacked(known, FORGED)).status_code == 303
    judged = visitor.get(trained(visitor, services, **learned)).text
    assert "/class/ask" not in judged


def test_an_upload_waits_on_no_thread_and_is_kept_once_it_was_tried(start, own_data, brain):
    app = start(Never)
    visitor = Visitor(app)
    answer = sends(visitor, brain, "My boxes")
    assert answer.status_code == 202
    assert answer.headers["Retry-After"] == "1"
    fields = filled_in(answer.text, "/brains/trial")
    assert visitor.post("/brains/trial", fields).status_code == 202
    assert visitor.get("/brains").text.count("My boxes") == 0
    use_pool(app, AtOnce())
    tried = visitor.post("/brains/trial", fields)
    assert tried.status_code == 303
    assert "My boxes" in visitor.get(tried.location).text
    again = visitor.post("/brains/trial", fields)
    assert again.status_code == 404


def test_an_upload_that_nobody_asks_for_goes_with_its_copy(start, own_data, brain):
    app = start(Never)
    assert sends(Visitor(app), brain).status_code == 202
    copy = by_digest() / f"{from_bytes(brain).digest}.npz"
    assert copy.is_file()
    uploads = app.extensions[NAME][Uploads]
    assert uploads.remove_old(50) == 0
    uploads._clock = lambda: time() + KEPT_S + 1
    assert uploads.remove_old(50) == 1
    assert not copy.is_file()


def test_uploads_that_wait_are_bounded(start, own_data, brain, monkeypatch):
    monkeypatch.setattr("webapp.lab.brains.uploads.MAX_UPLOADS", 2)
    app = start(Never)
    answers = [sends(Visitor(app), brain) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [202, 202, 503]
    assert "Retry-After" in answers[2].headers


@pytest.mark.parametrize("token", ["", "x" * 22, "../" * 8, "*" * 22])
def test_a_token_of_no_upload_is_not_found(visitor, token):
    assert visitor.post("/brains/trial", {"token": token}).status_code == 404
