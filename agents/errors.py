"""Errors about agents, tables and brains."""

from engine.errors import ZermeloError


class UnsuitableAgentError(ZermeloError):
    """An agent that cannot play the requested game."""


class MissingLibraryError(ZermeloError):
    """A library of an extra that is not installed."""

    def __init__(self, library: str, module: str) -> None:
        extra = "open_spiel" if module == "pyspiel" else "'zermelo[rl]'"
        super().__init__(f"{library} is not installed ({module}): pip install {extra}")


class TooLargeError(ZermeloError):
    """A game with too many states to tabulate."""

    def __init__(self, spec: str, budget: int) -> None:
        super().__init__(f"{spec} is too large to tabulate: more than {budget:,} states")
        self.spec = spec
        self.budget = budget


class UnsolvedError(ZermeloError):
    """A state whose exact value is unknown."""


class BrokenAgentError(ZermeloError):
    """An agent that failed or returned an illegal move."""

    traceback = ""  # where it raised, for its author


class RefusedAnswerError(BrokenAgentError):
    """A text that an agent answered and that cannot be played; `move` is the text."""

    def __init__(self, why: str, move: str) -> None:
        super().__init__(why)
        self.move = move


class LateAgentError(BrokenAgentError):
    """An agent that did not answer in time."""


class CrashedAgentError(BrokenAgentError):
    """An agent that raised an unexpected exception; its text is not for visitors."""


class CorruptTableError(ZermeloError):
    """A computed table that does not have its known digest."""


class UnreadableStrengthError(ZermeloError):
    """A file that is no strength file."""


class BrainError(ZermeloError):
    """A problem with a brain; `source` is its file or name."""

    def __init__(self, source: str, why: str) -> None:
        super().__init__(why)
        self.source = source


class UnreadableBrainError(BrainError):
    """A file that is no brain, is truncated, or has a newer format."""


class UnsuitableBrainError(BrainError):
    """A brain of another agent or game, or with unfit arrays."""


class MissingBrainError(BrainError):
    """A brain that was not found and takes too long to train on request."""

    def __init__(self, source: str, why: str, advice: str = "") -> None:
        super().__init__(source, why)
        self.advice = advice
