"""The services of an app (stores, limits, workers), looked up by their class.

`webapp.app` fills the registry; nothing here knows what is in it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import time
from typing import Any, TypeVar

from flask import current_app

NAME = "zermelo"
T = TypeVar("T")


class Services:
    """One service of each class, and what ends them."""

    def __init__(self) -> None:
        self._by_class: dict[type[Any], Any] = {}
        self._closers: list[Callable[[], None]] = []

    def __getitem__(self, kind: type[T]) -> T:
        found: T = self._by_class[kind]
        return found

    def __setitem__(self, kind: type[T], service: T) -> None:
        self._by_class[kind] = service

    def on_close(self, *closers: Callable[[], None]) -> None:
        """Call these when the app is closed, in this order."""
        self._closers += closers

    def close(self) -> None:
        for closer in self._closers:
            closer()


@dataclass(frozen=True, slots=True)
class Clock:
    """The time of day in seconds since 1970; tests set another."""

    now: Callable[[], float] = time


def service(kind: type[T]) -> T:
    """The service of this class, of the app that answers the current request."""
    found: Services = current_app.extensions[NAME]
    return found[kind]
