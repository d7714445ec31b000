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


def uniform(state):
    return UniformRandom().analyse(state, limit=None, rng=Random(1))


def deaf(state):
    """Hears no signal that can be blocked, as compiled code does not."""
    signal.pthread_sigmask(signal.SIG_BLOCK, set(signal.Signals) - {signal.SIGKILL})
    time.sleep(600)


def unsendable(state):
    analysis = uniform(state)
    first, *others = analysis.candidates
    strange = replace(first, line=(lambda: None,))
    return replace(analysis, candidates=(strange, *others))


MISBEHAVING = {
    "crashing": lambda state: os._exit(3),
    "raising": lambda state: 1 / 0,
    "dawdling": lambda state: time.sleep(600),
    "deaf": deaf,
    # As if someone had stopped its process with Ctrl-Z.
    "stopping": lambda state: os.kill(os.getpid(), signal.SIGSTOP),
    "cheating": lambda state: replace(uniform(state), choice="checkmate"),
    "silent": lambda state: replace(uniform(state), candidates=()),
    "rambling": lambda state: replace(uniform(state), reason="well " * 40_000_000),
    "muddled": lambda state: replace(uniform(state), evidence=(Fact("a list", []), "no fact")),
    "wordless": lambda state: None,
    "unsendable": unsendable,
}


class Bad:
    """An agent that answers by such a function."""

    def __init__(self, answer):
        self.answer = answer

    def analyse(self, state, *, limit, rng, history=()):
        return self.answer(state)


def serve_misbehaving(connection, function):
    """A process whose roster has these agents too."""
    model = roster.find_agent("opportunist")
    entries = [
        replace(model, key=key, options=(), make=lambda game, options, answer=answer: Bad(answer))
        for key, answer in MISBEHAVING.items()
    ]
    roster.roster.built_in = (*roster.BUILT_IN, *entries)
    roster.roster.cache_clear()
    serve(connection, function)


class Misbehaving(ProcessWorker):
    """A worker as the app uses it, but with a roster to be afraid of."""

    def __init__(self, niceness):
        super().__init__(1 << 40, niceness, serve_misbehaving)
