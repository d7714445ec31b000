"""Agents that evolve."""
