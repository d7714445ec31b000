"""Thinking with desks of a test's own."""

import pytest

from webapp.workers.pool import Bounds, Thinking


@pytest.fixture
def thinking_with():
    made = []

    def make(desk, **bounds):
        usual = {"desks": 1, "queue": 16, "each": 16, "grace": 0.3, "first_grace": 0.3}
        made.append(Thinking(desk, Bounds(**(usual | bounds))))
        return made[-1]

    yield make
    for thinking in made:
        thinking.close()
