"""What can be wrong with a search."""

from engine.errors import ZermeloError


class UnsuitableSearchError(ZermeloError):
    """A search asked to solve a problem of the other shape."""


class BrokenSearchError(ZermeloError):
    """A search that asked for what no box takes, or whose own code failed."""


class UnreadableStateError(ZermeloError):
    """Bytes that are no state of a run."""
