"""Players' files that a test loads into its own process."""

import sys

import pytest


@pytest.fixture
def own_modules(monkeypatch):
    """What a player's file registers, also as `__main__`, is gone afterwards."""
    before = dict(sys.modules)
    monkeypatch.setattr(sys, "path", list(sys.path))
    yield
    sys.modules.clear()
    sys.modules.update(before)
