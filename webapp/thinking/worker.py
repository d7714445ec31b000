"""What runs in a worker process: one question, thought about under a deadline."""

from __future__ import annotations

import faulthandler
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from random import Random
from typing import Any

from agents import Agent, Analysis, Limit, load_agent
from agents.core import ask
from agents.errors import BrokenAgentError
from agents.roster import find_agent, pinned_spec
from engine import load_game
from webapp.thinking.questions import Question

MERCY = 2.0  # seconds between asking an agent to stop and ending its process


class OverrunError(BrokenAgentError):
    """An agent that did not come to an end in its time."""


def think(question: Question, deadline: float) -> Analysis[Any]:
    """The agent's analysis; raises where it overruns or answers what cannot be played."""
    show = question.show and find_agent(question.kind[0]).shows
    with stopped_after(deadline, question.agent):
        agent = _agent(pinned_spec(question.agent, load_game(question.game)), question.game)
        limit, rng = Limit(seconds=question.seconds), Random(question.seed)
        return ask(agent, question.match, limit, rng, show=show)


@lru_cache(maxsize=24)
def _agent(spec: str, game: str) -> Agent[Any, Any]:
    """Agents keep what they have learned, so a worker loads each once: by its brain's digest."""
    return load_agent(spec, load_game(game))


@contextmanager
def stopped_after(seconds: float, agent: str) -> Iterator[None]:
    """Interrupt the block when time is up; a block deaf to that takes its process with it."""

    def interrupt(*_: object) -> None:
        raise OverrunError(f"{agent} was still thinking after {seconds:g} s")

    faulthandler.dump_traceback_later(seconds + MERCY, exit=True)
    if hasattr(signal, "setitimer"):
        signal.signal(signal.SIGALRM, interrupt)
        signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, 0)
        faulthandler.cancel_dump_traceback_later()


def nothing() -> None:
    """A worker that answers this is alive."""
