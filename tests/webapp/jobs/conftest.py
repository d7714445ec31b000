"""The store of jobs, without a bound that tests would meet."""

import pytest

from tests.webapp.jobs.working import MANY
from webapp.jobs.store import JobStore


@pytest.fixture
def store(opened):
    return JobStore(opened, MANY)
