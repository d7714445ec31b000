"""Inserts that may be repeated, as each database writes them."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Table
from sqlalchemy.dialects import postgresql, sqlite

from webapp.storage.database import Database
from webapp.storage.tables import Model


def adding_once(database: Database, row: type[Model]) -> str:
    """An insert that leaves a row with the same key as it is."""
    return database.written(_insert(database, row).on_conflict_do_nothing())


def replacing(database: Database, row: type[Model], *key: str) -> str:
    """An insert that takes the place of a row with the same key."""
    adding = _insert(database, row)
    table = row.__table__
    assert isinstance(table, Table)
    others = [column.name for column in table.columns if column.name not in key]
    fresh = {name: adding.excluded[name] for name in others}
    return database.written(adding.on_conflict_do_update(index_elements=list(key), set_=fresh))


def _insert(database: Database, row: type[Model]) -> Any:
    return sqlite.insert(row) if database.is_sqlite else postgresql.insert(row)
