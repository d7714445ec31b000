"""The database: connections, transactions, and the upgrade of the schema at start."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import BoundedSemaphore, Lock
from time import monotonic, sleep
from typing import Any

from alembic import command
from alembic.config import Config as AlembicConfig
from alembic.util import CommandError
from sqlalchemy import ClauseElement, Connection, UpdateBase, create_engine, event, text
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import make_url
from sqlalchemy.engine.interfaces import DBAPICursor
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.pool import QueuePool

from engine.errors import ZermeloError
from webapp.errors import RequestError
from webapp.storage.tables.base import Model

CLOSE_TIMEOUT_S = 2.0  # for a thread to give back its connection
WRITE_TIMEOUT_S = 0.3  # for a slot: hundreds of times what a write takes
BUSY_TIMEOUT_MS = 2000  # for one writer to wait for another process; the others fail at once
UPGRADE_TIMEOUT_MS = 30_000  # at the start, when another process may be upgrading
MAX_WRITERS = 3  # at a time in PostgreSQL, of the four web threads of a process
PRAGMAS = (
    f"PRAGMA busy_timeout={BUSY_TIMEOUT_MS}",  # first: the next may have to wait
    "PRAGMA journal_mode=WAL",
    "PRAGMA synchronous=NORMAL",
    "PRAGMA foreign_keys=ON",
)
# Keys of advisory locks in PostgreSQL: any numbers that all our processes share.
UPGRADE_LOCK = 1913
COUNTING_LOCK = 1914
MIN_FREE_BYTES = 16 << 20  # on the disk of SQLite's file
BASELINE = "0008"  # the revision with which the migrations begin


class BusyDatabaseError(RequestError):
    """A database that is locked by other writers."""

    status = 503
    retry_after = 3


class WriterSlots:
    """A bounded number of writers at a time."""

    def __init__(self, writers: int, timeout: float) -> None:
        # A plain lock where one will do: it is the fastest, and every move takes it.
        self._slots = Lock() if writers == 1 else BoundedSemaphore(writers)
        self._timeout = timeout
        self._stuck = False

    @contextmanager
    def held(self) -> Iterator[None]:
        """Hold a slot within the block; raises BusyDatabaseError."""
        if not self._slots.acquire(timeout=0 if self._stuck else self._timeout):
            self._stuck = True
            why = "the database is kept busy just now, so nothing was changed: try again"
            raise BusyDatabaseError(why)
        try:
            yield
        finally:
            self._slots.release()

    def succeeded(self) -> None:
        """A write has succeeded: the next may wait for its slot again."""
        self._stuck = False


class DatabaseError(ZermeloError):
    """A database that cannot be opened."""


class Database:
    """One engine; `read()` and `write()` give cursors within transactions."""

    def __init__(self, url: str) -> None:
        try:
            self.url = make_url(url)
            self.is_sqlite = self.url.get_backend_name() == "sqlite"
            settings = {"paramstyle": "named"} if self.is_sqlite else {"pool_pre_ping": True}
            self.engine = create_engine(self.url, pool_size=16, **settings)
        except (ArgumentError, ValueError) as error:
            raise DatabaseError(f"{_without_secrets(url)!r} is no address of a database") from error
        except ImportError as error:
            why = f"{self.url.get_backend_name()} needs the package {error.name}: see the extras"
            raise DatabaseError(why) from error
        self._compiled: dict[Any, str] = {}
        self._file: tuple[int, int] | None = None  # which file of SQLite's was opened
        self._writers = WriterSlots(1 if self.is_sqlite else MAX_WRITERS, WRITE_TIMEOUT_S)
        if self.is_sqlite:
            event.listen(self.engine, "connect", _prepare)
            event.listen(self.engine, "begin", _begin)
        else:
            event.listen(self.engine, "connect", _set_lock_timeout)

    def run(
        self,
        cursor: DBAPICursor,
        statement: ClauseElement,
        values: Mapping[str, Any] | None = None,
    ) -> DBAPICursor:
        """Execute a statement; of an INSERT or UPDATE the values are those of columns as well.

        Compiled once: SQLAlchemy would do most of it again at every call, which costs more than
        the query. So a statement is made once, and its parameters are named.
        """
        values = values or {}
        key = (statement, frozenset(values))
        sql = self._compiled.get(key)
        if sql is None:
            columns = list(values) if isinstance(statement, UpdateBase) else None
            compiled = statement.compile(dialect=self.engine.dialect, column_keys=columns)
            sql = self._compiled[key] = str(compiled)
        cursor.execute(sql, values)
        return cursor

    def fetch(self, statement: ClauseElement, **values: Any) -> Sequence[Any]:
        """The rows of a query, in a transaction of its own."""
        with self.read() as cursor:
            return self.run(cursor, statement, values).fetchall()

    def insert(self, table: type[Model]) -> Any:
        """An INSERT that can say what happens ON CONFLICT."""
        return sqlite.insert(table) if self.is_sqlite else postgresql.insert(table)

    @contextmanager
    def read(self) -> Iterator[DBAPICursor]:
        """A transaction with a consistent snapshot."""
        with self._cursor("BEGIN") as cursor:
            yield cursor

    @contextmanager
    def write(self) -> Iterator[DBAPICursor]:
        """A transaction that commits when the block ends well; raises BusyDatabaseError.

        In SQLite it is IMMEDIATE and one at a time: writers wait here instead of failing there.
        """
        with self._writers.held(), self._cursor("BEGIN IMMEDIATE") as cursor:
            if self.is_sqlite:  # no other process has the lock now
                self._writers.succeeded()
            yield cursor
            cursor.connection.commit()
            self._writers.succeeded()

    @contextmanager
    def write_counted(self) -> Iterator[DBAPICursor]:
        """The same, serialised in PostgreSQL too, so that a count stays true until the commit."""
        with self.write() as cursor:
            if not self.is_sqlite:
                cursor.execute(f"select pg_advisory_xact_lock({COUNTING_LOCK})")
            yield cursor

    @contextmanager
    def _cursor(self, begin: str) -> Iterator[DBAPICursor]:
        """A cursor of a pooled connection, which is rolled back on its return."""
        self._check_file()
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

    def _check_file(self) -> None:
        """Raises BusyDatabaseError where SQLite's file was moved away or replaced.

        What is written to a file that was moved is lost to whoever looks for it here, and where
        there is none SQLite would make an empty one.
        """
        if self._file is not None and self._file != _file_id(self.url.database):
            why = "the file of the database is not where it was, so nothing was changed"
            raise BusyDatabaseError(why)

    def upgrade(self) -> None:
        """Bring the schema up to date; processes that start together take turns."""
        config = AlembicConfig()
        config.set_main_option("script_location", "webapp.storage:migrations")
        where = self.url.set(query={}).render_as_string(hide_password=True)  # which may have one
        try:
            self._upgrade(config)
        except CommandError as error:
            # Alembic names the revision that it does not know.
            age = "an older" if str(error).rpartition("'")[0][-4:] < BASELINE else "a newer"
            why = f"the database {where} is of {age} Zermelo than this one: {error}"
            raise DatabaseError(why) from error
        except DBAPIError as error:
            raise DatabaseError(f"the database {where} does not open: {error.orig}") from error
        if self.is_sqlite:
            self._file = _file_id(self.url.database)

    def _upgrade(self, config: AlembicConfig) -> None:
        if self.is_sqlite and self.url.database:
            _keep_private(Path(self.url.database))
        with self._writers.held(), self.engine.connect() as connection:
            if self.is_sqlite:
                _set_busy_timeout(connection, UPGRADE_TIMEOUT_MS)
            with connection.begin():
                if not self.is_sqlite:
                    key = {"key": UPGRADE_LOCK}
                    connection.execute(text("set local lock_timeout = 0"))
                    connection.execute(text("select pg_advisory_xact_lock(:key)"), key)
                config.attributes["connection"] = connection
                command.upgrade(config, "head")
            if self.is_sqlite:
                _set_busy_timeout(connection, BUSY_TIMEOUT_MS)

    def is_writable(self) -> bool:
        """Whether a write could begin now, and there is room for it; raises as `write` does."""
        if self.is_sqlite and self.url.database:
            place = Path(self.url.database).resolve()
            if not place.exists() or shutil.disk_usage(place.parent).free < MIN_FREE_BYTES:
                return False
        with self.write() as cursor:
            cursor.execute("select 1")
            return list(cursor.fetchall()) == [(1,)]

    def close(self) -> None:
        """Close all connections, after a moment for those that a thread still uses.

        One that comes back to a pool that was disposed of would be left open.
        """
        pool, end = self.engine.pool, monotonic() + CLOSE_TIMEOUT_S
        while isinstance(pool, QueuePool) and pool.checkedout() and monotonic() < end:
            sleep(0.01)
        self.engine.dispose()


def _without_secrets(url: str) -> str:
    """An address for a message: without user, password and parameters, wherever they begin."""
    scheme, mark, rest = url.partition("://")
    shown = re.sub(".*@", "…@", rest if mark else url).partition("?")[0]
    return f"{scheme}{mark}{shown}" if mark else shown


def _file_id(path: str | None) -> tuple[int, int] | None:
    """Which file it is, whatever it is called; None where there is none."""
    try:
        found = os.stat(path or "")
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _keep_private(file: Path) -> None:
    """Make SQLite's file for its owner alone; of one that is there, take it from strangers.

    The files beside it get the same permissions from SQLite.
    """
    with suppress(OSError):  # SQLite says what is wrong with it
        if file.exists():
            file.chmod(file.stat().st_mode & 0o770)
        else:
            os.close(os.open(file, os.O_CREAT | os.O_WRONLY, 0o600))


def _prepare(connection: Any, _: Any) -> None:
    connection.isolation_level = None  # else the driver begins transactions itself, and late
    for pragma in PRAGMAS:
        connection.execute(pragma).close()


def _set_busy_timeout(connection: Connection, milliseconds: int) -> None:
    driver: Any = connection.connection.driver_connection
    driver.execute(f"PRAGMA busy_timeout={milliseconds}").close()


def _set_lock_timeout(connection: Any, _: Any) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"set lock_timeout = {BUSY_TIMEOUT_MS}")
    connection.commit()


def _begin(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")
