"""The base of webapp's exceptions: each class carries the HTTP status that ends a request."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from engine.errors import ZermeloError


class RequestError(ZermeloError):
    """An error that ends a request with `status`."""

    status: ClassVar[int] = 422
    retry_after: int | None = None  # seconds, for the header of that name
    code: ClassVar[str] = ""  # its name in the API, where the status does not say enough
    details: Mapping[str, Any] = {}  # further fields of its JSON
