"""Rate limits: token buckets by player and, more generously, by address."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import IPv6Address, IPv6Network
from math import ceil
from threading import Lock
from time import monotonic

from flask import Flask, request

from webapp.config import Rate, Rates
from webapp.web.cookies import current_player, is_newcomer
from webapp.web.errors import TooManyRequestsError

MAX_BUCKETS = 10_000  # of an allowance
PLIES_PER_MATCH = 100  # of an imported or copied match, that count as another match


@dataclass(slots=True)
class Bucket:
    """Tokens left, and when that was."""

    left: float
    at: float


class Allowance:
    """A token bucket for each name; the least recently used are forgotten."""

    def __init__(self, rate: Rate, clock: Callable[[], float] = monotonic) -> None:
        self._rate = rate.per_second
        self._burst = rate.burst
        self._clock = clock
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()
        self._lock = Lock()

    def take(self, name: str, amount: float = 1) -> None:
        """Take tokens; raises TooManyRequestsError with the seconds until there are enough."""
        self._take(name, amount, amount)

    def check(self, name: str) -> None:
        """Raises as `take` would, and takes nothing."""
        self._take(name, 1, 0)

    def _take(self, name: str, amount: float, used: float) -> None:
        amount = min(amount, self._burst)  # there are never more
        with self._lock:
            now = self._clock()
            bucket = self._buckets.setdefault(name, Bucket(self._burst, now))
            self._buckets.move_to_end(name)
            if len(self._buckets) > MAX_BUCKETS:
                self._buckets.popitem(last=False)
            bucket.left = min(self._burst, bucket.left + (now - bucket.at) * self._rate)
            bucket.at = now
            if bucket.left < amount:
                wait = ceil((amount - bucket.left) / self._rate)
                seconds = f"{wait} second{'s' if wait > 1 else ''}"
                why = f"that was too fast: go on in {seconds}"
                raise TooManyRequestsError(why, wait)
            bucket.left -= min(used, amount)


@dataclass(frozen=True, slots=True)
class RateLimits:
    """All allowances of an app, taken from for the visitor of the current request."""

    by_player: Allowance
    by_address: Allowance
    matches_by_player: Allowance
    matches_by_address: Allowance
    newcomers: Allowance
    guesses: Allowance  # of codes that lead to no class, by visitor
    guesses_by_address: Allowance  # the same for visitors without a cookie

    @classmethod
    def of(cls, rates: Rates) -> RateLimits:
        return cls(
            by_player=Allowance(rates.player),
            by_address=Allowance(rates.address),
            matches_by_player=Allowance(rates.match),
            matches_by_address=Allowance(rates.address_match),
            newcomers=Allowance(rates.newcomer),
            guesses=Allowance(rates.guess),
            guesses_by_address=Allowance(rates.address_guess),
        )

    def spend(self) -> None:
        """Count this request; raises TooManyRequestsError."""
        self.by_address.take(client_network())
        if (player := current_player()) is not None:
            self.by_player.take(player)

    def spend_on_match(self, plies: int) -> None:
        """Count a match that is about to be stored, the more the longer it is already.

        A visitor without a cookie is new each time, so that only the address can be counted;
        raises TooManyRequestsError.
        """
        amount = 1 + plies // PLIES_PER_MATCH
        network = client_network()
        if is_newcomer():
            self.newcomers.take(network, amount)
        else:
            self.matches_by_player.take(visitor_key(), amount)
        self.matches_by_address.take(network, amount)


def visitor_key() -> str:
    """Whose share a request uses: a player's, or that of an address without a cookie."""
    return current_player() or f"address {client_network()}"


def client_network() -> str:
    """The network this request comes from, as far as visitors can be told apart by it."""
    return network_of(request.remote_addr or "")


def network_of(address: str) -> str:
    """The address, or the /64 network of an IPv6 address: one visitor has all of it."""
    try:
        found = IPv6Address(address.partition("%")[0])
    except ValueError:
        return address
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(IPv6Network((found, 64), strict=False).network_address)


def register(app: Flask, bound: Callable[[str], int]) -> None:
    """Set the maximum body size of each request, by its path."""

    @app.before_request
    def set_bound() -> None:
        request.max_content_length = request.max_form_memory_size = bound(request.path)
