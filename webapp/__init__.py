"""The web app: Flask, HTMX, storage and background jobs."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

# Processes share the processors already. Threads of BLAS that wait for each other on a busy machine
# take two hundred times as long for the ratings of a league.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

if TYPE_CHECKING:
    from flask import Flask

    from webapp.config import Config


def create_app(config: Config | None = None) -> Flask:
    """Make the WSGI app of the environment, or of this configuration."""
    from webapp.app import make_app  # commands do without Flask
    from webapp.serving.logs import write_logs

    write_logs()
    return make_app(config)
