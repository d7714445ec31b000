"""Depth first: the first set that has anything missing, and on from there."""

from agents.optimisers.cover.best_first import BestFirst
from agents.optimisers.cover.best_first_kernel import DEEP


def depth_first() -> BestFirst:
    """It stops at the first cover it makes, whatever that is."""
    return BestFirst(DEEP, early=True, proves=False)
