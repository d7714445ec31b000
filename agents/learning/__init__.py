"""Agents that learn from the games they play."""
