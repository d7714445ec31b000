"""Settings for every test."""

import signal

from hypothesis import HealthCheck, settings

# Time is measured in benchmarks, never in a test: the machines are shared and noisy.
settings.register_profile("steady", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("steady")


def pytest_configure() -> None:
    """Let Ctrl-C through: a background job ignores it, and so would all that tests start."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
