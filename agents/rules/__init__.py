"""Agents that play by a fixed rule."""
