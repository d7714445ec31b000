"""The configuration of the app, read once from the environment."""

from __future__ import annotations

import ipaddress
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from agents.compute.paths import data_dir
from agents.compute.processes import processors
from agents.players.directory import VARIABLE as PLAYERS_VARIABLE
from engine.errors import ZermeloError
from webapp.secret_key import MIN_KEY_CHARS, secret_key

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
MAX_RATE = 1_000_000  # requests a second


class ConfigError(ZermeloError):
    """A setting in the environment that cannot be used."""


class ClusterError(ZermeloError):
    """A cluster that cannot be used."""


@dataclass(frozen=True, slots=True)
class Rate:
    """So many a second, and so many at once."""

    per_second: float
    burst: float

    @classmethod
    def read(cls, name: str, text: str) -> Rate:
        """Written as `8/60`; raises ConfigError."""
        rate, _, burst = text.partition("/")
        try:
            found = cls(float(rate), float(burst))
        except ValueError:
            found = cls(0.0, 0.0)
        if not (0 < found.per_second <= MAX_RATE and 1 <= found.burst <= MAX_RATE):
            why = (
                f"{name} is a rate such as 8/60, so many a second and so many at once, not {text!r}"
            )
            raise ConfigError(why)
        return found


@dataclass(frozen=True, slots=True)
class Share:
    """How often something costly may be done: a visitor without a cookie is known by address."""

    player: Rate  # one player
    newcomers: Rate  # all players of an address who come for the first time
    address: Rate  # everyone of an address: a class shares one

    @classmethod
    def read(cls, name: str, text: str) -> Share:
        """Written as `0.2/20,0.5/30,2/90`; raises ConfigError."""
        parts = text.split(",")
        if len(parts) != len(fields(cls)):
            why = "three rates such as 0.2/20,0.5/30,2/90: of a player, of newcomers, of an address"
            raise ConfigError(f"{name} is {why}, not {text!r}")
        return cls(*(Rate.read(name, part) for part in parts))


# Reads the text of a variable; raises ConfigError.
Reader = Callable[[str, str], Any]


def setting(default: Any, variable: str, read: Reader) -> Any:
    """A field with its default, or a function that gives it, and the variable that sets it."""
    metadata = {"variable": variable, "read": read}
    if callable(default):
        return field(default_factory=default, metadata=metadata)
    return field(default=default, metadata=metadata)


def number(low: float, high: float, unit: int = 1) -> Reader:
    """A number within bounds."""

    def read(name: str, text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = float("nan")
        if not low <= value <= high:
            raise ConfigError(f"{name} is a number from {low:g} to {high:g}, not {text!r}")
        return value * unit

    return read


def whole(low: int, high: int, unit: int = 1) -> Reader:
    """A whole number within bounds, of units that each count for so many."""
    read = number(low, high)
    return lambda name, text: int(read(name, text)) * unit


def flag(_: str, text: str) -> bool:
    return text not in ("0", "no")


def hosts(_: str, text: str) -> tuple[str, ...]:
    return (*LOOPBACK, *(part.strip() for part in text.split(",") if part.strip()))


ORIGIN = re.compile(r"https?://(\*\.)?[\w-]+(\.[\w-]+)*(:\d+)?", re.ASCII)


def origins(name: str, text: str) -> tuple[str, ...]:
    """Sites as a browser names them, separated by commas: `https://school.example`."""
    sites = tuple(part.strip() for part in text.split(",") if part.strip())
    for site in sites:
        if not ORIGIN.fullmatch(site):
            raise ConfigError(f"{name}: {site!r} is no site such as https://school.example")
    return sites


def metrics_token(name: str, text: str) -> str:
    """A secret that is not guessed."""
    if len(text) < MIN_KEY_CHARS:
        raise ConfigError(f"{name} has at least {MIN_KEY_CHARS} characters")
    return text


def folder(name: str, text: str) -> Path:
    """A directory that is there."""
    place = Path(text).expanduser()
    if not place.is_dir():
        raise ConfigError(f"{name}: there is no directory {text!r}")
    return place


def endgames(_: str, text: str) -> int | None:
    """One blank, unless another number is asked for: two take more memory than most have."""
    return {"0": None, "no": None, "2": 2}.get(text, 1)


def cluster(name: str, text: str) -> str:
    """The address of a scheduler."""
    try:
        return check_cluster_address(text)
    except ZermeloError as error:
        raise ConfigError(f"{name}: {error}") from error


def default_workers() -> int:
    """One for each processor, but at least two."""
    return max(2, os.cpu_count() or 1)


@dataclass(frozen=True, slots=True)
class PoolLimits:
    """How much workers run at a time, and for how long. Times are in seconds."""

    workers: int = setting(
        default_workers, "ZERMELO_WORKERS", whole(1, 256)
    )  # beside the quick one
    queue: int = setting(64, "ZERMELO_QUEUE", whole(1, 10_000))  # requests running or waiting
    each: int = setting(12, "ZERMELO_THOUGHTS_EACH", whole(1, 10_000))  # of these, for one visitor
    grace: float = 5.0  # beyond its time before an agent is stopped
    first_grace: float = 90.0  # the same while its kernels may still be compiled

    def divided(self, processes: int) -> PoolLimits:
        """The part of one of so many web processes, each of which has its own workers."""
        return replace(
            self,
            workers=max(1, self.workers // processes),
            queue=max(4, -(-self.queue // processes)),
            each=min(self.each, max(4, -(-self.each // processes))),
        )


@dataclass(frozen=True, slots=True)
class JobSettings:
    """Training, arenas and searches in the background."""

    served: bool = setting(True, "ZERMELO_JOBS", flag)  # `zermelo serve` runs them itself
    workers: int = setting(processors, "ZERMELO_JOB_WORKERS", whole(1, 256))  # processes
    cluster: str | None = setting(None, "ZERMELO_CLUSTER", cluster)  # Dask's scheduler, instead
    niceness: int = setting(10, "ZERMELO_JOB_NICENESS", whole(0, 19))  # players are answered first
    each: int = setting(3, "ZERMELO_JOBS_EACH", whole(1, 10_000))  # under way, for one visitor
    kept: int = setting(50, "ZERMELO_JOBS_KEPT", whole(1, 10_000))  # finished, for one visitor
    queue: int = setting(60, "ZERMELO_JOBS_QUEUE", whole(1, 100_000))  # under way, for all
    address: int = setting(
        45, "ZERMELO_JOBS_ADDRESS", whole(1, 100_000)
    )  # the same, of one address
    brains_bytes: int = setting(  # of brains, for one visitor
        50 << 20, "ZERMELO_BRAINS_BYTES", whole(1 << 16, 1 << 40)
    )
    all_brains_bytes: int = setting(  # of brains, for all
        2 << 30, "ZERMELO_ALL_BRAINS_BYTES", whole(1 << 16, 1 << 50)
    )
    # After which a brain goes that its owner has not come back to.
    keep_brains_days: float = setting(365.0, "ZERMELO_KEEP_BRAINS_DAYS", number(0.01, 36_500))

    @property
    def shared_queue(self) -> int:
        """Places for anyone; the others are for owners and networks without a job under way."""
        return self.queue - self.queue // 3


@dataclass(frozen=True, slots=True)
class HttpLimits:
    """What the server takes. Times are in seconds."""

    connections: int = setting(1000, "ZERMELO_CONNECTIONS", whole(10, 100_000))  # open at a time
    request: float = setting(20.0, "ZERMELO_REQUEST_SECONDS", number(1, 3600))  # to receive one
    # A connection is kept open between two requests, and without reading from a response.
    idle: float = setting(60.0, "ZERMELO_IDLE_SECONDS", number(1, 3600))
    largest_body: int = setting(64 * 1024, "ZERMELO_LARGEST_BODY", whole(1024, 1 << 30))  # bytes
    larger_bodies: tuple[tuple[str, int], ...] = (
        ("/brains/upload", 8 << 20),
        ("/matches/import", 512 * 1024),  # all of one's own
    )  # by the start of the path

    def body_bound(self, path: str) -> int:
        """Maximum body size of a request to this path, in bytes."""
        larger = (size for start, size in self.larger_bodies if path.startswith(start))
        return max(larger, default=self.largest_body)


@dataclass(frozen=True, slots=True)
class Rates:
    """How often visitors may do what costs something."""

    player: Rate = setting(Rate(8.0, 60.0), "ZERMELO_PLAYER_REQUESTS", Rate.read)
    address: Rate = setting(  # a class shares one
        Rate(400.0, 2000.0), "ZERMELO_ADDRESS_REQUESTS", Rate.read
    )
    # New matches, for one player; an import counts by its plies too.
    match: Rate = setting(Rate(0.5, 60.0), "ZERMELO_PLAYER_MATCHES", Rate.read)
    address_match: Rate = setting(Rate(20.0, 1000.0), "ZERMELO_ADDRESS_MATCHES", Rate.read)
    newcomer: Rate = setting(  # first matches of players, from one address
        Rate(1.0, 250.0), "ZERMELO_ADDRESS_NEWCOMERS", Rate.read
    )
    jobs: Share = setting(
        Share(Rate(0.2, 20.0), Rate(0.5, 30.0), Rate(2.0, 90.0)), "ZERMELO_RATE_JOBS", Share.read
    )
    uploads: Share = setting(
        Share(Rate(0.1, 10.0), Rate(0.05, 10.0), Rate(0.5, 60.0)),
        "ZERMELO_RATE_UPLOADS",
        Share.read,
    )
    classes: Share = setting(
        Share(Rate(0.02, 10.0), Rate(0.05, 10.0), Rate(0.2, 30.0)),
        "ZERMELO_RATE_CLASSES",
        Share.read,
    )
    seats: Share = setting(  # a class of 200 may join at once
        Share(Rate(0.1, 20.0), Rate(3.0, 250.0), Rate(5.0, 400.0)),
        "ZERMELO_RATE_SEATS",
        Share.read,
    )
    bots: Share = setting(  # that join: a class of 60 may do so at once, twice
        Share(Rate(0.1, 10.0), Rate(0.5, 150.0), Rate(0.5, 150.0)), "ZERMELO_RATE_BOTS", Share.read
    )
    puzzles: Share = setting(  # answers: a class of 200 may begin at once
        Share(Rate(2.0, 120.0), Rate(3.0, 250.0), Rate(40.0, 1000.0)),
        "ZERMELO_RATE_PUZZLES",
        Share.read,
    )
    # Requests to the API: with one token, and from one address, which a class shares.
    token: Rate = setting(Rate(40.0, 200.0), "ZERMELO_TOKEN_REQUESTS", Rate.read)
    address_token: Rate = setting(Rate(1500.0, 4000.0), "ZERMELO_ADDRESS_TOKEN_REQUESTS", Rate.read)
    guess: Rate = Rate(0.2, 12.0)  # wrong class codes, for one visitor
    address_guess: Rate = Rate(2.0, 300.0)  # the same without a cookie, from one address
    all_guesses: Rate = Rate(4.0, 600.0)  # all of them, from one address: cookies are to be had


@dataclass(frozen=True, slots=True)
class Config:
    """How this server runs."""

    database_url: str
    secret_key: str = field(repr=False)
    trusted_hosts: tuple[str, ...] = setting(LOOPBACK, "ZERMELO_TRUSTED_HOSTS", hosts)
    # Sites whose pages may frame /embed.
    embed: tuple[str, ...] = setting((), "ZERMELO_EMBED", origins)
    # Sites whose pages may use the API (CORS).
    api_origins: tuple[str, ...] = setting((), "ZERMELO_API_ORIGINS", origins)
    listens: str = "127.0.0.1"  # the address that is listened on
    # Trust X-Forwarded-For, -Proto and -Host of one proxy.
    behind_proxy: bool = setting(False, "ZERMELO_PROXY", flag)
    # Time limit of an agent for a move.
    think_seconds: float = setting(5.0, "ZERMELO_THINK_SECONDS", number(0.05, 60.0))
    # Each file of it is a player, which the directory's owner answers for.
    players: Path | None = setting(None, PLAYERS_VARIABLE, folder)
    # Bytes a worker may hold before it is replaced.
    worker_memory: int = setting(700 << 20, "ZERMELO_DESK_MB", whole(100, 1_000_000, 1 << 20))
    # Run every agent once in the background, so that its kernels are compiled.
    warm_up: bool = setting(True, "ZERMELO_WARM_UP", flag)
    # After the warm-up, solve those of Quixo with so many blanks.
    endgames: int | None = setting(1, "ZERMELO_ENDGAMES", endgames)
    # After which an unfinished match is removed, a finished one, and a job that is over.
    keep_unfinished_days: float | None = setting(
        None, "ZERMELO_KEEP_UNFINISHED_DAYS", number(0.01, 36_500)
    )
    keep_finished_days: float | None = setting(
        None, "ZERMELO_KEEP_FINISHED_DAYS", number(0.01, 36_500)
    )
    keep_jobs_days: float = setting(365.0, "ZERMELO_KEEP_JOBS_DAYS", number(0.01, 36_500))
    # The same of a class that its teacher keeps; any other goes after a day.
    keep_class_days: float = setting(60.0, "ZERMELO_KEEP_CLASS_DAYS", number(1, 36_500))
    # Lets programs on other machines read /metrics.
    metrics_token: str | None = field(
        default=None,
        repr=False,
        metadata={"variable": "ZERMELO_METRICS_TOKEN", "read": metrics_token},
    )
    # Web processes of this machine, which divide the pool's bounds, and where they share rates.
    processes: int = setting(1, "ZERMELO_PROCESSES", whole(1, 256))
    shared: str | None = setting(None, "ZERMELO_SHARED", lambda _, text: text)
    pool: PoolLimits = PoolLimits()
    jobs: JobSettings = JobSettings()
    http: HttpLimits = HttpLimits()
    rates: Rates = Rates()

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Config:
        """The settings of `ZERMELO_…`, each optional; raises ConfigError."""
        directory = data_dir()
        given = _given(cls, environment)
        pool = PoolLimits(**_given(PoolLimits, environment))
        return cls(
            database_url(environment.get("ZERMELO_DATABASE_URL"), directory),
            environment.get("ZERMELO_SECRET_KEY") or secret_key(directory),
            pool=pool.divided(given.get("processes", 1)),
            jobs=JobSettings(**_given(JobSettings, environment)),
            http=HttpLimits(**_given(HttpLimits, environment)),
            rates=Rates(**_given(Rates, environment)),
            **given,
        )


def _given(group: type[Any], environment: Mapping[str, str]) -> dict[str, Any]:
    """The fields of a group whose variables are set."""
    return {
        each.name: each.metadata["read"](name, text)
        for each in fields(group)
        if (name := each.metadata.get("variable")) and (text := environment.get(name))
    }


def database_url(given: str | None, directory: Path) -> str:
    """The database named in the environment, or a file in the data directory."""
    if not given:
        return f"sqlite:///{directory / 'zermelo.sqlite'}"
    for scheme in ("postgres://", "postgresql://"):
        if given.startswith(scheme):
            return f"postgresql+psycopg://{given.removeprefix(scheme)}"
    return given


def check_cluster_address(address: str) -> str:
    """The address, if only this machine or TLS peers reach it; raises ClusterError.

    A scheduler unpickles what it receives: anyone who reaches it can run code on it.
    """
    parts = urlsplit(address)
    if parts.scheme not in ("tcp", "tls") or not parts.hostname:
        raise ClusterError(f"a cluster's address is tcp://host:port or tls://…, not {address!r}")
    if parts.scheme == "tcp" and not is_loopback(parts.hostname):
        why = f"{address} is open to its network, and a scheduler runs whatever it is sent"
        raise ClusterError(f"{why}: use tls://, or tcp:// on this machine alone")
    return address


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches a host."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
