"""A match on a page: stored, refereed, shown at every ply, and what agents think of it."""
