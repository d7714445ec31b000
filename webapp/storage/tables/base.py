"""The base of all tables."""

from __future__ import annotations

from typing import ClassVar

from sqlalchemy import Double, ForeignKey, MetaData, String, Text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

NAMING = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}


class Model(DeclarativeBase):
    """Base of all tables, with constraint names that migrations can rely on."""

    metadata = MetaData(naming_convention=NAMING)
    type_annotation_map: ClassVar = {str: Text, float: Double}


def parent_key(table: str) -> Mapped[str]:
    """A key whose row is deleted with that of another table."""
    parent = ForeignKey(f"{table}.id", ondelete="CASCADE")
    return mapped_column(String(32), parent, primary_key=True)
