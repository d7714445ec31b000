"""Validation grids: the page of a grid, its table and heat map."""
