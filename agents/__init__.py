"""Players: every technique, for the games it can play, without the web."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from agents.core import Agent, Analysis, Candidate, Effort, Exhibitor, Fact, Limit, Measure, ask

if TYPE_CHECKING:
    from agents.contest.series import play_arena, play_match
    from agents.optimisers.runs import optimise
    from agents.perfect.summary import solve
    from agents.roster import agents_for, load_agent
    from agents.runs import train

__all__ = [
    "Agent",
    "Analysis",
    "Candidate",
    "Effort",
    "Exhibitor",
    "Fact",
    "Limit",
    "Measure",
    "agents_for",
    "ask",
    "load_agent",
    "optimise",
    "play_arena",
    "play_match",
    "solve",
    "train",
]

# Imported on first use, as these load numba, which is slow to import.
LAZY = {
    "agents_for": "agents.roster",
    "load_agent": "agents.roster",
    "optimise": "agents.optimisers.runs",
    "play_arena": "agents.contest.series",
    "play_match": "agents.contest.series",
    "solve": "agents.perfect.summary",
    "train": "agents.runs",
}


def __getattr__(name: str) -> Any:
    if name in LAZY:
        return getattr(import_module(LAZY[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *LAZY})
