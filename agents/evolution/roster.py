"""The agents that evolve."""

from agents.entry import Entry

EVOLUTION: tuple[Entry, ...] = ()
