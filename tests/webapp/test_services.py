"""The registry of an app's services."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from webapp.services import Clock, Services, service


class SlowClock(Clock):
    """Registered under the class it stands in for."""


def test_a_service_is_found_by_the_class_it_was_registered_for() -> None:
    services, slow = Services(), SlowClock(lambda: 1.0)
    services[Clock] = slow
    assert services[Clock] is slow
    with pytest.raises(KeyError):
        services[SlowClock]


def test_a_request_finds_the_services_of_its_own_app(app, start) -> None:
    other = start()
    with app.test_request_context():
        mine = service(Clock)
    with other.test_request_context():
        assert service(Clock) is not mine


def test_what_is_registered_to_be_closed_is_closed_in_that_order() -> None:
    services, closed = Services(), []
    services.on_close(lambda: closed.append("first"), lambda: closed.append("second"))
    services.close()
    assert closed == ["first", "second"]


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="threads are counted by Linux")
def test_linear_algebra_starts_no_threads() -> None:
    """Threads of BLAS wait for each other by spinning: on a busy machine nothing else is done."""
    code = "import webapp, numpy, os; print(os.listdir('/proc/self/task'))"
    kept = {name: text for name, text in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    done = subprocess.run([sys.executable, "-c", code], env=kept, capture_output=True, check=True)
    assert len(done.stdout.split()) == 1
