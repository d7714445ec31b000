"""Search trees: a textbook search of a position, stepped through."""
