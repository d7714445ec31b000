"""The web app: Flask, HTMX, storage and background jobs."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from flask import Flask

    from webapp.config import Config


def create_app(config: Config | None = None) -> Flask:
    """Make the WSGI app of the environment, or of this configuration."""
    from webapp.app import make_app  # commands do without Flask
    from webapp.serving.logs import write_logs

    write_logs()
    return make_app(config)
