"""Brains: listed, shown, uploaded, downloaded and played with."""
