"""Whatever is sent to any route: no fault of ours, no huge page, no memory that grows."""

import logging
import resource
from collections import Counter

import pytest
from flask import request, request_started

from tests.soak import lessened
from tests.webapp.fuzzer import Fuzzer
from tests.webapp.visitor import AtOnce

log = logging.getLogger(__name__)

LARGEST_PAGE = 1 << 20  # bytes
MOST_MEMORY = 400 << 10  # kB that the process may grow by


class Quick(AtOnce):
    """Answers what a rule player would say at once, and nothing else ever."""

    def ask(self, *asked):
        pending = super(AtOnce, self).ask(*asked)
        while (found := self._queue.take(0.0, lambda entry: self._accepts(0, entry))) is not None:
            del self._waiting[found.item]
            self._running[found.item] = found
            self.run(found.item, self.workers[0])
        return pending


@pytest.fixture
def fuzzed(start, own_data, monkeypatch):
    """Sends so many requests from a seed; how many of each status."""
    monkeypatch.setattr("webapp.workers.client.WAIT_S", 0.0)

    def fuzz(seed, requests):
        app = start(Quick, think_seconds=0.05)
        fuzzer = Fuzzer(app, seed)
        routes = set()

        def note(sender, **_):
            if request.url_rule is not None:
                routes.add(request.url_rule.rule)

        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        statuses = Counter()
        for number in range(requests):
            with request_started.connected_to(note, app):
                sent, answer = fuzzer.step()
            status = answer.status_code
            statuses[status] += 1
            is_busy = status == 503 and "Retry-After" in answer.headers
            assert status < 500 or is_busy, (seed, number, status, sent)
            assert len(answer.data) < LARGEST_PAGE, (seed, number, sent)
            answer.close()
        assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < MOST_MEMORY
        rules = {rule.rule for rule in fuzzer.rules}
        log.info("seed %d: %s; %d of %d routes", seed, dict(statuses), len(routes), len(rules))
        return statuses, len(routes & rules) / len(rules)

    return fuzz


@pytest.mark.slow
def test_no_request_of_hundreds_breaks_a_page(fuzzed):
    statuses, visited = fuzzed(1, 400)
    assert statuses[200] > 50
    assert visited > 0.5


@pytest.mark.stores
@pytest.mark.soak
@pytest.mark.parametrize("seed", range(2, 7))
def test_none_of_fifty_thousand_requests_breaks_a_page(fuzzed, seed):
    statuses, visited = fuzzed(seed, lessened(10_000, 400))
    assert statuses[200] > 50
    assert visited > 0.5
