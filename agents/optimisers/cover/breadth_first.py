"""Breadth first: all covers of one set, of two, of three, until one is whole."""

from agents.optimisers.cover.best_first import BestFirst
from agents.optimisers.cover.best_first_kernel import SHALLOW


def breadth_first() -> BestFirst:
    """It may stop at the first cover it makes: nothing that waits has fewer sets."""
    return BestFirst(SHALLOW, early=True)
