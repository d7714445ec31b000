"""Searches for problems without an opponent: set covers and black boxes."""
