"""The agents that look ahead."""

from agents.entry import Entry

SEARCH: tuple[Entry, ...] = ()
