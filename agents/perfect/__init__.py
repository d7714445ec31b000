"""Exact solutions: tabulated games, 4×4 Quixo, endgames of 5×5 Quixo, and theory."""
