"""The base of webapp's exceptions: each class carries the HTTP status that ends a request."""

from __future__ import annotations

from typing import ClassVar

from engine.errors import ZermeloError


class RequestError(ZermeloError):
    """An error that ends a request with `status`."""

    status: ClassVar[int] = 422
    retry_after: int | None = None  # seconds, for the header of that name
