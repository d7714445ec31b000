"""The key that signs cookies: made once for a data directory, readable by its owner alone."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from engine.errors import ZermeloError

NAME = "secret.key"
SHORTEST = 16  # characters; what we make has 64


class SecretKeyError(ZermeloError):
    """A key that would sign nothing safely."""


def secret_key(place: Path) -> str:
    """The key kept in this directory; the first process to ask makes it, the others read it.

    Raises SecretKeyError.
    """
    path = place / NAME
    if not path.exists():
        _make(path)
    key = path.read_bytes()
    if len(key.strip()) < SHORTEST or not key.isascii():
        advice = "remove it and a new one is made; everyone is then a new player"
        raise SecretKeyError(f"{path} holds no key of {SHORTEST} letters and digits: {advice}")
    return key.decode("ascii")


def _make(path: Path) -> None:
    """Write it whole under another name, then link: nobody ever reads half a key."""
    draft = path.with_name(f"{NAME}.{secrets.token_hex(8)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(secrets.token_hex(32))
    try:
        path.hardlink_to(draft)
    except FileExistsError:  # another process was quicker, and its key counts
        pass
    finally:
        draft.unlink()
