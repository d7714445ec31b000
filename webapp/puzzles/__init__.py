"""Puzzles: one after another at a level that follows you, the day's, and what you missed again."""
