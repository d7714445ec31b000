"""The agents that learn."""

from agents.entry import Entry

LEARNING: tuple[Entry, ...] = ()
