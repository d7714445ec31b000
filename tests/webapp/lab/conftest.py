"""Fixtures: services with a data directory per test, and a brain."""

import pytest

from agents.runs import train_slice
from webapp.services import NAME


@pytest.fixture
def services(app, tmp_path, monkeypatch):
    monkeypatch.setenv("ZERMELO_DATA", str(tmp_path / "data"))
    return app.extensions[NAME]


@pytest.fixture(scope="session")
def brain():
    """The file of a MENACE after forty games."""
    return train_slice("tictactoe", "menace:opponent=random", 7, None, until=40, seconds=60).brain
