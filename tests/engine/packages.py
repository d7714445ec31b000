"""Installed packages for tests: what an entry point of a group would load, in one registry."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

import pytest


class Point:
    """An entry point that loads what it is given, or fails as that does."""

    name, module, value = "extra", "extra.rules", "extra.rules:ENTRY"

    def __init__(self, entry: Any) -> None:
        self.entry = entry

    def load(self) -> Any:
        if isinstance(self.entry, Exception):
            raise self.entry
        return self.entry


@contextmanager
def installing(registry: ModuleType, listed: Any) -> Iterator[Callable[..., None]]:
    """Lets packages add entries to what the module lists, as long as the block lasts."""
    with pytest.MonkeyPatch.context() as patched:

        def install(*entries: Any) -> None:
            points = [Point(entry) for entry in entries]
            patched.setattr(registry, "entry_points", lambda group: points)
            listed.cache_clear()

        yield install
    listed.cache_clear()
