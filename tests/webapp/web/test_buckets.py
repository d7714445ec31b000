"""Rates that web processes share, whichever of them is asked."""

from itertools import count
from multiprocessing import get_context

import pytest

from webapp.config import PoolLimits, Rate
from webapp.web.buckets import SLOTS, Bucket, SharedBuckets
from webapp.web.errors import TooManyRequestsError
from webapp.web.rate_limits import Allowance

RATE = Rate(0.0001, 50)


def takes(file, clock=None):
    """How many tokens someone gets before they are refused."""
    allowance = Allowance(RATE, *([clock] if clock else []), buckets=SharedBuckets(file))
    for taken in count():
        try:
            allowance.take("someone")
        except TooManyRequestsError:
            return taken
    return None


def report(file, found):
    found.put(takes(file))


def test_processes_share_one_allowance_to_the_token(tmp_path):
    context = get_context("spawn")
    found = context.Queue()
    processes = [context.Process(target=report, args=(tmp_path / "x", found)) for _ in range(4)]
    for process in processes:
        process.start()
    taken = [found.get(timeout=120) for _ in processes]
    for process in processes:
        process.join()
    assert sum(taken) == 50


def test_what_was_taken_comes_back_with_time(tmp_path):
    now = [100.0]
    assert takes(tmp_path / "x", lambda: now[0]) == 50
    now[0] += 10 / RATE.per_second
    assert takes(tmp_path / "x", lambda: now[0]) == 10
    now[0] -= 50  # of a process whose request came earlier
    assert takes(tmp_path / "x", lambda: now[0]) == 0


def test_names_are_told_apart_and_those_used_longest_ago_are_forgotten(tmp_path):
    buckets = SharedBuckets(tmp_path / "x")
    for number in range(4 * SLOTS):
        with buckets.held(f"visitor {number}", Bucket(9.0, float(number))) as bucket:
            bucket.left -= number % 7
    kept = []
    for number in range(4 * SLOTS - 1000, 4 * SLOTS):
        with buckets.held(f"visitor {number}", Bucket(-1.0, 0.0)) as bucket:
            kept.append(bucket.left)
    wrong = [left for number, left in enumerate(kept, 4 * SLOTS - 1000) if left != 9 - number % 7]
    assert set(wrong) <= {-1.0}  # forgotten, never another's
    assert len(wrong) < 50


@pytest.mark.parametrize("processes", [1, 2, 4, 16])
def test_web_processes_divide_what_they_may_think(processes):
    whole = PoolLimits(workers=8, queue=64, each=12)
    part = whole.divided(processes)
    assert part.workers == max(1, 8 // processes)
    assert part.queue * processes >= 64
    assert (processes == 1) == (part == whole)
