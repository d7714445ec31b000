"""The first page: which game, against whom, and what was left unfinished."""
