"""The players: every technique, for any game it can play, and nothing about the web."""

from agents.core import Agent, Analysis, Candidate, Effort, Fact, Limit
from agents.roster import load_agent

__all__ = ["Agent", "Analysis", "Candidate", "Effort", "Fact", "Limit", "load_agent"]
