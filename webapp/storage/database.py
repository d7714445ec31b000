"""The database: connections, transactions, and the upgrade of the schema at start."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore, Lock
from typing import Any

from alembic import command
from alembic.config import Config as AlembicConfig
from alembic.util import CommandError
from sqlalchemy import ClauseElement, Connection, create_engine, event, text
from sqlalchemy.engine import make_url
from sqlalchemy.engine.interfaces import DBAPICursor
from sqlalchemy.exc import ArgumentError, DBAPIError

from engine.errors import ZermeloError
from webapp.errors import RequestError

PATIENCE = 0.3  # seconds that a writer waits for the others, hundreds of times what one takes


class BusyDatabaseError(RequestError):
    """A database that others keep from being written to."""

    status = 503
    retry_after = 3


class Turns:
    """So many writers at a time."""

    def __init__(self, writers: int, patience: float = PATIENCE) -> None:
        # A plain lock where one will do: it costs every move least.
        self._places = Lock() if writers == 1 else BoundedSemaphore(writers)
        self._patience = patience
        self._stuck = False

    @contextmanager
    def taken(self) -> Iterator[None]:
        """A turn for as long as the block lasts; raises BusyDatabaseError."""
        if not self._places.acquire(timeout=0 if self._stuck else self._patience):
            self._stuck = True
            why = "the database is kept busy just now, so nothing was changed: try again"
            raise BusyDatabaseError(why)
        try:
            yield
        finally:
            self._places.release()

    def went_well(self) -> None:
        """A writer has got through: the next ones may wait again."""
        self._stuck = False


BUSY = 2000  # milliseconds that one writer waits for another process; the others are told at once
UPGRADING = 30_000  # the same at the start, when another process may be at it
WRITERS = 3  # at a time in PostgreSQL, of the four web threads of a process
PRAGMAS = (
    f"PRAGMA busy_timeout={BUSY}",  # first: the next one may have to wait
    "PRAGMA journal_mode=WAL",
    "PRAGMA synchronous=NORMAL",
    "PRAGMA foreign_keys=ON",
)
# Any numbers will do, as long as every process of ours uses them.
UPGRADE_LOCK = 1913
COUNTING_LOCK = 1914
BASELINE = "0008"  # the revision with which the migrations begin


class DatabaseError(ZermeloError):
    """A database that cannot be opened."""


class Database:
    """One engine; `read()` and `write()` are the only ways in."""

    def __init__(self, url: str) -> None:
        try:
            self.url = make_url(url)
        except ArgumentError as error:
            raise DatabaseError(f"{url!r} is no address of a database") from error
        self.is_sqlite = self.url.get_backend_name() == "sqlite"
        settings = {"paramstyle": "named"} if self.is_sqlite else {"pool_pre_ping": True}
        try:
            self.engine = create_engine(self.url, pool_size=16, **settings)
        except ImportError as error:
            why = f"{self.url.get_backend_name()} needs the package {error.name}: see the extras"
            raise DatabaseError(why) from error
        self._turns = Turns(1 if self.is_sqlite else WRITERS)
        if self.is_sqlite:
            event.listen(self.engine, "connect", _prepare)
            event.listen(self.engine, "begin", _begin)
        else:
            event.listen(self.engine, "connect", _limit_waiting)

    def written(self, statement: ClauseElement, *columns: str) -> str:
        """The statement as this database reads it, with named parameters; written once, run often.

        SQLAlchemy would work most of it out again at every call, which costs more than the query.
        """
        compiled = statement.compile(dialect=self.engine.dialect, column_keys=columns or None)
        return str(compiled)

    @contextmanager
    def read(self) -> Iterator[DBAPICursor]:
        """A transaction that sees one moment."""
        with self._cursor("BEGIN") as cursor:
            yield cursor

    @contextmanager
    def write(self) -> Iterator[DBAPICursor]:
        """A transaction that commits when the block ends well; raises BusyDatabaseError.

        In SQLite it is IMMEDIATE, one at a time: writers queue here instead of failing there.
        """
        with self._turns.taken(), self._cursor("BEGIN IMMEDIATE") as cursor:
            if self.is_sqlite:  # where no other process can have it now
                self._turns.went_well()
            yield cursor
            cursor.connection.commit()
            self._turns.went_well()

    @contextmanager
    def write_counted(self) -> Iterator[DBAPICursor]:
        """The same, one after the other in PostgreSQL too: what is counted here stays so until
        it is written. For bounds."""
        with self.write() as cursor:
            if not self.is_sqlite:
                cursor.execute(f"select pg_advisory_xact_lock({COUNTING_LOCK})")
            yield cursor

    @contextmanager
    def _cursor(self, begin: str) -> Iterator[DBAPICursor]:
        """A cursor of a pooled connection; what is not committed is rolled back on its return."""
        try:
            connection = self.engine.raw_connection()
            try:
                cursor = connection.cursor()
                if self.is_sqlite:
                    cursor.execute(begin)
                yield cursor
            finally:
                connection.close()
        except self.engine.dialect.loaded_dbapi.Error as error:
            driver = self.engine.dialect.loaded_dbapi.Error
            raise DBAPIError.instance(None, None, error, driver) from error

    def upgrade(self) -> None:
        """Bring the schema up to date; processes that start together take turns."""
        config = AlembicConfig()
        config.set_main_option("script_location", "webapp.storage:migrations")
        where = self.url.render_as_string(hide_password=True)
        try:
            self._upgrade(config)
        except CommandError as error:
            # Alembic names the revision that it does not know.
            age = "an older" if str(error).rpartition("'")[0][-4:] < BASELINE else "a newer"
            why = f"the database {where} is of {age} Zermelo than this one: {error}"
            raise DatabaseError(why) from error
        except DBAPIError as error:
            raise DatabaseError(f"the database {where} does not open: {error.orig}") from error

    def _upgrade(self, config: AlembicConfig) -> None:
        with self._turns.taken(), self.engine.connect() as connection:
            if self.is_sqlite:
                _wait_up_to(connection, UPGRADING)
            with connection.begin():
                if not self.is_sqlite:
                    key = {"key": UPGRADE_LOCK}
                    connection.execute(text("set local lock_timeout = 0"))
                    connection.execute(text("select pg_advisory_xact_lock(:key)"), key)
                config.attributes["connection"] = connection
                command.upgrade(config, "head")
            if self.is_sqlite:
                _wait_up_to(connection, BUSY)

    def close(self) -> None:
        self.engine.dispose()


def _prepare(connection: Any, _: Any) -> None:
    connection.isolation_level = None  # the driver would otherwise begin by itself, and late
    for pragma in PRAGMAS:
        connection.execute(pragma).close()


def _wait_up_to(connection: Connection, milliseconds: int) -> None:
    driver: Any = connection.connection.driver_connection
    driver.execute(f"PRAGMA busy_timeout={milliseconds}").close()


def _limit_waiting(connection: Any, _: Any) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"set lock_timeout = {BUSY}")
    connection.commit()


def _begin(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")
