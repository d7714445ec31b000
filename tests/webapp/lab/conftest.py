"""Fixture: services with a data directory per test."""

import pytest

from webapp.services import NAME


@pytest.fixture
def services(app, tmp_path, monkeypatch):
    monkeypatch.setenv("ZERMELO_DATA", str(tmp_path / "data"))
    return app.extensions[NAME]
