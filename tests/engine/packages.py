"""Installed packages for tests: what an entry point of a group would load, in one registry."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from engine.registry import Registry


class Point:
    """An entry point that loads what it is given, or fails as that does."""

    name, module = "extra", "extra.rules"

    def __init__(self, entry: Any) -> None:
        self.entry = entry

    def load(self) -> Any:
        if isinstance(self.entry, BaseException):
            raise self.entry
        return self.entry


def installer(registry: Registry[Any]) -> Any:
    """A fixture that lets a test's packages add entries to a registry."""

    @pytest.fixture
    def install() -> Iterator[Callable[..., None]]:
        with installing(registry) as install:
            yield install

    return install


@contextmanager
def installing(registry: Registry[Any]) -> Iterator[Callable[..., None]]:
    """Lets packages add entries to a registry, as long as the block lasts."""
    with pytest.MonkeyPatch.context() as patched:

        def install(*entries: Any) -> None:
            points = [Point(entry) for entry in entries]
            patched.setattr(registry, "points", lambda: points)
            registry.cache_clear()

        yield install
    registry.cache_clear()
