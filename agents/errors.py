"""What can be wrong with an agent, a table or a brain."""

from typing import Any

from engine.errors import ZermeloError


class UnsuitableAgentError(ZermeloError):
    """An agent asked to play a game it does not know."""


class TooLargeError(ZermeloError):
    """A game with more states than can be tabulated."""

    def __init__(self, spec: str, budget: int) -> None:
        super().__init__(f"{spec} is too large to tabulate: more than {budget:,} states")
        self.spec = spec
        self.budget = budget

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.spec, self.budget)


class UnsolvedError(ZermeloError):
    """A state whose exact value a game's theory does not know."""


class BrokenAgentError(ZermeloError):
    """An agent that answered what it must not."""


class CrashedAgentError(BrokenAgentError):
    """An agent that raised what was not meant for anyone's eyes."""


class CorruptTableError(ZermeloError):
    """A table worked out here that is not what it must be."""


class UnreadableStrengthError(ZermeloError):
    """A file that holds no measured strengths."""


class BrainError(ZermeloError):
    """Something about a brain; `source` is the file or name it is about."""

    def __init__(self, source: str, why: str) -> None:
        super().__init__(why)
        self.source = source

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.source, str(self))


class UnreadableBrainError(BrainError):
    """A file that is no brain, is cut short, or was written by a newer Zermelo."""


class UnsuitableBrainError(BrainError):
    """A brain of another agent or game, or whose arrays are not what the agent needs."""


class MissingBrainError(BrainError):
    """A brain that is not where it was looked for, and is too much work to make on the spot."""

    def __init__(self, source: str, why: str, advice: str = "") -> None:
        super().__init__(source, why)
        self.advice = advice

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.source, str(self), self.advice)
