"""Optimisation problems; the searches for them are in `agents.optimisers`."""

from engine.problems.black_box import BlackBox
from engine.problems.catalog import load_problem
from engine.problems.set_cover import SetCover

__all__ = ["BlackBox", "SetCover", "load_problem"]
