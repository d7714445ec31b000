"""Machines: the gallery of agents, and a page for each."""
