"""What can be wrong with a problem or an answer to it."""

from typing import Any

from engine.errors import InvalidTextError, ZermeloError


class ImpossibleProblemError(ZermeloError):
    """A problem that has no answer at all, or is larger than any we take."""


class BrokenProblemError(InvalidTextError):
    """A problem that the package it comes from fails to make."""


class InvalidGenomeError(InvalidTextError):
    """Bits that no box of this size takes."""


class InvalidChoiceError(ZermeloError):
    """A set that the problem does not have."""

    def __init__(self, choice: int, sets: int) -> None:
        super().__init__(f"there is no set {choice}: they are numbered from 0 to {sets - 1}")
        self.choice = choice
        self.sets = sets

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.choice, self.sets)
