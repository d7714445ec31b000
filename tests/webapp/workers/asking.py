"""What the tests of the pool ask, and how long they wait for it."""

from webapp.workers.analyses import AnalysisRequest

LONG = 60  # seconds; a wait for a condition that comes much sooner


def question(agent="random", moves=(), seed="1"):
    return AnalysisRequest("tictactoe", None, moves, agent, seed=seed)
