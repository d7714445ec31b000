"""Settings for every test."""

import re
import signal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from xdist.scheduler import LoadScopeScheduling

from engine.faults import tell_once

# Time is measured in benchmarks, never in a test: the machines are shared and noisy.
settings.register_profile("steady", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("steady")


def pytest_configure() -> None:
    """Let Ctrl-C through: a background job ignores it, and so would all that tests start."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


class ByRoom(LoadScopeScheduling):
    """Which of the processes a test runs in: what shares what it makes stays together."""

    def _split_scope(self, nodeid: str) -> str:
        path, _, name = nodeid.partition("::")
        if "postgresql" in name:
            return "postgresql"  # one server for them all
        if path.startswith("tests/agents/"):
            return self._maker(path, name)
        return nodeid  # whoever is free

    def _maker(self, path: str, name: str) -> str:
        """A room of agents has kernels, tables and brains; an agent, what it said under a law."""
        if path.endswith("/test_roster_laws.py"):
            return re.sub(r".*\[|(-\d+)?\]$", "", name)
        return str(Path(path).parent)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> ByRoom | None:
    """For `--dist loadscope`. Marks of xdist_group are lost: pytest 9.2 keeps ids elsewhere."""
    return ByRoom(config, log) if config.getoption("dist") == "loadscope" else None


@pytest.fixture(autouse=True)
def _nothing_told_yet() -> None:
    """A fault is told once in a process; each test is to hear of its own."""
    tell_once.cache_clear()
