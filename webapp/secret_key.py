"""The key that signs cookies: made once, and read by every process of a data directory."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from engine.errors import ZermeloError

KEY_FILE = "secret.key"
MIN_KEY_CHARS = 16  # generated keys have 64


class SecretKeyError(ZermeloError):
    """A secret key that is too short, or no text."""


def secret_key(directory: Path) -> str:
    """The key in this directory; the first process generates it, the others read it.

    Raises SecretKeyError.
    """
    path = directory / KEY_FILE
    if not path.exists():
        _write_key(path)
    key = path.read_bytes()
    if len(key.strip()) < MIN_KEY_CHARS or not key.isascii():
        advice = "remove it and a new one is made; everyone is then a new player"
        raise SecretKeyError(f"{path} holds no key of {MIN_KEY_CHARS} letters and digits: {advice}")
    return key.decode("ascii")


def _write_key(path: Path) -> None:
    """Write to a temporary file, then link it: no process ever reads half a key."""
    draft = path.with_name(f"{KEY_FILE}.{secrets.token_hex(8)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(secrets.token_hex(32))
    try:
        path.hardlink_to(draft)
    except FileExistsError:  # another process was quicker, and its key counts
        pass
    finally:
        draft.unlink()
