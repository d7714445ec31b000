"""Searches for the fewest sets that cover everything, each recorded step by step."""
