"""The database: its schema, its transactions, and what is set up beside it."""

import stat
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy.exc import IntegrityError

from agents import load_agent
from agents.compute.paths import data_dir
from engine import Match, load_game
from webapp.config import Config, ConfigError, database_url
from webapp.matches import rules
from webapp.matches.store import MatchStore
from webapp.replays.analysis_store import AnalysisStore, pack_analysis
from webapp.replays.models import PERSON, PlyRecord, new_record
from webapp.secret_key import SecretKeyError, secret_key
from webapp.storage.database import BUSY_TIMEOUT_MS, BusyDatabaseError, Database, DatabaseError
from webapp.storage.tables.base import Model
from webapp.web.cookies import Actor

pytestmark = pytest.mark.stores


@pytest.fixture
def opened(database):
    found = Database(database)
    found.upgrade()
    yield found
    found.close()


@pytest.fixture
def store(opened):
    return MatchStore(opened)


def test_the_migrations_make_the_tables_that_the_models_describe(opened):
    with opened.engine.connect() as connection:
        context = MigrationContext.configure(connection)
        assert compare_metadata(context, Model.metadata) == []


@pytest.mark.parametrize(("revision", "age"), [("9999", "a newer"), ("0007", "an older")])
def test_a_schema_of_another_version_is_named_in_one_line(opened, revision, age):
    with opened.write() as cursor:
        cursor.execute(f"update alembic_version set version_num = '{revision}'")
    with pytest.raises(DatabaseError, match=rf"of {age} Zermelo .*{revision}") as caught:
        opened.upgrade()
    assert "\n" not in str(caught.value)


def test_processes_that_start_together_upgrade_once_and_then_no_more(database):
    databases = [Database(database) for _ in range(6)]
    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(Database.upgrade, databases)) == [None] * 6
    databases[0].upgrade()
    for each in databases:
        each.close()


ME = Actor("me")


def begun(game, seats, owner="me", start=None):
    rules = load_game(game)
    return new_record(owner, Match.begin(rules, start and rules.parse_state(start)), seats)


def moves(text, at=0, actor=ME):
    """The change that this move is."""
    return lambda record: rules.moved(record, actor, text, at)


def test_a_match_comes_back_as_it_was_kept(store):
    set_up = begun("tictactoe", (PERSON, PERSON), start="x.o/.x./... o")
    made = store.create(replace(set_up, holders=("you", "me")))
    moved = store.change(made.id, moves("a2"))
    assert store.find(made.id) == moved
    assert (moved.revision, moved.start, moved.holders) == (1, "x.o/.x./... o", ("you", "me"))
    assert str(moved.match.state) != moved.start


def test_what_an_agent_said_is_kept_with_its_ply_until_that_is_taken_back(store):
    made = store.create(begun("nim", (PERSON, "random")))
    store.change(made.id, moves("e3"))
    analysis = load_agent("perfect", made.match.game).analyse(store.find(made.id).match.state)
    said = PlyRecord("a1", 1, analysis=pack_analysis(analysis))
    store.change(made.id, lambda record: rules.answered(record, ME, said))
    analyses = AnalysisStore(store.database)
    game = made.match.game
    assert analyses.find(made.id, 2, game) == analysis
    assert analyses.find(made.id, 1, game) is None
    store.change(made.id, lambda record: rules.taken_back(record, ME, 2))
    assert analyses.find(made.id, 2, game) is None


def test_a_rematch_is_another_match(store):
    made = store.create(begun("nim", (PERSON, "random")))
    again = store.change(made.id, lambda record: rules.rematched(record, ME, 0))
    assert again.id != made.id
    assert store.find(again.id).seats == made.seats
    assert store.find(made.id) == made


def test_nothing_is_kept_of_a_change_that_fails(store):
    made = store.create(begun("nim", (PERSON, PERSON)))

    def half_done(record):
        raise ValueError(rules.moved(record, ME, "e3", 0))

    with pytest.raises(ValueError, match="e3"):
        store.change(made.id, half_done)
    assert store.find(made.id) == made


def test_no_ply_is_there_twice(store, opened):
    made = store.create(begun("nim", (PERSON, PERSON)))
    store.change(made.id, moves("e3"))
    again = f"insert into moves (match_id, ply, text, revision) values ('{made.id}', 1, 'a1', 0)"
    with pytest.raises(IntegrityError), opened.write() as cursor:
        cursor.execute(again)


def test_of_many_who_move_at_once_one_is_first_and_the_rest_are_told(store):
    made = store.create(begun("tictactoe", (PERSON, PERSON)))
    cells = ["a1", "a2", "a3", "b1", "b2", "b3", "c1", "c2", "c3"]

    def move(cell):
        try:
            store.change(made.id, moves(cell))
        except Exception as error:  # noqa: BLE001 - the kinds are what is compared
            return type(error).__name__
        return "moved"

    with ThreadPoolExecutor(9) as pool:
        results = sorted(pool.map(move, cells))
    assert results == ["StaleError"] * 8 + ["moved"]
    assert len(store.find(made.id).plies) == 1


def test_writers_in_a_crowd_all_get_their_turn(store):
    owners = [f"player {number}" for number in range(24)]
    made = [store.create(begun("nim", (PERSON, PERSON), owner)) for owner in owners]

    def play(record):
        for ply in range(4):
            store.change(record.id, moves("e1", ply, Actor(record.owner)))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(play, made))
    assert {len(store.find(record.id).plies) for record in made} == {4}


def test_sqlite_is_set_up_for_many_readers_and_one_writer(tmp_path):
    database = Database(f"sqlite:///{tmp_path / 'x.sqlite'}")
    with database.read() as cursor:
        pragmas = ("journal_mode", "synchronous", "busy_timeout", "foreign_keys")
        found = [cursor.execute(f"PRAGMA {pragma}").fetchone()[0] for pragma in pragmas]
    database.close()
    assert found == ["wal", 1, BUSY_TIMEOUT_MS, 1]


def test_the_key_is_made_once_and_for_its_owner_alone(tmp_path):
    with ThreadPoolExecutor(8) as pool:
        keys = set(pool.map(secret_key, [tmp_path] * 16))
    assert len(keys) == 1
    assert len(keys.pop()) == 64
    assert [path.name for path in tmp_path.iterdir()] == ["secret.key"]
    assert stat.S_IMODE((tmp_path / "secret.key").stat().st_mode) == 0o600


@pytest.mark.parametrize("content", [b"", b" \n", b"short", "ключ".encode() * 20, b"\xff" * 64])
def test_a_key_that_is_none_is_named_and_nothing_is_signed_with_it(tmp_path, content):
    (tmp_path / "secret.key").write_bytes(content)
    with pytest.raises(SecretKeyError, match=r"secret\.key holds no key .* remove it"):
        secret_key(tmp_path)


@pytest.fixture
def read(tmp_path, monkeypatch):
    monkeypatch.setenv("ZERMELO_DATA", str(tmp_path))
    return Config.from_environment


def test_the_environment_says_how_to_run(read, tmp_path):
    hosts = "zermelo.example, .school.example"
    said = {"ZERMELO_TRUSTED_HOSTS": hosts, "ZERMELO_WORKERS": "3", "ZERMELO_PROXY": "1"}
    config = read(said)
    assert config.database_url == f"sqlite:///{tmp_path / 'zermelo.sqlite'}"
    assert config.trusted_hosts[-2:] == ("zermelo.example", ".school.example")
    assert (config.pool.workers, config.behind_proxy) == (3, True)


@pytest.mark.parametrize(
    ("said", "blanks"), [({}, 1), ({"ZERMELO_ENDGAMES": "0"}, None), ({"ZERMELO_ENDGAMES": "2"}, 2)]
)
def test_the_environment_says_how_many_blanks_are_worked_out(read, said, blanks):
    assert read(said).endgames == blanks


@pytest.mark.parametrize("text", ["many", "0", "-1", "nan", "1e9"])
def test_a_setting_that_makes_no_sense_is_named(read, text):
    with pytest.raises(ConfigError, match="ZERMELO_WORKERS is a number from 1 to 256"):
        read({"ZERMELO_WORKERS": text})


@pytest.mark.parametrize("scheme", ["postgres", "postgresql"])
def test_a_postgresql_address_gets_its_driver(tmp_path, scheme):
    assert database_url(f"{scheme}://host/name", tmp_path) == "postgresql+psycopg://host/name"


def test_the_secret_never_shows_in_a_log(config):
    assert "hidden" not in repr(replace(config, secret_key="hidden"))


MALFORMED = (
    "postgresql+psycopg://me:se@cret@host:port:9/zermelo",
    "postgresql+psycopg:///host?password=secret&port=x",
    "postgresql//me:secret@host/zermelo",
    "postgresql:me:secret@host/zermelo",
    "postgresql+nothing://me:secret@host/zermelo",
    "unheard-of://me:secret@host/zermelo",
    "me:secret@host",
)


@pytest.mark.parametrize("address", MALFORMED)
def test_a_malformed_address_is_told_without_its_password(address):
    with pytest.raises(DatabaseError) as refused:
        Database(address)
    assert "cret" not in str(refused.value)
    assert "host" in str(refused.value)


@pytest.mark.parametrize(
    "address",
    [
        "postgresql+psycopg://me:secret@127.0.0.1:1/zermelo",
        "postgresql+psycopg://127.0.0.1:1/zermelo?user=me&password=secret",
    ],
)
def test_a_database_that_does_not_open_is_told_without_its_password(address):
    pytest.importorskip("psycopg", reason="the extra [postgres] is not installed")
    with pytest.raises(DatabaseError, match="does not open") as refused:
        Database(address).upgrade()
    assert "secret" not in str(refused.value)
    assert "127.0.0.1" in str(refused.value)


def test_a_file_that_was_moved_away_takes_no_writes_until_it_is_back(tmp_path):
    """What was acknowledged is in the file that stands at its address, and nowhere else."""
    file = tmp_path / "here.sqlite"
    database = Database(f"sqlite:///{file}")
    database.upgrade()
    store = MatchStore(database)
    for replaced in (False, True):
        file.rename(tmp_path / "elsewhere.sqlite")
        if replaced:
            file.touch()
        for act in (lambda: store.create(begun("nim", (PERSON, PERSON))), lambda: store.find("x")):
            with pytest.raises(BusyDatabaseError, match="not where it was"):
                act()
        assert file.exists() is replaced
        (tmp_path / "elsewhere.sqlite").replace(file)
        made = store.create(begun("nim", (PERSON, PERSON)))
        assert store.find(made.id) == made
    database.close()


def test_nobody_else_reads_a_new_file(tmp_path):
    file = tmp_path / "new.sqlite"
    database = Database(f"sqlite:///{file}")
    database.upgrade()
    modes = {path.stat().st_mode & 0o777 for path in tmp_path.iterdir()}
    database.close()
    assert modes == {0o600}


def test_strangers_no_longer_read_the_file_and_the_directory_of_an_older_version(
    tmp_path, monkeypatch
):
    monkeypatch.setenv("ZERMELO_DATA", str(tmp_path / "new"))
    assert data_dir().stat().st_mode & 0o777 == 0o700
    monkeypatch.delenv("ZERMELO_DATA")
    monkeypatch.setattr("agents.compute.paths._user_data_dir", lambda: tmp_path / "old")
    (tmp_path / "old").mkdir()
    (tmp_path / "old").chmod(0o755)
    assert data_dir().stat().st_mode & 0o777 == 0o750
    file = tmp_path / "old.sqlite"
    file.touch(0o644)
    database = Database(f"sqlite:///{file}")
    database.upgrade()
    modes = [path.stat().st_mode & 0o007 for path in tmp_path.glob("old.sqlite*")]
    database.close()
    assert set(modes) == {0}
