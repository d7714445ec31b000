"""The only part of the guard that knows our modules. Renamed something? Change it here.

Everything else goes by addresses, forms and the `zermelo` command. Where the tests have what is
needed (thinking within this process, jobs worked off turn by turn) it is theirs that is used.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable
from dataclasses import fields
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import Any

from benchmarks.guard.fixed import slowly

ROOT = Path(__file__).parents[2]
HTMX = {"HX-Request": "true"}  # how a partial is asked for
BRAINS = "agents.brains_shipped"  # the package that holds the brains
SHIPPED_LESSON = ROOT / "webapp" / "questions" / "shipped" / "how-machines-play.txt"
STRENGTH = ROOT / "agents" / "contest" / "strength.json"
FIGURES = ROOT / "webapp" / "learn" / "figures.json"


def make_app(place: Path, **settings: Any) -> Any:
    """The app on an empty database in this directory, thinking within this process; a `think` of
    "never" leaves every question unanswered."""
    from tests.webapp.visitor import AtOnce, Never, changed
    from webapp.app import make_app as made
    from webapp.config import Config, JobSettings, PoolLimits, Rate, Rates, Share

    thinking = Never if settings.pop("think", "") == "never" else AtOnce
    often = Rate(10_000, 10_000)
    rates: dict[str, Any] = {
        rate.name: Share(often, often, often) if isinstance(usual, Share) else often
        for rate in fields(Rates)
        if "guess" not in rate.name  # these have no setting, and are met on the way
        and isinstance(usual := getattr(Rates(), rate.name), Rate | Share)
    }
    place.mkdir(parents=True, exist_ok=True)
    config = Config(
        database_url=f"sqlite:///{place / 'guard.sqlite'}",
        secret_key="a key for the guard alone",
        warm_up=False,
        think_seconds=5.0,
        endgames=None,
        pool=PoolLimits(workers=1),
        jobs=JobSettings(workers=2),
        rates=Rates(**rates),
    )
    app = made(changed(config, **settings), thinking)
    # Who looked is written down by `settle`, and not by a thread once a second.
    for attendance in _attendances(app):
        attendance._thread = NOBODY
    return app


NOBODY: Any = object()


def _services(app: Any) -> Any:
    from webapp.services import NAME

    return app.extensions[NAME]


def _attendances(app: Any) -> tuple[Any, ...]:
    from webapp.classroom.models import ClassAttendance
    from webapp.replays.presence import MatchAttendance

    return _services(app)[MatchAttendance], _services(app)[ClassAttendance]


def settle(app: Any) -> None:
    """Write down what a thread of its own would within a second."""
    for attendance in _attendances(app):
        attendance.flush()


def close(app: Any) -> None:
    from webapp.app import close as closed

    closed(app)


class Jobs:
    """Works on an app's jobs within this process, as far as it is told."""

    def __init__(self, app: Any) -> None:
        from tests.webapp.jobs.working import HereAndNow
        from webapp.jobs import coordinator
        from webapp.jobs.store import JobStore

        coordinator.LEASE_S = 1e9  # time that is let pass here takes no job away
        self._coordinator = coordinator.Coordinator(_services(app)[JobStore], HereAndNow())

    def work(self, turns: int | None = None) -> None:
        """So many turns, in which not much is done, or until nothing is left to do."""
        if turns is not None:
            with slowly():
                for _ in range(turns):
                    self._coordinator.turn()
            return
        self._coordinator.turn()
        while self._coordinator._jobs:
            self._coordinator.turn()


def change_row(app: Any, statement: str) -> None:
    """Something that only an operator, or bad luck, could do to the database."""
    from webapp.matches.store import MatchStore

    with _services(app)[MatchStore].database.write() as cursor:
        cursor.execute(statement)


def command() -> Callable[[], None]:
    """What the installed `zermelo` calls; it reads `sys.argv` and ends by SystemExit."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    module, _, name = project["scripts"]["zermelo"].partition(":")
    found: Callable[[], None] = getattr(import_module(module), name)
    return found


def shipped_brains() -> dict[str, bytes]:
    """The files of brains that come along, by name."""
    found = files(BRAINS).iterdir()
    return {each.name: each.read_bytes() for each in found if each.name.endswith(".npz")}


def agents_in(variant: str) -> list[str]:
    """The keys of the agents that play this variant, in the roster's order."""
    from benchmarks.guard.terminal import run

    found = json.loads(run("agents", variant, "--json").out)
    return [agent["key"] for agent in found["agents"]]
