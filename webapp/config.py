"""Configuration: everything the app can be told, read once from the environment."""

from __future__ import annotations

import ipaddress
import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from agents.compute.paths import data_dir
from agents.compute.processes import processors
from engine.errors import ZermeloError

NAME = "secret.key"
SHORTEST = 16  # characters; what we make has 64


class SecretKeyError(ZermeloError):
    """A key that would sign nothing safely."""


def secret_key(place: Path) -> str:
    """The key kept in this directory; the first process to ask makes it, the others read it.

    Raises SecretKeyError.
    """
    path = place / NAME
    if not path.exists():
        _make(path)
    key = path.read_bytes()
    if len(key.strip()) < SHORTEST or not key.isascii():
        advice = "remove it and a new one is made; everyone is then a new player"
        raise SecretKeyError(f"{path} holds no key of {SHORTEST} letters and digits: {advice}")
    return key.decode("ascii")


def _make(path: Path) -> None:
    """Write it whole under another name, then link: nobody ever reads half a key."""
    draft = path.with_name(f"{NAME}.{secrets.token_hex(8)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(secrets.token_hex(32))
    try:
        path.hardlink_to(draft)
    except FileExistsError:  # another process was quicker, and its key counts
        pass
    finally:
        draft.unlink()


LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
MOST_OFTEN = 1_000_000


class ConfigError(ZermeloError):
    """A setting in the environment that cannot be used."""


@dataclass(frozen=True, slots=True)
class Config:
    """How this server runs. Times are in seconds, rates per second."""

    database_url: str
    secret_key: str = field(repr=False)
    trusted_hosts: tuple[str, ...] = LOOPBACK
    listens: str = "127.0.0.1"  # the address that is listened on
    behind_proxy: bool = False  # believe X-Forwarded-For, -Proto and -Host of one proxy
    workers: int = 2  # processes that think
    think_seconds: float = 5.0  # the most an agent is given for a move
    grace_seconds: float = 5.0  # beyond that before it is stopped
    first_grace_seconds: float = 90.0  # the same while its kernels may still be compiled
    queue: int = 64  # thoughts under way or waiting
    thoughts_each: int = 12  # of these, for one visitor
    desk_memory: int = 700 << 20  # bytes a thinking process may hold before it is replaced
    warm_up: bool = True  # ask every agent once in the background, so that its kernels are ready
    jobs: bool = True  # `zermelo serve` keeps jobs going itself
    job_workers: int = 2  # processes that train and play arenas
    cluster: str | None = None  # the scheduler of a cluster that does it instead
    job_niceness: int = 10  # how far they step back for whoever answers players
    jobs_each: int = 3  # jobs under way, for one visitor
    jobs_kept: int = 50  # and jobs that are over: older ones go when another is begun
    brains_bytes: int = 50 << 20  # of brains, for one visitor
    jobs_queue: int = 60  # the same for all of them
    endgames: int | None = None  # then work out Quixo's with so many blanks, if that is not done
    player_rate: float = 8.0
    player_burst: float = 60.0
    address_rate: float = 400.0  # a class shares one address
    address_burst: float = 2000.0
    match_rate: float = 0.5  # matches begun, for one player; an import counts by its plies too
    match_burst: float = 60.0
    address_match_rate: float = 20.0
    address_match_burst: float = 1000.0
    newcomer_rate: float = 1.0  # players who begin their first match, from one address
    newcomer_burst: float = 250.0
    guess_rate: float = 0.2  # codes of no class, for one visitor
    guess_burst: float = 12.0
    address_guess_rate: float = 2.0  # the same for those without a cookie, from one address
    address_guess_burst: float = 300.0
    largest_body: int = 64 * 1024  # bytes of a form
    larger_bodies: tuple[tuple[str, int], ...] = (
        ("/brains/upload", 8 << 20),
        ("/matches/import", 512 * 1024),  # all of one's own
    )  # where more may be sent: how the path begins
    connections: int = 1000  # open at a time
    request_seconds: float = 20.0  # in which a request has to arrive whole
    idle_seconds: float = 60.0  # a connection is kept open between requests
    keep_unfinished_days: float | None = None  # untouched for longer, a match is removed

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Config:
        """The settings of `ZERMELO_…`, each optional; raises ConfigError."""
        place = data_dir()
        return cls(
            database_url=database_url(environment.get("ZERMELO_DATABASE_URL"), place),
            secret_key=environment.get("ZERMELO_SECRET_KEY") or secret_key(place),
            trusted_hosts=_hosts(environment.get("ZERMELO_TRUSTED_HOSTS", "")),
            behind_proxy=environment.get("ZERMELO_PROXY", "") not in ("", "0", "no"),
            workers=int(_number(environment, "ZERMELO_WORKERS", default_workers(), 1, 256)),
            think_seconds=_number(environment, "ZERMELO_THINK_SECONDS", 5.0, 0.05, 60.0),
            queue=int(_number(environment, "ZERMELO_QUEUE", 64, 1, 10_000)),
            thoughts_each=int(_number(environment, "ZERMELO_THOUGHTS_EACH", 12, 1, 10_000)),
            desk_memory=int(_number(environment, "ZERMELO_DESK_MB", 700, 100, 1_000_000)) << 20,
            warm_up=environment.get("ZERMELO_WARM_UP", "") not in ("0", "no"),
            jobs=environment.get("ZERMELO_JOBS", "") not in ("0", "no"),
            cluster=_cluster(environment.get("ZERMELO_CLUSTER")),
            job_workers=int(_number(environment, "ZERMELO_JOB_WORKERS", processors(), 1, 256)),
            endgames=ENDGAMES.get(environment.get("ZERMELO_ENDGAMES", ""), 1),
            **_bounds(environment),
        )

    def body_bound(self, path: str) -> int:
        """The most bytes that may be sent to this path."""
        larger = (size for start, size in self.larger_bodies if path.startswith(start))
        return max(larger, default=self.largest_body)


# What `ZERMELO_ENDGAMES` has worked out; boards with two blanks take memory that few have to spare.
ENDGAMES = {"0": None, "no": None, "2": 2}
# A rate is written as `8/60`: so many a second, and so many at once after a pause.
RATES = {
    "ZERMELO_PLAYER_REQUESTS": ("player_rate", "player_burst"),
    "ZERMELO_ADDRESS_REQUESTS": ("address_rate", "address_burst"),
    "ZERMELO_PLAYER_MATCHES": ("match_rate", "match_burst"),
    "ZERMELO_ADDRESS_MATCHES": ("address_match_rate", "address_match_burst"),
    "ZERMELO_ADDRESS_NEWCOMERS": ("newcomer_rate", "newcomer_burst"),
}
NUMBERS: dict[str, tuple[str, type[int] | type[float], float, float]] = {
    "ZERMELO_LARGEST_BODY": ("largest_body", int, 1024, 1 << 30),
    "ZERMELO_BRAINS_BYTES": ("brains_bytes", int, 1 << 16, 1 << 40),
    "ZERMELO_JOB_NICENESS": ("job_niceness", int, 0, 19),
    "ZERMELO_JOBS_EACH": ("jobs_each", int, 1, 10_000),
    "ZERMELO_JOBS_KEPT": ("jobs_kept", int, 1, 10_000),
    "ZERMELO_JOBS_QUEUE": ("jobs_queue", int, 1, 100_000),
    "ZERMELO_CONNECTIONS": ("connections", int, 10, 100_000),
    "ZERMELO_REQUEST_SECONDS": ("request_seconds", float, 1, 3600),
    "ZERMELO_IDLE_SECONDS": ("idle_seconds", float, 1, 3600),
    "ZERMELO_KEEP_UNFINISHED_DAYS": ("keep_unfinished_days", float, 0.01, 36_500),
}


def _bounds(environment: Mapping[str, str]) -> dict[str, Any]:
    """Of the bounds on what visitors may do, those that are set."""
    given: dict[str, Any] = {}
    for name, fields in RATES.items():
        if text := environment.get(name):
            given |= zip(fields, _rate(name, text), strict=True)
    for name, (setting, kind, low, high) in NUMBERS.items():
        if environment.get(name):
            given[setting] = kind(_number(environment, name, 0, low, high))
    return given


def _rate(name: str, text: str) -> tuple[float, float]:
    rate, _, burst = text.partition("/")
    try:
        found = float(rate), float(burst)
    except ValueError:
        found = (0.0, 0.0)
    if not (0 < found[0] <= MOST_OFTEN and 1 <= found[1] <= MOST_OFTEN):
        why = f"{name} is a rate such as 8/60, so many a second and so many at once, not {text!r}"
        raise ConfigError(why)
    return found


def database_url(given: str | None, place: Path) -> str:
    """The database named in the environment, or a file in the data directory."""
    if not given:
        return f"sqlite:///{place / 'zermelo.sqlite'}"
    for scheme in ("postgres://", "postgresql://"):
        if given.startswith(scheme):
            return f"postgresql+psycopg://{given.removeprefix(scheme)}"
    return given


def _cluster(address: str | None) -> str | None:
    """The address of a scheduler, if one is given; raises ConfigError for one nobody may use."""
    if not address:
        return None
    try:
        return check_address(address)
    except ZermeloError as error:
        raise ConfigError(f"ZERMELO_CLUSTER: {error}") from error


def default_workers() -> int:
    """As many thinking processes as there are processors, but at least two."""
    return max(2, os.cpu_count() or 1)


def _hosts(text: str) -> tuple[str, ...]:
    named = tuple(part.strip() for part in text.split(",") if part.strip())
    return (*LOOPBACK, *named)


def _number(
    environment: Mapping[str, str], name: str, default: float, low: float, high: float
) -> float:
    text = environment.get(name)
    if not text:
        return default
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not low <= value <= high:
        raise ConfigError(f"{name} is a number from {low:g} to {high:g}, not {text!r}")
    return value


class ClusterError(ZermeloError):
    """A cluster that cannot be used."""


def check_address(address: str) -> str:
    """The address, if what is sent there stays among us; raises ClusterError.

    A scheduler unpickles whatever it is sent: whoever reaches it may run anything on it.
    """
    parts = urlsplit(address)
    if parts.scheme not in ("tcp", "tls") or not parts.hostname:
        raise ClusterError(f"a cluster's address is tcp://host:port or tls://…, not {address!r}")
    if parts.scheme == "tcp" and not _is_loopback(parts.hostname):
        why = f"{address} is open to its network, and a scheduler runs whatever it is sent"
        raise ClusterError(f"{why}: use tls://, or tcp:// on this machine alone")
    return address


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
