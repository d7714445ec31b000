"""The database: connections, transactions, and the upgrade of the schema at start."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from threading import Lock
from typing import Any

from alembic import command
from alembic.config import Config as AlembicConfig
from sqlalchemy import ClauseElement, Connection, create_engine, event, text
from sqlalchemy.engine import make_url
from sqlalchemy.engine.interfaces import DBAPICursor
from sqlalchemy.exc import ArgumentError, DBAPIError, OperationalError

from engine.errors import ZermeloError

PRAGMAS = (
    "PRAGMA busy_timeout=5000",  # first: the next one may have to wait
    "PRAGMA journal_mode=WAL",
    "PRAGMA synchronous=NORMAL",
    "PRAGMA foreign_keys=ON",
)
UPGRADE_LOCK = 1913  # any number will do, as long as every process of ours uses it


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
        self._writing = Lock() if self.is_sqlite else nullcontext()
        if self.is_sqlite:
            event.listen(self.engine, "connect", _prepare)
            event.listen(self.engine, "begin", _begin)

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
        """A transaction that commits when the block ends well.

        In SQLite it is IMMEDIATE behind one lock: writers queue here instead of failing there.
        """
        with self._writing, self._cursor("BEGIN IMMEDIATE") as cursor:
            yield cursor
            cursor.connection.commit()

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
        try:
            self._upgrade(config)
        except OperationalError as error:
            where = self.url.render_as_string(hide_password=True)
            raise DatabaseError(f"the database {where} does not open: {error.orig}") from error

    def _upgrade(self, config: AlembicConfig) -> None:
        with self._writing, self.engine.begin() as connection:
            if not self.is_sqlite:
                connection.execute(
                    text("select pg_advisory_xact_lock(:key)"), {"key": UPGRADE_LOCK}
                )
            config.attributes["connection"] = connection
            command.upgrade(config, "head")

    def close(self) -> None:
        self.engine.dispose()


def _prepare(connection: Any, _: Any) -> None:
    connection.isolation_level = None  # the driver would otherwise begin by itself, and late
    for pragma in PRAGMAS:
        connection.execute(pragma).close()


def _begin(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")
