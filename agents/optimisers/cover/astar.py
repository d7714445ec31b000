"""A*: sets taken plus sets surely still needed, the smallest sum first (Hart, Nilsson and Raphael
1968). With an estimate that never promises too much, the first cover taken up is the smallest."""

from agents.optimisers.cover.best_first import BestFirst
from agents.optimisers.cover.best_first_kernel import ESTIMATE
from agents.optimisers.cover.sets import AVERAGE, GAIN, GAINS, LARGEST

ESTIMATES = {"largest": LARGEST, "gain": GAIN, "gains": GAINS, "average": AVERAGE}
ADMISSIBLE = ("largest", "gain", "gains")


def astar(estimate: str, branch: str) -> BestFirst:
    """The search with one of these estimates, branching on all sets or on the rarest thing."""
    return BestFirst(
        ESTIMATE,
        ESTIMATES[estimate],
        rarest=branch == "rarest",
        proves=estimate in ADMISSIBLE,
    )
