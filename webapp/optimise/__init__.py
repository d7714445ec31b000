"""Optimisation: set cover and black boxes, solved by hand and by searches."""
