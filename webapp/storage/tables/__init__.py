"""All tables, by feature. A match is its move list; the board is never a column."""

from webapp.storage.tables import assignments, bots, classes, jobs, matches, puzzles

# Importing any of them runs this first, so `Model.metadata` always has every table.
MODULES = (assignments, bots, classes, jobs, matches, puzzles)
