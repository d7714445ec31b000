"""Frozen dataclasses to rows of tables and to JSON, and back, by the types of their fields."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, is_dataclass
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Any, Generic, TypeVar, Union, get_args, get_origin, get_type_hints

from sqlalchemy.orm import InstrumentedAttribute

from webapp.storage.tables.base import Model

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Columns:
    """How a field is kept where its name and its type do not say so."""

    names: tuple[str, ...]
    read: Callable[..., Any]  # the values of these columns to that of the field
    write: Callable[[Any], tuple[Any, ...]]  # the record to the values of these columns


def as_it_is(value: Any) -> Any:
    """The value of a column as that of a field."""
    return value


class RowMapper(Generic[T]):
    """A record's fields and the columns of a table with the same names.

    Mappings, tuples and dataclasses are JSON in a column, enumerations their values; a field
    without a column is left out.
    """

    def __init__(self, record: type[T], table: type[Model], **special: Columns) -> None:
        self._record = record
        self._table = table
        kept = set(table.__table__.columns.keys())
        self._fields: list[tuple[str, Columns]] = []
        for name, hint in field_types(record).items():  # type: ignore[arg-type]
            if name in special:
                self._fields.append((name, special[name]))
            elif name in kept:
                self._fields.append((name, _column(name, hint)))
        self._width = sum(len(columns.names) for _, columns in self._fields)

    @property
    def columns(self) -> tuple[InstrumentedAttribute[Any], ...]:
        """The columns of a SELECT whose rows `read` takes."""
        names = (name for _, columns in self._fields for name in columns.names)
        return tuple(getattr(self._table, name) for name in names)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns that `write` gives."""
        return tuple(dict.fromkeys(column.key for column in self.columns))

    def read(self, row: Sequence[Any], **others: Any) -> T:
        """Row to record, with other fields as given; columns beyond its own are ignored."""
        at = 0
        for name, columns in self._fields:
            if columns.read is as_it_is:
                others[name] = row[at]
                at += 1
            else:
                end = at + len(columns.names)
                others[name] = columns.read(*row[at:end])
                at = end
        return self._record(**others)

    def rest(self, row: Sequence[Any]) -> Sequence[Any]:
        """What a row has beyond these columns."""
        return row[self._width :]

    def write(self, record: T, **others: Any) -> dict[str, Any]:
        """Record to row, with other columns as given."""
        row: dict[str, Any] = {}
        for _, columns in self._fields:
            row |= zip(columns.names, columns.write(record), strict=True)
        return row | others


def spread(field: str, mapper: RowMapper[Any]) -> Columns:
    """A record within a record, whose fields are columns themselves."""
    names = tuple(column.key for column in mapper.columns)

    def write(record: Any) -> tuple[Any, ...]:
        row = mapper.write(getattr(record, field))
        return tuple(row[name] for name in names)

    return Columns(names, lambda *values: mapper.read(values), write)


def pair(field: str, *names: str) -> Columns:
    """A tuple with a column for each of its values."""
    return Columns(names, lambda *values: values, lambda record: tuple(getattr(record, field)))


def text(
    field: str,
    read: Callable[[str], Any],
    write: Callable[[Any], Any] = str,
    *,
    column: str = "",
    empty: Any = None,
) -> Columns:
    """A value with a text of its own; the empty one is NULL."""

    def written(record: Any) -> tuple[Any]:
        value = getattr(record, field)
        return (None if value == empty else write(value),)

    return Columns((column or field,), lambda told: empty if told is None else read(told), written)


def from_json(kind: type[T], values: Mapping[str, Any]) -> T:
    """A record of what `dataclasses.asdict` gave; fields that are missing have their defaults."""
    types = field_types(kind)  # type: ignore[arg-type]
    return kind(**{name: _typed(types[name], values[name]) for name in types if name in values})


@cache
def field_types(record: Any) -> dict[str, Any]:
    """The types of a dataclass's fields, by name; `X | None` counts as X."""
    hints = get_type_hints(record)
    return {field.name: _without_none(hints[field.name]) for field in fields(record)}


def _without_none(hint: Any) -> Any:
    if get_origin(hint) not in (Union, UnionType):
        return hint
    others = [each for each in get_args(hint) if each is not NoneType]
    return others[0] if len(others) == 1 else Any


def _column(name: str, hint: Any) -> Columns:
    """A column of the field's own name."""
    if _is_json(hint):
        return text(name, lambda told: _typed(hint, json.loads(told)), _dumped)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return text(name, hint, lambda value: value.value)
    if hint in (bool, bytes):  # SQLite has integers, and drivers have views of memory
        return text(name, hint, hint)
    return Columns((name,), as_it_is, lambda record: (getattr(record, name),))


def _is_json(hint: Any) -> bool:
    return is_dataclass(hint) or get_origin(hint) in (tuple, dict, Mapping)


def _dumped(value: Any) -> str:
    return json.dumps(asdict(value) if is_dataclass(value) else value)  # type: ignore[arg-type]


def _typed(hint: Any, value: Any) -> Any:
    """A value of JSON as its field's type says."""
    hint = _without_none(hint)
    if value is None:
        return None
    if get_origin(hint) is tuple:
        first, *others = get_args(hint)
        kinds = [first] * len(value) if others == [...] else [first, *others]
        return tuple(_typed(kind, each) for kind, each in zip(kinds, value, strict=True))
    if is_dataclass(hint):
        return from_json(hint, value)  # type: ignore[arg-type]
    if isinstance(hint, type) and issubclass(hint, tuple):  # a NamedTuple
        return hint(*value)
    return hint(value) if isinstance(hint, type) and issubclass(hint, Enum) else value
