"""A backup taken under load, restored elsewhere, has all that was acknowledged before it."""

import sqlite3
import tarfile
from contextlib import closing
from threading import Event, Thread

import pytest
from click.testing import CliRunner

from tests.webapp.assignments.people import Student, Teacher
from tests.webapp.visitor import Visitor
from webapp.cli import cli
from webapp.matches.store import MatchStore
from webapp.services import NAME


@pytest.fixture
def run(monkeypatch):
    """Runs a command with another data directory."""

    def run(data, *arguments, database=None):
        monkeypatch.setenv("ZERMELO_DATA", str(data))
        if database is None:
            monkeypatch.delenv("ZERMELO_DATABASE_URL", raising=False)
        else:
            monkeypatch.setenv("ZERMELO_DATABASE_URL", database)
        return CliRunner().invoke(cli, [str(each) for each in arguments])

    return run


def test_what_was_acknowledged_before_is_restored(app, config, run, tmp_path):
    visitor, stopping = Visitor(app), Event()
    paths = []
    student = Student(app, Teacher(app).code)
    student.says("c3")
    student.post("/puzzles/201c6f5e/answer", {"move": "c3"})

    def play():
        while not stopping.is_set():
            visitor.begins("tictactoe", "person")
            visitor.moves("a1", "b1")
            paths.append(visitor.path)

    player = Thread(target=play)
    player.start()
    while len(paths) < 3:
        pass
    acknowledged = list(paths)
    data = tmp_path / "data"
    (data / "brains").mkdir(parents=True)
    (data / "brains" / "mine.npz").write_bytes(b"a brain")
    (data / "secret.key").write_text("k" * 64)
    file = tmp_path / "backup.tar.gz"
    done = run(data, "backup", file, database=config.database_url)
    stopping.set()
    player.join()
    assert done.exit_code == 0, done.output
    assert file.stat().st_mode & 0o777 == 0o600
    other = tmp_path / "other"
    done = run(other, "restore", file)
    assert done.exit_code == 0, done.output
    with closing(sqlite3.connect(other / "zermelo.sqlite")) as restored:
        moves = restored.execute("select match_id, text from moves order by match_id, ply")
        kept = {}
        for match_id, text in moves.fetchall():
            kept.setdefault(match_id, []).append(text)
        counts = [
            restored.execute(f"select count(*) from {table}").fetchone()[0]
            for table in ("assignments", "assignment_tries", "puzzle_players", "puzzle_tries")
        ]
    assert counts == [1, 1, 1, 1]
    store = app.extensions[NAME][MatchStore]
    for path in acknowledged:
        match_id = path.rpartition("/")[2]
        assert kept[match_id] == [ply.text for ply in store.find(match_id).plies]
    assert (other / "brains" / "mine.npz").read_bytes() == b"a brain"
    assert (other / "secret.key").read_text() == "k" * 64


@pytest.mark.soak
def test_a_dump_of_postgresql_under_load_has_all_that_was_acknowledged(
    postgres, start, config, run, tmp_path
):
    """Restored into a database of its own, on the same server."""
    from sqlalchemy import text

    from webapp.storage.database import Database

    emptied = Database(postgres)
    with emptied.write() as cursor:
        cursor.execute("drop schema public cascade")
        cursor.execute("create schema public")
    app = start(database_url=postgres)
    visitor, stopping, paths = Visitor(app), Event(), []

    def play():
        while not stopping.is_set():
            visitor.begins("tictactoe", "person")
            visitor.moves("a1", "b1")
            paths.append(visitor.path)

    player = Thread(target=play)
    player.start()
    while len(paths) < 3:
        pass
    acknowledged, file = list(paths), tmp_path / "backup.tar.gz"
    done = run(tmp_path / "data", "backup", file, database=postgres)
    stopping.set()
    player.join()
    assert done.exit_code == 0, done.output
    with emptied.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as server:
        server.execute(text("create database elsewhere"))
    emptied.close()
    other = postgres.rpartition("/")[0] + "/elsewhere"
    done = run(tmp_path / "other", "restore", file, database=other)
    assert done.exit_code == 0, done.output
    restored = Database(other)
    restored.upgrade()
    theirs, ours = MatchStore(restored), app.extensions[NAME][MatchStore]
    for path in acknowledged:
        match_id = path.rpartition("/")[2]
        assert theirs.find(match_id) == ours.find(match_id)
    restored.close()


def test_nothing_is_overwritten(app, config, run, tmp_path):
    file = tmp_path / "backup.tar.gz"
    assert run(tmp_path / "data", "backup", file, database=config.database_url).exit_code == 0
    again = run(tmp_path / "data", "backup", file, database=config.database_url)
    assert (again.exit_code, "there already" in again.output) == (2, True)
    other = tmp_path / "other"
    assert run(other, "restore", file).exit_code == 0
    refused = run(other, "restore", file)
    assert (refused.exit_code, "there already" in refused.output) == (2, True)


def test_what_is_no_backup_is_one_line(run, tmp_path):
    bad = tmp_path / "bad"
    bad.write_bytes(b"no archive")
    assert run(tmp_path / "data", "restore", bad).exit_code == 2
    with tarfile.open(tmp_path / "empty.tar", "w"):
        pass
    refused = run(tmp_path / "data", "restore", tmp_path / "empty.tar")
    assert (refused.exit_code, "no zermelo.sqlite" in refused.output) == (2, True)
    assert run(tmp_path / "nowhere", "backup", tmp_path / "new").exit_code == 2
