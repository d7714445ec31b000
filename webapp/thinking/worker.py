"""What runs in a thinking process: one question after the other, each answered or failed."""

from __future__ import annotations

import mmap
import os
import pickle
from dataclasses import dataclass, replace
from functools import lru_cache
from multiprocessing.connection import Connection
from random import Random
from time import process_time
from typing import Any

from agents import Agent, Analysis, Limit, load_agent
from agents.compute.processes import start_worker
from agents.core import Candidate, Effort, Fact, ask
from agents.errors import BrokenAgentError
from agents.exhibits import KINDS
from agents.roster import find_agent, pinned_spec, ready_spec
from engine import load_game
from engine.errors import ZermeloError
from webapp.thinking.problems import SearchQuestion
from webapp.thinking.questions import ON_THE_SPOT, Asked, Question, Said
from webapp.thinking.searches import TreeQuestion
from webapp.thinking.truths import TruthQuestion

LONGEST_REASON = 2_000  # characters: one sentence, even a long one, is far below
MOST_FACTS = 200
LARGEST = 6_000_000  # bytes of an answer: a recorded search has up to 4.5 million
LARGEST_EXHIBIT = 100_000  # of them for what a technique has to show
PAGE = mmap.PAGESIZE


@dataclass(frozen=True, slots=True)
class Thought:
    """What came of a question."""

    said: Said
    seconds: float  # of processor time
    memory: int  # bytes the process holds by now


@dataclass(frozen=True, slots=True)
class Failed:
    """What went wrong instead."""

    error: ZermeloError
    memory: int


def sit_down(line: Connection, courtesy: int) -> None:
    """Answer what comes in by this line until nobody holds its other end."""
    start_worker()
    if hasattr(os, "nice"):  # not on Windows
        os.nice(courtesy)
    line.send(True)
    while True:
        try:
            question, seconds = line.recv()
            line.send_bytes(answer(question, seconds))
        except (EOFError, OSError):
            return


def answer(question: Asked, seconds: float) -> bytes:
    """A Thought or Failed, pickled; whatever an agent does short of ending the process."""
    try:
        packed = pickle.dumps(thought(question, seconds))
        if len(packed) <= LARGEST:
            return packed
        error: ZermeloError = BrokenAgentError("it said more than anyone could read")
    except ZermeloError as raised:
        error = raised
    except Exception as raised:  # noqa: BLE001 - of a plug-in, or of pickling what it said
        error = BrokenAgentError(f"it failed with {type(raised).__name__}")
    return pickle.dumps(Failed(error, memory()))


def thought(question: Asked, seconds: float) -> Thought:
    """What the agent says, what it took, and that it can be shown; raises where it cannot.

    A search that is to be recorded needs no agent, nor does one without a foe, nor a truth.
    """
    begun = process_time()
    said: Said
    if isinstance(question, TreeQuestion):
        said = question.recording()
    elif isinstance(question, SearchQuestion):
        said = question.seen(seconds)
    elif isinstance(question, TruthQuestion):
        said = question.found()
    else:
        said = checked(think(question, seconds))
    return Thought(said, process_time() - begun, memory())


def think(question: Question, seconds: float) -> Analysis[Any]:
    """The agent's analysis; raises where it answers what cannot be played."""
    show = question.show and find_agent(question.kind[0]).shows
    game = load_game(question.game)
    agent = _agent(pinned_spec(ready_spec(question.agent, game, ON_THE_SPOT), game), game.spec)
    limit, rng = Limit(seconds=seconds), Random(question.seed)
    return ask(agent, question.match, limit, rng, show=show)


@lru_cache(maxsize=24)
def _agent(spec: str, game: str) -> Agent[Any, Any]:
    """Agents keep what they have learned, so a process loads each once: by its brain's digest."""
    return load_agent(spec, load_game(game))


def checked(analysis: Analysis[Any]) -> Analysis[Any]:
    """The analysis, if it is one that pages can show; raises BrokenAgentError."""
    sound = (
        isinstance(analysis, Analysis)
        and isinstance(analysis.reason, str)
        and len(analysis.reason) <= LONGEST_REASON
        and len(analysis.candidates) > 0
        and all(isinstance(candidate, Candidate) for candidate in analysis.candidates)
        and any(candidate.move == analysis.choice for candidate in analysis.candidates)
        and len(analysis.evidence) <= MOST_FACTS
        and all(_is_fact(fact) for fact in analysis.evidence)
        and isinstance(analysis.effort, Effort)
    )
    if not sound:
        raise BrokenAgentError("it said what cannot be shown")
    return analysis if _can_be_shown(analysis.exhibit) else replace(analysis, exhibit=None)


def _can_be_shown(exhibit: object) -> bool:
    """Whether a page has a template for it, and room."""
    if exhibit is None:
        return True
    return isinstance(exhibit, KINDS) and len(pickle.dumps(exhibit)) <= LARGEST_EXHIBIT


def _is_fact(fact: object) -> bool:
    return (
        isinstance(fact, Fact)
        and isinstance(fact.name, str)
        and isinstance(fact.value, str | int | float)
    )


def memory() -> int:
    """What this process holds now, in bytes; 0 on systems that do not tell.

    Without what it maps from files: libraries and solved tables are there once for all.
    """
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            _, resident, mapped, *_ = map(int, file.read().split())
            return (resident - mapped) * PAGE
    except OSError:
        return 0
