"""Games shown move by move: matches, arena games and positions."""
