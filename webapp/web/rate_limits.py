"""Rate limits: token buckets by player and, more generously, by address."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import fields
from hashlib import sha256
from ipaddress import IPv6Address, IPv6Network
from math import ceil
from pathlib import Path
from time import monotonic

from flask import current_app, g, request

from webapp.config import Rate, Rates, Share
from webapp.web.buckets import Bucket, Buckets, LocalBuckets, SharedBuckets
from webapp.web.cookies import current_player, is_newcomer, player_of_this_request
from webapp.web.errors import TooManyRequestsError, is_api_request

ORIGIN_CHARS = 32
RESERVE = 1 / 3  # of an address's burst, for players who have taken nothing lately
SHORT = 0.5  # of the burst of newcomers: with less left, a page gives its visitor a cookie
PLIES_PER_MATCH = 100  # of an imported or copied match, that count as another match


class Allowance:
    """A token bucket for each name; the least recently used are forgotten."""

    def __init__(
        self,
        rate: Rate,
        clock: Callable[[], float] = monotonic,
        buckets: Buckets | None = None,
    ) -> None:
        self.rate = rate
        self._rate = rate.per_second
        self._burst = rate.burst
        self._clock = clock
        self._buckets: Buckets = LocalBuckets() if buckets is None else buckets

    def take(self, name: str, amount: float = 1, reserve: float = 0.0) -> int:
        """Take tokens and return how many are left; a share of the burst stays in reserve.

        Raises TooManyRequestsError with the seconds until there are enough.
        """
        kept = self._burst * reserve
        return self._take(name, min(amount, self._burst - kept), kept)

    def check(self, name: str) -> None:
        """Raises as `take` would, and takes nothing."""
        self._take(name, 0, 1)

    def share_left(self, name: str) -> float:
        """From 0 to 1: how much of the burst is left."""
        with self._filled(name) as bucket:
            return bucket.left / self._burst

    def _take(self, name: str, amount: float, kept: float) -> int:
        """Take so many tokens if at least `kept` are left then."""
        with self._filled(name) as bucket:
            if bucket.left < amount + kept:
                wait = ceil((amount + kept - bucket.left) / self._rate)
                seconds = f"{wait} second{'s' if wait > 1 else ''}"
                why = f"that was too fast: go on in {seconds}"
                raise TooManyRequestsError(why, wait)
            bucket.left -= amount
            return int(bucket.left)

    @contextmanager
    def _filled(self, name: str) -> Iterator[Bucket]:
        """The bucket with what has come since it was last looked at."""
        now = self._clock()
        with self._buckets.held(name, Bucket(self._burst, now)) as bucket:
            passed = max(0.0, now - bucket.at)  # another process may have looked later
            bucket.left = min(self._burst, bucket.left + passed * self._rate)
            bucket.at = max(now, bucket.at)
            yield bucket


# Makes an allowance of a rate, under a name that all processes give it.
MakeAllowance = Callable[[str, Rate], Allowance]


class SharedAllowance:
    """The three allowances of something costly, taken from for the current request's visitor.

    Newcomers of an address who exhaust theirs are given a cookie, and are players from then on: so
    one visitor who sends none back keeps nobody else out. Of an address's allowance the last third
    is for players who have taken nothing lately.
    """

    def __init__(self, name: str, share: Share, make: MakeAllowance) -> None:
        self._player = make(f"{name}-player", share.player)
        self._newcomers = make(f"{name}-newcomers", share.newcomers)
        self._address = make(f"{name}-address", share.address)

    def take(self, amount: float = 1) -> None:
        """Count it; raises TooManyRequestsError.

        A visitor without a cookie or a token is new each time, so that only the address counts.
        """
        network, reserve = client_network(), 0.0
        if is_newcomer() and "bearer" not in g:
            if not is_api_request():
                player_of_this_request()
            self._newcomers.take(network, amount)
        else:
            visitor = visitor_key()
            reserve = 0.0 if self._player.share_left(visitor) == 1.0 else RESERVE
            self._player.take(visitor, amount)
        self._address.take(network, amount, reserve)

    def is_short(self) -> bool:
        """Whether newcomers of this request's address have used up most of their allowance."""
        return self._newcomers.share_left(client_network()) < SHORT


class RateLimits:
    """All allowances of an app, taken from for the visitor of the current request.

    A feature with something costly adds a `Share` to `Rates` and calls `spend_on` with its name.
    """

    def __init__(self, rates: Rates, shared: Path | None = None) -> None:
        """With a directory, its processes share them."""

        def make(name: str, rate: Rate) -> Allowance:
            buckets = None if shared is None else SharedBuckets(shared / name)
            return Allowance(rate, buckets=buckets)

        self.by_player = make("player", rates.player)
        self.by_address = make("address", rates.address)
        self._shared = {
            each.name: SharedAllowance(each.name, share, make)
            for each in fields(rates)
            if isinstance(share := getattr(rates, each.name), Share)
        }
        matches = Share(rates.match, rates.newcomer, rates.address_match)
        self._shared["matches"] = SharedAllowance("matches", matches, make)
        # Of codes that lead to no class: by visitor, by address without a cookie, by address.
        self.guesses = make("guesses", rates.guess)
        self.guesses_by_address = make("address-guesses", rates.address_guess)
        self.all_guesses = make("all-guesses", rates.all_guesses)
        self.by_token = make("token", rates.token)  # requests to the API
        self.tokens_by_address = make("address-token", rates.address_token)  # with any token

    def spend(self) -> None:
        """Count this request; raises TooManyRequestsError."""
        self.by_address.take(client_network())
        if (player := current_player()) is not None:
            self.by_player.take(player)

    def admit_newcomer(self) -> None:
        """Give a newcomer who opens a page a cookie, where newcomers of their address are many."""
        is_page = request.method == "GET" and request.blueprint is not None and not is_api_request()
        if is_page and is_newcomer() and any(each.is_short() for each in self._shared.values()):
            player_of_this_request()

    def spend_on_match(self, plies: int) -> None:
        """Count a match that is about to be stored, the more the longer it is already.

        Raises TooManyRequestsError.
        """
        self.spend_on("matches", 1 + plies // PLIES_PER_MATCH)

    def spend_on(self, what: str, amount: float = 1) -> None:
        """Count something of which `Rates` has a share; raises TooManyRequestsError."""
        self._shared[what].take(amount)

    def count_guess(self, *, wrong: bool) -> None:
        """Count a wrong code, and refuse any code of a visitor who sent too many.

        They are counted by player, since a class shares one address; visitors without a cookie
        share an allowance by address, and get a cookie, with an allowance of their own, once that
        is used up. Cookies can be had without end, so all guesses of an address are counted too.
        """
        network, player = client_network(), current_player()
        guesses = self.guesses if player else self.guesses_by_address
        counted = [(guesses, player or network), (self.all_guesses, network)]
        try:
            for allowance, name in counted:
                allowance.check(name)
        except TooManyRequestsError:
            player_of_this_request()
            raise
        if wrong:
            for allowance, name in counted:
                allowance.take(name)


def visitor_key() -> str:
    """Whose share a request uses: a player's, a bot's, or that of an address without a cookie."""
    bearer: str | None = g.get("bearer")
    return bearer or current_player() or f"address {client_network()}"


def client_network() -> str:
    """The network this request comes from, as far as visitors can be told apart by it."""
    return network_of(request.remote_addr or "")


def origin() -> str:
    """The client's network as rows hold it: a digest that says nothing without our key."""
    text = f"{current_app.secret_key!r} {client_network()}"
    return sha256(text.encode()).hexdigest()[:ORIGIN_CHARS]


def network_of(address: str) -> str:
    """The address, or the /64 network of an IPv6 address: one visitor has all of it."""
    try:
        found = IPv6Address(address.partition("%")[0])
    except ValueError:
        return address
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(IPv6Network((found, 64), strict=False).network_address)
