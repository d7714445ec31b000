"""Agents of a package that was never tried, as an operator might install them."""

import os
import time
from dataclasses import replace

from agents.roster import find_agent
from tests.documented import register


class Crashing:
    def analyse(self, state, *, limit, rng, history=()):
        os._exit(3)


class Hanging:
    def analyse(self, state, *, limit, rng, history=()):
        time.sleep(600)


class Leaking:
    """Keeps fifty megabytes more at every move."""

    kept = []  # noqa: RUF012 - that is what is wrong with it

    def analyse(self, state, *, limit, rng, history=()):
        self.kept.append(b"x" * (50 << 20))
        raise ValueError("and then it fails")


def _entry(key, kind):
    model = find_agent("opportunist")
    return replace(model, key=key, title=key, options=(), make=lambda game, options: kind())


CRASHING, HANGING, LEAKING = (
    _entry(kind.__name__.lower(), kind) for kind in (Crashing, Hanging, Leaking)
)


def install(target):
    """Put it where `target` on the path makes it known, as an installer would."""
    points = {kind: f"{__name__}:{kind.upper()}" for kind in ("crashing", "hanging", "leaking")}
    register(target, "broken_agents", "zermelo.agents", **points)
