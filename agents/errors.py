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


class BrokenAgentError(ZermeloError):
    """An agent that answered what it must not."""


class CorruptTableError(ZermeloError):
    """A table worked out here that is not what it must be."""
