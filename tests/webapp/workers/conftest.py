"""A pool with workers of a test's own."""

import pytest

from webapp.config import PoolLimits
from webapp.workers.pool import WorkerPool


@pytest.fixture
def pool_with():
    made = []

    def make(make_worker, **limits):
        usual = {"workers": 1, "queue": 16, "each": 16, "grace": 0.3, "first_grace": 0.3}
        made.append(WorkerPool(make_worker, PoolLimits(**(usual | limits))))
        return made[-1]

    yield make
    for pool in made:
        pool.close()
