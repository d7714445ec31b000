"""A game shown move by move: matches, arena games and positions."""
