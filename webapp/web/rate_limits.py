"""How often one may ask: counted by player first, and only generously by address."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import IPv6Address, IPv6Network
from math import ceil
from threading import Lock
from time import monotonic

from flask import Flask, request

from webapp.web.errors import TooManyRequestsError

REMEMBERED = 10_000


@dataclass(slots=True)
class Bucket:
    """What is left of an allowance, and when that was."""

    left: float
    at: float


class Allowance:
    """A bucket for each name, refilled at a rate. Names not seen for longest are forgotten."""

    def __init__(self, rate: float, burst: float, clock: Callable[[], float] = monotonic) -> None:
        self._rate = rate
        self._burst = burst
        self._clock = clock
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()
        self._lock = Lock()

    def take(self, name: str, amount: float = 1) -> None:
        """Use some up; raises TooManyRequestsError with the seconds until there is enough."""
        self._take(name, amount, amount)

    def check(self, name: str) -> None:
        """Raises as `take` would, and uses nothing up."""
        self._take(name, 1, 0)

    def _take(self, name: str, amount: float, used: float) -> None:
        amount = min(amount, self._burst)  # more than all is never there
        with self._lock:
            now = self._clock()
            bucket = self._buckets.setdefault(name, Bucket(self._burst, now))
            self._buckets.move_to_end(name)
            if len(self._buckets) > REMEMBERED:
                self._buckets.popitem(last=False)
            bucket.left = min(self._burst, bucket.left + (now - bucket.at) * self._rate)
            bucket.at = now
            if bucket.left < amount:
                wait = ceil((amount - bucket.left) / self._rate)
                seconds = f"{wait} second{'s' if wait > 1 else ''}"
                why = f"that was too fast: go on in {seconds}"
                raise TooManyRequestsError(why, wait)
            bucket.left -= min(used, amount)


def network_of(address: str) -> str:
    """Whom an address stands for: in IPv6 one visitor has a whole /64 of them."""
    try:
        found = IPv6Address(address.partition("%")[0])
    except ValueError:
        return address
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(IPv6Network((found, 64), strict=False).network_address)


def register(app: Flask, bound: Callable[[str], int]) -> None:
    """Let every request know its bound before its body is read."""

    @app.before_request
    def set_bound() -> None:
        request.max_content_length = request.max_form_memory_size = bound(request.path)
