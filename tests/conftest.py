"""Settings for every test."""

import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from engine.faults import tell_once

# Time is measured in benchmarks, never in a test: the machines are shared and noisy.
settings.register_profile("steady", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("steady")

AGENTS = Path(__file__).parent / "agents"


def pytest_configure() -> None:
    """Let Ctrl-C through: a background job ignores it, and so would all that tests start."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(tryfirst=True)  # before xdist reads the groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A room of agents stays with one process, and so do its kernels, tables and brains.

    What soaks is left to whoever is free: it takes minutes, and shares nothing.
    """
    for item in items:
        room = Path(item.path).parent
        alone = item.get_closest_marker("soak") or item.get_closest_marker("xdist_group")
        if room.parent == AGENTS and not alone:
            item.add_marker(pytest.mark.xdist_group(room.name))


@pytest.fixture(autouse=True)
def _nothing_told_yet() -> None:
    """A fault is told once in a process; each test is to hear of its own."""
    tell_once.cache_clear()
