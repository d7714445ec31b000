"""The players: every technique, for any game it can play, and nothing about the web."""

from typing import TYPE_CHECKING, Any

from agents.core import Agent, Analysis, Candidate, Effort, Exhibitor, Fact, Limit, Measure

if TYPE_CHECKING:
    from agents.roster import load_agent

__all__ = [
    "Agent",
    "Analysis",
    "Candidate",
    "Effort",
    "Exhibitor",
    "Fact",
    "Limit",
    "Measure",
    "load_agent",
]


def __getattr__(name: str) -> Any:
    """The door to the roster opens when it is used: behind it stands numba, slow to import."""
    if name == "load_agent":
        from agents.roster import load_agent

        return load_agent
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
