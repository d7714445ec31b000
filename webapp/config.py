"""Configuration: everything the app can be told, read once from the environment."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from agents.compute.places import data_dir
from engine.errors import ZermeloError
from webapp.serving.secret import secret_key

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")


class ConfigError(ZermeloError):
    """A setting in the environment that cannot be used."""


@dataclass(frozen=True, slots=True)
class Config:
    """How this server runs. Times are in seconds, rates per second."""

    database_url: str
    secret_key: str = field(repr=False)
    trusted_hosts: tuple[str, ...] = LOOPBACK
    behind_proxy: bool = False  # believe X-Forwarded-For, -Proto and -Host of one proxy
    workers: int = 2  # processes that think
    think_seconds: float = 5.0  # the most an agent is given for a move
    grace_seconds: float = 5.0  # beyond that before it is stopped
    first_grace_seconds: float = 90.0  # the same while its kernels may still be compiled
    queue: int = 64  # thoughts under way or waiting
    thoughts_each: int = 12  # of these, for one visitor
    desk_memory: int = 700 << 20  # bytes a thinking process may hold before it is replaced
    warm_up: bool = True  # ask every agent once in the background, so that its kernels are ready
    endgames: bool = False  # then work out Quixo's endgames, where that has not been done
    player_rate: float = 8.0
    player_burst: float = 60.0
    address_rate: float = 400.0  # a class shares one address
    address_burst: float = 2000.0
    largest_body: int = 64 * 1024

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
            warm_up=environment.get("ZERMELO_WARM_UP", "") not in ("0", "no"),
            endgames=environment.get("ZERMELO_ENDGAMES", "") not in ("0", "no"),
        )


def database_url(given: str | None, place: Path) -> str:
    """The database named in the environment, or a file in the data directory."""
    if not given:
        return f"sqlite:///{place / 'zermelo.sqlite'}"
    for scheme in ("postgres://", "postgresql://"):
        if given.startswith(scheme):
            return f"postgresql+psycopg://{given.removeprefix(scheme)}"
    return given


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
