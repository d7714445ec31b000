"""Query strings: fields declare how they are read, bounded and written, once for all pages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from functools import cache
from typing import Any, ClassVar, Self, TypeVar
from urllib.parse import quote_plus

from werkzeug.datastructures import MultiDict

MAX_DIGITS = 6
MAX_PATH_CHARS = 400
NUL = "\0"  # PostgreSQL takes no text with one in it

Pairs = tuple[tuple[str, str], ...]
Name = TypeVar("Name", bound=StrEnum)


@dataclass(frozen=True, slots=True)
class Param:
    """How one field is read from the texts sent under its name, and written again."""

    default: Any  # never written
    read: Callable[[list[str]], Any]  # raises ValueError for what cannot be read
    write: Callable[[Any], Iterable[str]]
    name: str = ""  # in the address; empty: the field's own


@dataclass(frozen=True)
class Query:
    """What an address holds beyond its path: subclasses are frozen dataclasses of `param`s.

    Fields that are no `param` are not read, and are written only by a subclass.
    """

    safe: ClassVar[str] = ":,="  # characters left unescaped, as browsers do

    @classmethod
    def parse(cls, sent: Mapping[str, str]) -> Self:
        """Read these fields; what cannot be read is left at its default, never an error."""
        texts = sent if isinstance(sent, MultiDict) else MultiDict(sent)
        found: dict[str, Any] = {}
        for field_name, name, param in cls._params():
            values = texts.getlist(name)
            if values and not any(NUL in each for each in values):
                with suppress(ValueError):
                    found[field_name] = param.read(values)
        return cls(**found)

    def url(self, path: str, **changes: Any) -> str:
        """The canonical address of this query, with some fields changed, below a path."""
        query = replace(self, **changes) if changes else self
        encoded = "&".join(
            f"{name}={quote_plus(text, safe=self.safe)}" for name, text in query.pairs()
        )
        return f"{path}{'&' if '?' in path else '?'}{encoded}" if encoded else path

    def toggled(self, path: str, name: str) -> str:
        """The address with a flag of this query changed."""
        return self.url(path, **{name: not getattr(self, name)})

    def pairs(self, *left_out: str) -> Pairs:
        """Names and texts that differ from the defaults, in a fixed order: also hidden fields."""
        return tuple(
            (name, text)
            for field_name, name, param in self._params()
            if (value := getattr(self, field_name)) != param.default and name not in left_out
            for text in param.write(value)
        )

    @classmethod
    @cache  # a page writes a dozen addresses
    def _params(cls) -> tuple[tuple[str, str, Param], ...]:
        """Of each `param`: its field, and its name in the address."""
        declared = ((each.name, each.metadata.get("param")) for each in fields(cls))
        return tuple((name, param.name or name, param) for name, param in declared if param)


def param(
    default: Any,
    read: Callable[[list[str]], Any],
    write: Callable[[Any], Iterable[str]],
    name: str = "",
) -> Any:
    """A field with its own way of reading and writing; the default is never written."""
    return field(default=default, metadata={"param": Param(default, read, write, name)})


def flag(name: str = "", word: str = "1") -> Any:
    """True if the field is this word."""
    return param(False, lambda sent: sent[0] == word, lambda _: (word,), name)


def text(max_chars: int, default: str | None = None, name: str = "") -> Any:
    """A text, cut at a length; an empty one is none."""
    return param(default, lambda sent: sent[0][:max_chars] or default, lambda value: (value,), name)


def number(
    default: int | None = None,
    *,
    low: int = 0,
    high: int = 10**MAX_DIGITS - 1,
    unreadable: int | None = None,
    name: str = "",
) -> Any:
    """A whole number, brought into its range; `unreadable` stands for any other text but none."""
    max_digits = max(MAX_DIGITS, len(str(high)))

    def read(sent: list[str]) -> int | None:
        if sent[0].isascii() and sent[0].isdecimal() and len(sent[0]) <= max_digits:
            return max(low, min(high, int(sent[0])))
        return default if unreadable is None or not sent[0] else unreadable

    return param(default, read, lambda value: (str(value),), name)


def choice(names: type[Name], default: Name | None = None, name: str = "") -> Any:
    """One of the names of an enumeration."""
    return param(default, lambda sent: names(sent[0]), lambda value: (str(value),), name)


def texts(max_chars: int, max_count: int, default: tuple[str, ...] = (), name: str = "") -> Any:
    """A field that is sent several times."""
    return param(
        default,
        lambda sent: tuple(each[:max_chars] for each in sent if each)[:max_count],
        lambda values: values,
        name,
    )


def path(default: tuple[int, ...] | None = (), name: str = "") -> Any:
    """A path through a tree such as `0.4.2`, as indices of children."""
    return param(
        default, lambda sent: parse_path(sent[0]), lambda turns: (".".join(map(str, turns)),), name
    )


def parse_path(sent: str) -> tuple[int, ...]:
    """Parse a path; raises ValueError."""
    turns = sent.split(".") if sent else []
    if len(sent) > MAX_PATH_CHARS or not all(each.isascii() and each.isdecimal() for each in turns):
        raise ValueError(sent[:MAX_PATH_CHARS])
    return tuple(map(int, turns))
