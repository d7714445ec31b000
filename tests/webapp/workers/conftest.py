"""A pool with workers of a test's own."""

import pytest

from webapp.config import PoolLimits
from webapp.workers.pool import WorkerPool


@pytest.fixture
def pool_with():
    made = []

    def make(make_worker, *, slow_only=False, **limits):
        """With `slow_only` nothing goes to the quick worker, which gives up early."""
        usual = {"workers": 1, "queue": 16, "each": 16, "grace": 0.3, "first_grace": 0.3}
        made.append(pool := WorkerPool(make_worker, PoolLimits(**(usual | limits))))
        if slow_only:
            pool._accepts = lambda number, entry: number == 1
        return pool

    yield make
    for pool in made:
        pool.close()
