"""The configuration of the app, read once from the environment."""

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

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
MAX_RATE = 1_000_000  # requests a second
KEY_FILE = "secret.key"
MIN_KEY_CHARS = 16  # generated keys have 64


class ConfigError(ZermeloError):
    """A setting in the environment that cannot be used."""


class SecretKeyError(ZermeloError):
    """A secret key that is too short, or no text."""


class ClusterError(ZermeloError):
    """A cluster that cannot be used."""


@dataclass(frozen=True, slots=True)
class Config:
    """How this server runs. Times are in seconds, rates per second."""

    database_url: str
    secret_key: str = field(repr=False)
    trusted_hosts: tuple[str, ...] = LOOPBACK
    listens: str = "127.0.0.1"  # the address that is listened on
    behind_proxy: bool = False  # trust X-Forwarded-For, -Proto and -Host of one proxy
    workers: int = 2  # processes that run agents
    think_seconds: float = 5.0  # time limit of an agent for a move
    grace_seconds: float = 5.0  # beyond that before it is stopped
    first_grace_seconds: float = 90.0  # the same while its kernels may still be compiled
    queue: int = 64  # requests to workers, running or waiting
    thoughts_each: int = 12  # of these, for one visitor
    worker_memory: int = 700 << 20  # bytes a worker may hold before it is replaced
    warm_up: bool = True  # run every agent once in the background, so that its kernels are compiled
    jobs: bool = True  # `zermelo serve` runs jobs itself
    job_workers: int = 2  # processes for training and arenas
    cluster: str | None = None  # address of a Dask scheduler to run them instead
    job_niceness: int = 10  # so that players are answered first
    jobs_each: int = 3  # queued and running jobs, for one visitor
    jobs_kept: int = 50  # finished jobs, for one visitor: older ones are removed
    jobs_queue: int = 60  # queued and running jobs of all visitors
    brains_bytes: int = 50 << 20  # of brains, for one visitor
    endgames: int | None = None  # after the warm-up, solve those of Quixo with so many blanks
    player_rate: float = 8.0
    player_burst: float = 60.0
    address_rate: float = 400.0  # a class shares one address
    address_burst: float = 2000.0
    match_rate: float = 0.5  # new matches, for one player; an import counts by its plies too
    match_burst: float = 60.0
    address_match_rate: float = 20.0
    address_match_burst: float = 1000.0
    newcomer_rate: float = 1.0  # first matches of players, from one address
    newcomer_burst: float = 250.0
    guess_rate: float = 0.2  # wrong class codes, for one visitor
    guess_burst: float = 12.0
    address_guess_rate: float = 2.0  # the same for those without a cookie, from one address
    address_guess_burst: float = 300.0
    largest_body: int = 64 * 1024  # bytes of a form
    larger_bodies: tuple[tuple[str, int], ...] = (
        ("/brains/upload", 8 << 20),
        ("/matches/import", 512 * 1024),  # all of one's own
    )  # by the start of the path
    connections: int = 1000  # open at a time
    request_seconds: float = 20.0  # to receive a request
    idle_seconds: float = 60.0  # a connection is kept open between requests
    keep_unfinished_days: float | None = None  # after which an unfinished match is removed

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Config:
        """The settings of `ZERMELO_…`, each optional; raises ConfigError."""
        directory = data_dir()
        return cls(
            database_url=database_url(environment.get("ZERMELO_DATABASE_URL"), directory),
            secret_key=environment.get("ZERMELO_SECRET_KEY") or secret_key(directory),
            trusted_hosts=_hosts(environment.get("ZERMELO_TRUSTED_HOSTS", "")),
            behind_proxy=environment.get("ZERMELO_PROXY", "") not in ("", "0", "no"),
            workers=int(_number(environment, "ZERMELO_WORKERS", default_workers(), 1, 256)),
            think_seconds=_number(environment, "ZERMELO_THINK_SECONDS", 5.0, 0.05, 60.0),
            queue=int(_number(environment, "ZERMELO_QUEUE", 64, 1, 10_000)),
            thoughts_each=int(_number(environment, "ZERMELO_THOUGHTS_EACH", 12, 1, 10_000)),
            worker_memory=int(_number(environment, "ZERMELO_DESK_MB", 700, 100, 1_000_000)) << 20,
            warm_up=environment.get("ZERMELO_WARM_UP", "") not in ("0", "no"),
            jobs=environment.get("ZERMELO_JOBS", "") not in ("0", "no"),
            cluster=_cluster(environment.get("ZERMELO_CLUSTER")),
            job_workers=int(_number(environment, "ZERMELO_JOB_WORKERS", processors(), 1, 256)),
            endgames=ENDGAMES.get(environment.get("ZERMELO_ENDGAMES", ""), 1),
            **_limits(environment),
        )

    def body_bound(self, path: str) -> int:
        """Maximum body size of a request to this path, in bytes."""
        larger = (size for start, size in self.larger_bodies if path.startswith(start))
        return max(larger, default=self.largest_body)


# Values of `ZERMELO_ENDGAMES`, else 1: two blanks take more memory than most machines have.
ENDGAMES = {"0": None, "no": None, "2": 2}
# Written as `8/60`: rate per second, and burst.
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


def _limits(environment: Mapping[str, str]) -> dict[str, Any]:
    """The rates and numbers that are set."""
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
    if not (0 < found[0] <= MAX_RATE and 1 <= found[1] <= MAX_RATE):
        why = f"{name} is a rate such as 8/60, so many a second and so many at once, not {text!r}"
        raise ConfigError(why)
    return found


def database_url(given: str | None, directory: Path) -> str:
    """The database named in the environment, or a file in the data directory."""
    if not given:
        return f"sqlite:///{directory / 'zermelo.sqlite'}"
    for scheme in ("postgres://", "postgresql://"):
        if given.startswith(scheme):
            return f"postgresql+psycopg://{given.removeprefix(scheme)}"
    return given


def _cluster(address: str | None) -> str | None:
    """The address of a scheduler, if one is given; raises ConfigError."""
    if not address:
        return None
    try:
        return check_cluster_address(address)
    except ZermeloError as error:
        raise ConfigError(f"ZERMELO_CLUSTER: {error}") from error


def default_workers() -> int:
    """One for each processor, but at least two."""
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


def secret_key(directory: Path) -> str:
    """The key in this directory; the first process generates it, the others read it.

    Raises SecretKeyError.
    """
    path = directory / KEY_FILE
    if not path.exists():
        _write_key(path)
    key = path.read_bytes()
    if len(key.strip()) < MIN_KEY_CHARS or not key.isascii():
        advice = "remove it and a new one is made; everyone is then a new player"
        raise SecretKeyError(f"{path} holds no key of {MIN_KEY_CHARS} letters and digits: {advice}")
    return key.decode("ascii")


def _write_key(path: Path) -> None:
    """Write to a temporary file, then link it: no process ever reads half a key."""
    draft = path.with_name(f"{KEY_FILE}.{secrets.token_hex(8)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(secrets.token_hex(32))
    try:
        path.hardlink_to(draft)
    except FileExistsError:  # another process was quicker, and its key counts
        pass
    finally:
        draft.unlink()


def check_cluster_address(address: str) -> str:
    """The address, if only this machine or TLS peers reach it; raises ClusterError.

    A scheduler unpickles what it receives: anyone who reaches it can run code on it.
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
