"""Agents that follow a rule."""
