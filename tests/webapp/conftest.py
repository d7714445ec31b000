"""An app of their own for the tests, on SQLite, and on PostgreSQL where they are about storing."""

from collections import defaultdict
from dataclasses import replace
from shutil import copyfile

import pytest
from jinja2 import FileSystemBytecodeCache
from sqlalchemy.engine import make_url

from engine import catalog as shelf
from tests.example_game import importable, unpack
from tests.webapp.api.schema import Conformance
from tests.webapp.serving.process import ServerProcess
from tests.webapp.storage.postgres import MISSING, binaries, running_postgres
from tests.webapp.visitor import AtOnce, Visitor, changed
from webapp.app import close, make_app, make_services
from webapp.config import Config, JobSettings, PoolLimits, Rate, Rates, Share, database_url
from webapp.services import NAME
from webapp.storage.database import Database

OURS = shelf.catalog()
OFTEN = Rate(10_000, 10_000)
ALL = Share(OFTEN, OFTEN, OFTEN)


@pytest.fixture(autouse=True)
def _patience(monkeypatch):
    """A coordinator in a test does its tasks itself, and does not renew what it holds meanwhile;
    and nobody is told to come again because this machine is busy."""
    monkeypatch.setattr("webapp.jobs.coordinator.LEASE_S", 3600)
    monkeypatch.setattr("webapp.storage.database.WRITE_TIMEOUT_S", 3600)


@pytest.fixture(scope="session")
def postgres():
    if binaries() is None:
        pytest.skip(MISSING)
    pytest.importorskip("psycopg", reason="the extra [postgres] is not installed")
    with running_postgres() as url:
        yield database_url(url, None)


def pytest_generate_tests(metafunc):
    """What is about storing runs on SQLite, and in the soak on PostgreSQL; all else on SQLite."""
    stores = metafunc.definition.get_closest_marker("stores")
    if stores and "database" in metafunc.fixturenames:
        both = ["sqlite", pytest.param("postgresql", marks=pytest.mark.soak)]
        metafunc.parametrize("database", both, indirect=True)


@pytest.fixture
def database(request, tmp_path):
    """The address of an empty database: SQLite's, unless the test `stores`."""
    if getattr(request, "param", "sqlite") == "sqlite":
        return f"sqlite:///{tmp_path / 'test.sqlite'}"
    url = request.getfixturevalue("postgres")
    emptied = Database(url)
    with emptied.write() as cursor:
        cursor.execute("drop schema public cascade")
        cursor.execute("create schema public")
    emptied.close()
    return url


@pytest.fixture(scope="session")
def upgraded(tmp_path_factory):
    """A file of SQLite's with our tables and nothing in them, for apps to begin with a copy of."""
    path = tmp_path_factory.mktemp("upgraded") / "empty.sqlite"
    made = Database(f"sqlite:///{path}")
    made.upgrade()
    made.close()
    return path


@pytest.fixture
def config(database, upgraded):
    if (file := make_url(database)).get_backend_name() == "sqlite":
        copyfile(upgraded, file.database)
    return Config(
        database_url=database,
        secret_key="a key for tests alone",
        warm_up=False,
        think_seconds=0.5,
        pool=PoolLimits(workers=1),
        jobs=JobSettings(workers=2),
        rates=Rates(OFTEN, OFTEN, OFTEN, OFTEN, OFTEN, ALL, ALL, ALL, ALL),
    )


@pytest.fixture
def opened(config):
    """The database of the config, with our tables."""
    database = Database(config.database_url)
    database.upgrade()
    yield database
    database.close()


@pytest.fixture(scope="session")
def compiled(tmp_path_factory):
    """Templates compiled once for all the apps."""
    return FileSystemBytecodeCache(str(tmp_path_factory.mktemp("templates")))


@pytest.fixture(scope="session")
def idle():
    """Apps that no test uses just now, by their settings; their services are gone."""
    return defaultdict(list)


@pytest.fixture
def start(config, compiled, idle):
    """Starts an app with some settings changed; what was started is closed.

    To make an app takes longer than most of what it is asked: one that is idle is taken up with
    services and a database of its own.
    """
    started = []

    def start(make_pool=AtOnce, **changes):
        wanted = changed(config, **changes)
        kept = idle[replace(wanted, database_url="")]
        own = shelf.catalog() != OURS  # templates of a package are kept with the app
        if own or not kept:
            app = make_app(wanted, make_pool)
            app.jinja_env.bytecode_cache = compiled
            app.conformance = Conformance(app)
        else:
            app = kept.pop()
            app.conformance.problems.clear()
            app.extensions[NAME] = make_services(wanted, make_pool)
        started.append((app, [] if own else kept))
        return app

    yield start
    for app, kept in started:
        close(app)
        kept.append(app)
    assert [why for app, _ in started for why in app.conformance.problems] == []


@pytest.fixture
def chomp(tmp_path):
    """The folder of Chomp's package, which this process has for the length of a test."""
    with importable(unpack(tmp_path / "packages")):
        yield tmp_path / "packages" / "chomp"


@pytest.fixture
def app(start):
    return start()


@pytest.fixture
def visitor(app):
    return Visitor(app)


@pytest.fixture
def stranger(app):
    return Visitor(app)


@pytest.fixture
def serve():
    """Starts servers as processes of their own; those still running at the end are ended."""
    started = []

    def serve(*arguments, **settings):
        started.append(ServerProcess(*arguments, **settings))
        return started[-1]

    yield serve
    for server in started:
        server.end()
