"""Static files: their folder, and addresses that carry a hash of their content."""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from flask import Flask, g, request

PACKAGE = Path(__file__).resolve().parent.parent  # the package webapp


def folder(name: str) -> Path:
    """A folder of the installed package, or of the checkout beside it."""
    installed = PACKAGE / name
    return installed if installed.is_dir() else PACKAGE.parent / name


def register(app: Flask) -> None:
    """Let `url_for('static', …)` carry the file's hash, so that browsers may cache it for ever."""
    static = folder("static")

    @app.url_defaults
    def add_hash(endpoint: str, values: dict[str, Any]) -> None:
        if endpoint == "static" and "v" not in values and "filename" in values:
            values["v"] = file_hash(static / str(values["filename"]))


def requested_file() -> Path | None:
    """The file of the current request: a static one, or what the view has set with `serves`."""
    if request.endpoint == "static":
        return folder("static") / str((request.view_args or {}).get("filename", ""))
    path: Path | None = g.get("served_file")
    return path


def serves(path: Path) -> Path:
    """Set the file that answers the current request, so that it may be cached by its hash."""
    g.served_file = path
    return path


def file_hash(path: Path) -> str | None:
    """A hash of the file; None where there is none."""
    try:
        return _hash(path, path.stat().st_mtime_ns)
    except OSError:  # the page will show that the file is missing
        return None


@lru_cache(maxsize=256)
def _hash(path: Path, changed: int) -> str:
    return sha256(path.read_bytes()).hexdigest()[:12]
