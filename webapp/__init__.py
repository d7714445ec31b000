"""The pages: Flask, HTMX, storage and background work. `create_app` puts them together."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from flask import Flask

    from webapp.config import Config


def create_app(config: Config | None = None) -> Flask:
    """The app, its schema brought up to date and its workers ready to start."""
    from webapp.app import make_app  # the terminal commands live in this package without Flask
    from webapp.serving.logs import write_logs

    write_logs()
    return make_app(config)
