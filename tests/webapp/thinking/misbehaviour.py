"""Agents that do what no agent should, and processes that have them in their roster."""

import multiprocessing
import os
import signal
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace

from agents import roster
from agents.compute.processes import start_worker
from agents.rules.uniform import UniformRandom


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
    """Hears no alarm, as compiled code does not."""

    def analyse(self, state, *, limit, rng, history=()):
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})
        time.sleep(600)


class Cheating:
    def analyse(self, state, *, limit, rng, history=()):
        return replace(UniformRandom().analyse(state, limit=limit, rng=rng), choice="checkmate")


MISBEHAVING = {
    "crashing": Crashing,
    "raising": Raising,
    "dawdling": Dawdling,
    "deaf": Deaf,
    "cheating": Cheating,
}


def start_misbehaving_worker():
    """A worker whose roster has these agents too."""
    start_worker()
    model = roster.find_agent("random")
    entries = [
        replace(model, key=key, options=(), make=lambda game, options, kind=kind: kind())
        for key, kind in MISBEHAVING.items()
    ]
    roster.BUILT_IN = (*roster.BUILT_IN, *entries)
    roster.roster.cache_clear()


def processes(workers=1):
    """Real processes, as the app uses them, but with a roster to be afraid of."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["webapp.thinking.worker", "agents.roster"])
    return ProcessPoolExecutor(workers, mp_context=context, initializer=start_misbehaving_worker)
