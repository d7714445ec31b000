"""Searches that may only ask a box for numbers."""
