"""Services that keep their brains in a place of the test's own."""

import pytest

from webapp.services import NAME


@pytest.fixture
def services(app, tmp_path, monkeypatch):
    monkeypatch.setenv("ZERMELO_DATA", str(tmp_path / "data"))
    return app.extensions[NAME]
