"""What a request says, before anything is made of it: texts and numbers that a database takes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from flask import Flask, abort, request

from webapp.web.errors import InvalidFormError

NUL = "\0"  # PostgreSQL takes no text with one in it, and nobody types one
MAX_PAGE = 10_000  # of a list that goes over several pages
PAGE_SIZE = 20

Entry = TypeVar("Entry")


def register(app: Flask) -> None:
    """Check every request that has an address of ours."""
    app.before_request(check)


def check() -> None:
    """Raises InvalidFormError for a NUL in a field of a form; an address with one is of nothing.

    What is asked after a question mark is not stored, and its page says what is wrong with it.
    """
    if any(NUL in str(part) for part in (request.view_args or {}).values()):
        abort(404)
    fields = () if request.url_rule is None else request.form.items(multi=True)
    if any(NUL in text for field in fields for text in field):
        raise InvalidFormError("", "a text was sent with a NUL in it, which is no character")


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
