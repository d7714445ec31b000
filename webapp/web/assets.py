"""Static files: where they are, and addresses that change when they do."""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from flask import Flask, g, request

HERE = Path(__file__).resolve().parent.parent  # the package webapp


def folder(name: str) -> Path:
    """A folder of the installed package, or of the checkout beside it."""
    installed = HERE / name
    return installed if installed.is_dir() else HERE.parent / name


def register(app: Flask) -> None:
    """Let `url_for('static', …)` carry the file's hash, so that it can be kept for ever."""
    place = folder("static")

    @app.url_defaults
    def add_hash(endpoint: str, values: dict[str, Any]) -> None:
        if endpoint == "static" and "v" not in values and "filename" in values:
            values["v"] = hash_now(place / str(values["filename"]))


def file_of_this_request() -> Path | None:
    """The file it asks for: one of ours, or the one that the view has named with `serves`."""
    if request.endpoint == "static":
        return folder("static") / str((request.view_args or {}).get("filename", ""))
    path: Path | None = g.get("served_file")
    return path


def serves(path: Path) -> Path:
    """Name the file that this request is answered with, so that it may be kept by its hash."""
    g.served_file = path
    return path


def hash_now(path: Path) -> str | None:
    """A hash of the file as it is now; None where there is none."""
    try:
        return _hash(path, path.stat().st_mtime_ns)
    except OSError:  # the page will show that the file is missing
        return None


@lru_cache(maxsize=256)
def _hash(path: Path, changed: int) -> str:
    return sha256(path.read_bytes()).hexdigest()[:12]
