"""The routes of a match."""
