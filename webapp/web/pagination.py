"""Lists that go over several pages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from flask import request

MAX_PAGE = 10_000
PAGE_SIZE = 20

Entry = TypeVar("Entry")


def page_number() -> int:
    """Which page of a list is asked for, from 1."""
    return max(1, min(MAX_PAGE, request.args.get("page", 1, int)))


class Listing(Generic[Entry]):
    """One page of a list; `found` has one entry more where another page follows."""

    def __init__(self, found: Sequence[Entry], at: int = 1, size: int = PAGE_SIZE) -> None:
        self.at = at  # from 1
        self.entries = found[:size]
        self.previous = at - 1 if at > 1 else None
        self.following = at + 1 if len(found) > size else None

    @classmethod
    def fetch(
        cls, rows: Callable[[int, int], Sequence[Entry]], size: int = PAGE_SIZE
    ) -> Listing[Entry]:
        """The page that the request asks for, from a query of (how many, after how many)."""
        at = page_number()
        return cls(rows(size + 1, (at - 1) * size), at, size)
