"""Uploaded brains that wait for their trial, as files of this machine.

So that no web thread waits: the page asks again until a worker has played with the brain.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Iterable
from pathlib import Path
from time import time

from webapp.errors import RequestError
from webapp.workers.queue import BusyError

MAX_UPLOADS = 100  # waiting at a time, of up to 8 MB each
KEPT_S = 600  # for a page to ask again
TOKEN = re.compile(r"[A-Za-z0-9_-]{22}")


class UnknownUploadError(RequestError):
    """An upload that was tried already, or that nobody asked for in time."""

    status = 404


class Uploads:
    """Files by an unguessable token; their names say the digest of the brain too."""

    def __init__(
        self,
        directory: Callable[[], Path],
        sweep: Callable[[Iterable[str]], None],  # what was copied for agents, by digest
        clock: Callable[[], float] = time,
    ) -> None:
        self._directory = directory
        self._sweep = sweep
        self._clock = clock

    def hold(self, digest: str, data: bytes) -> str:
        """Keep the bytes for a trial, and return their token; raises BusyError."""
        directory = self._directory()
        directory.mkdir(parents=True, exist_ok=True)
        if sum(1 for _ in directory.iterdir()) >= MAX_UPLOADS:
            self.remove_old(MAX_UPLOADS)
            if sum(1 for _ in directory.iterdir()) >= MAX_UPLOADS:
                why = "too many brains wait for their trial just now: send it again later"
                raise BusyError(why, retry_after=30)
        token = secrets.token_urlsafe(16)
        (directory / f"{token}.{digest}").write_bytes(data)
        return token

    def data(self, token: str) -> bytes:
        """Raises UnknownUploadError."""
        path = self._find(token)
        if path is None:
            raise UnknownUploadError("this brain waits for no trial any more: send it again")
        return path.read_bytes()

    def drop(self, token: str) -> None:
        """Forget an upload that was tried."""
        if (path := self._find(token)) is not None:
            path.unlink(missing_ok=True)

    def remove_old(self, most: int) -> int:
        """Delete those that nobody asked for in time; returns how many."""
        directory, removed = self._directory(), 0
        for path in directory.iterdir() if directory.is_dir() else ():
            try:
                age = self._clock() - path.stat().st_mtime
            except FileNotFoundError:  # another process removed it meanwhile
                continue
            if removed < most and age > KEPT_S:
                path.unlink(missing_ok=True)
                self._sweep([path.suffix.removeprefix(".")])
                removed += 1
        return removed

    def _find(self, token: str) -> Path | None:
        if not TOKEN.fullmatch(token):
            return None
        return next(self._directory().glob(f"{token}.*"), None)
