"""Agents of a package that was never tried, as an operator might install them."""

import os
import time
from dataclasses import replace

from agents.roster import find_agent


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
    info = target / "broken_agents-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: broken-agents\nVersion: 1.0\n")
    lines = [f"{name} = {__name__}:{name.upper()}" for name in ("crashing", "hanging", "leaking")]
    (info / "entry_points.txt").write_text("\n".join(["[zermelo.agents]", *lines, ""]))
