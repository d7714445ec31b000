"""The tree: the textbook search of a position, walked through by its addresses."""
