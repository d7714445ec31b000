"""Matches: rules, store and routes of a match, its exchange formats and the list of own games."""
