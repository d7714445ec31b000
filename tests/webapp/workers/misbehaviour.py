"""Agents that do what no agent should, and processes that have them in their roster."""

import os
import signal
import time
from dataclasses import replace
from random import Random

from agents import roster
from agents.compute.child_process import serve
from agents.core import Fact
from agents.rules.baselines import UniformRandom
from webapp.workers.worker import ProcessWorker


def uniform(state, rng=None):
    return UniformRandom().analyse(state, limit=None, rng=rng or Random(1))


class Crashing:
    def analyse(self, state, *, limit, rng, history=()):
        os._exit(3)


class Raising:
    def analyse(self, state, *, limit, rng, history=()):
        return 1 / 0


class Dawdling:
    def analyse(self, state, *, limit, rng, history=()):
        time.sleep(600)


class Deaf:
    """Hears no signal that can be blocked, as compiled code does not."""

    def analyse(self, state, *, limit, rng, history=()):
        signal.pthread_sigmask(signal.SIG_BLOCK, set(signal.Signals) - {signal.SIGKILL})
        time.sleep(600)


class Stopping:
    """As if someone had stopped its process with Ctrl-Z."""

    def analyse(self, state, *, limit, rng, history=()):
        os.kill(os.getpid(), signal.SIGSTOP)


class Cheating:
    def analyse(self, state, *, limit, rng, history=()):
        return replace(uniform(state), choice="checkmate")


class Silent:
    def analyse(self, state, *, limit, rng, history=()):
        return replace(uniform(state), candidates=())


class Rambling:
    def analyse(self, state, *, limit, rng, history=()):
        return replace(uniform(state), reason="well " * 40_000_000)


class Muddled:
    def analyse(self, state, *, limit, rng, history=()):
        return replace(uniform(state), evidence=(Fact("a list", []), "no fact"))


class Wordless:
    def analyse(self, state, *, limit, rng, history=()):
        return None


class Unsendable:
    def analyse(self, state, *, limit, rng, history=()):
        analysis = uniform(state)
        first, *others = analysis.candidates
        strange = replace(first, line=(lambda: None,))
        return replace(analysis, candidates=(strange, *others))


MISBEHAVING = {
    "crashing": Crashing,
    "raising": Raising,
    "dawdling": Dawdling,
    "deaf": Deaf,
    "stopping": Stopping,
    "cheating": Cheating,
    "silent": Silent,
    "rambling": Rambling,
    "muddled": Muddled,
    "wordless": Wordless,
    "unsendable": Unsendable,
}


def serve_misbehaving(connection, function):
    """A process whose roster has these agents too."""
    model = roster.find_agent("opportunist")
    entries = [
        replace(model, key=key, options=(), make=lambda game, options, kind=kind: kind())
        for key, kind in MISBEHAVING.items()
    ]
    roster.roster.built_in = (*roster.BUILT_IN, *entries)
    roster.roster.cache_clear()
    serve(connection, function)


class Misbehaving(ProcessWorker):
    """A worker as the app uses it, but with a roster to be afraid of."""

    def __init__(self, niceness):
        super().__init__(1 << 40, niceness, serve_misbehaving)
