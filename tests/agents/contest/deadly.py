"""A package of agents that do their process harm, installed where a test wants."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import invalidate_caches
from pathlib import Path

from agents import roster
from agents.contest import strength
from agents.contest.arena import _pinned_agent

SOURCE = '''
import os
import signal
import threading

from agents.entry import Entry, Technique
from agents.rules.baselines import UniformRandom


class Odd:
    """Plays as anyone might, until its third thought."""

    def __init__(self, harm):
        self.harm = harm

    def analyse(self, state, *, limit, rng, history=()):
        if len(history) >= 4:
            self.harm()
        return UniformRandom().analyse(state, limit=limit, rng=rng)


def hang():
    print("an agent may print what it likes")
    threading.Event().wait()


def die():
    os.kill(os.getpid(), signal.SIGKILL)


def unmade(game, values):
    raise ZeroDivisionError("never")


HANGS = Entry("hangs", "Hangs", Technique.RULES, "", lambda *_: Odd(hang))
DIES = Entry("dies", "Dies", Technique.RULES, "", lambda *_: Odd(die))
UNMADE = Entry("unmade", "Unmade", Technique.RULES, "", unmade)
'''
POINTS = """[zermelo.agents]
hangs = deadly_agents:HANGS
dies = deadly_agents:DIES
unmade = deadly_agents:UNMADE
"""


@contextmanager
def deadly_agents(target: Path) -> Iterator[None]:
    """Whoever is started in the block, and this process, finds them."""
    info = target / "deadly_agents-1.0.dist-info"
    info.mkdir(parents=True)
    (target / "deadly_agents.py").write_text(SOURCE, "utf-8")
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: deadly-agents\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(POINTS, "utf-8")
    sys.path.insert(0, str(target))
    _forget()
    try:
        yield
    finally:
        sys.path.remove(str(target))
        sys.modules.pop("deadly_agents", None)
        _forget()


def _forget() -> None:
    invalidate_caches()
    for known in (roster.roster, roster.agent_name, strength.strongest_agent, _pinned_agent):
        known.cache_clear()
