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
from tests.documented import register

SOURCE = '''
import os
import random
import signal
import sys
import threading
import time

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


class Answers:
    """Gives or raises always the same."""

    def __init__(self, answer):
        self.answer = answer

    def analyse(self, state, *, limit, rng, history=()):
        print("what am I doing here?")
        return self.answer(state)


class Incomparable:
    def __eq__(self, other):
        raise ValueError("nobody compares me")

    __hash__ = None


def illegal(state):
    from agents.core import Analysis

    return Analysis((), "why not", Incomparable())


def raises(state):
    return 1 // 0


def interrupts(state):
    raise KeyboardInterrupt


def sleeps(state):
    time.sleep(2.5)
    return UniformRandom().analyse(state, limit=None, rng=random.Random(1))


def odd(key, answer):
    return Entry(key, key, Technique.RULES, "", lambda *_: Answers(answer))


NOTHING = odd("nothing", lambda state: None)
TEXT = odd("text", lambda state: "b2")
EXITS = odd("exits", lambda state: sys.exit(0))
INTERRUPTS = odd("interrupts", interrupts)
ILLEGAL = odd("illegal", illegal)
RAISES = odd("raises", raises)
SLEEPS = odd("sleeps", sleeps)
HANGS = Entry("hangs", "Hangs", Technique.RULES, "", lambda *_: Odd(hang))
DIES = Entry("dies", "Dies", Technique.RULES, "", lambda *_: Odd(die))
UNMADE = Entry("unmade", "Unmade", Technique.RULES, "", unmade)
'''
KINDS = ("nothing", "text", "exits", "interrupts", "illegal", "raises", "sleeps")
POINTS = {kind: f"deadly_agents:{kind.upper()}" for kind in ("hangs", "dies", "unmade", *KINDS)}


@contextmanager
def deadly_agents(target: Path) -> Iterator[None]:
    """Whoever is started in the block, and this process, finds them."""
    register(target, "deadly_agents", "zermelo.agents", **POINTS)
    (target / "deadly_agents.py").write_text(SOURCE, "utf-8")
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
    for known in (roster.roster, roster._agent_name, strength.strongest_agent, _pinned_agent):
        known.cache_clear()
