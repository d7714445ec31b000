"""Registries of games, agents, problems and searches: ours, then those of installed packages."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from importlib.abc import InspectLoader
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pkgutil import walk_packages
from typing import Any, Generic, Protocol, TypeVar

from engine.errors import InvalidSpecError, unknown_text

# Keys are part of specs, URLs, element ids and file names.
KEY = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
DECLARES = re.compile(r"^(ENTRIES\b|def entry\()", re.MULTILINE)


class Registered(Protocol):
    """What a registry lists."""

    @property
    def key(self) -> str: ...


E = TypeVar("E", bound=Registered)


class Registry(Generic[E]):
    """All entries of a kind, by key; called, it gives them in order.

    A package adds one by an entry point of the group. One that does not load, is of another type,
    has no key of its own or is refused by `accept` is logged and skipped.
    """

    def __init__(
        self,
        noun: str,
        group: str,
        kind: type[E],
        built_in: tuple[E, ...],
        accept: Callable[[E, str], E] = lambda entry, home: entry,
        logger: str = __name__,
        found: Callable[[], Iterable[E]] = tuple,
    ) -> None:
        self.noun = noun  # `game`, in messages
        self.group = group
        self.kind = kind
        self.built_in = built_in
        self.accept = accept  # (entry, its module) -> the entry to list; raises if it is invalid
        self.found = found  # entries that are neither ours nor of a package
        self.log = logging.getLogger(logger)
        self._entries: dict[str, E] | None = None

    def __call__(self) -> tuple[E, ...]:
        """Ours, then those of installed packages (cached)."""
        return tuple(self._by_key().values())

    def find(self, key: str) -> E:
        """The entry of this key; raises InvalidSpecError with a suggestion."""
        entries = self._by_key()
        if key not in entries:
            raise InvalidSpecError(key, unknown_text(self.noun, key, entries))
        return entries[key]

    def cache_clear(self) -> None:
        """Look for installed packages again at the next call."""
        self._entries = None

    def points(self) -> Iterable[EntryPoint]:
        """The entry points of installed packages."""
        return entry_points(group=self.group)

    def _by_key(self) -> dict[str, E]:
        if self._entries is None:
            self._entries = self._load()
        return self._entries

    def _load(self) -> dict[str, E]:
        entries = {entry.key: entry for entry in self.built_in}
        for point in self.points():
            try:
                entry = self.accept(self._checked(point.load(), entries), point.module)
            except (Exception, SystemExit) as error:  # noqa: BLE001 - it must not stop the others
                self.log.warning("%s %s was skipped: %s", self.noun, point.name, error)
            else:
                entries[entry.key] = entry
        return entries | {entry.key: entry for entry in self.found()}

    def _checked(self, entry: Any, others: dict[str, E]) -> E:
        if not isinstance(entry, self.kind):
            raise TypeError(f"{entry!r} is no {self.kind.__name__}")
        if not KEY.fullmatch(str(entry.key)):
            why = "a key is of small letters, digits and single hyphens"
            raise InvalidSpecError(str(entry.key), why)
        if entry.key in others:
            raise InvalidSpecError(entry.key, f"there is a {self.noun} {entry.key} already")
        return entry


def declared_entries(package: str, *context: Any) -> Iterator[Any]:
    """The entries that the modules of a package declare, by module name.

    A module declares them as `ENTRIES`, or one as a function `entry` of this context. Others
    are not imported, as some are slow to import.
    """
    for found in walk_packages(import_module(package).__path__, f"{package}."):
        if DECLARES.search(_source(found.name)):
            module = import_module(found.name)
            yield from getattr(module, "ENTRIES", ()) or (module.entry(*context),)


def _source(module: str) -> str:
    spec = find_spec(module)
    loader = None if spec is None else spec.loader
    return (isinstance(loader, InspectLoader) and loader.get_source(module)) or ""
