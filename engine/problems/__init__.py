"""Problems without a foe: what is asked, exactly, and nothing about who looks for the answer."""

from engine.problems.black_box import BlackBox
from engine.problems.catalog import load_problem
from engine.problems.set_cover import SetCover

__all__ = ["BlackBox", "SetCover", "load_problem"]
