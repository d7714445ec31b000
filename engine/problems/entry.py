"""A problem's entry in the catalogue, the two shapes of problems, and their errors."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, ClassVar, Protocol

from engine.entry import CatalogEntry
from engine.errors import InvalidTextError, ZermeloError


class ImpossibleProblemError(ZermeloError):
    """A problem that has no solution, or exceeds our size limits."""


class BrokenProblemError(InvalidTextError):
    """A spec that can be read, of a problem whose own code fails to make it."""


class InvalidGenomeError(InvalidTextError):
    """A genome of the wrong length or with invalid digits."""


class InvalidChoiceError(ZermeloError):
    """A set that the problem does not have."""

    def __init__(self, choice: int, sets: int) -> None:
        super().__init__(f"there is no set {choice}: they are numbered from 0 to {sets - 1}")
        self.choice = choice
        self.sets = sets


class ProblemShape(StrEnum):
    """What kind of object a search works on."""

    COVER = "cover"  # a `SetCover`, whose sets can be read
    BOX = "box"  # a `Box`, which can only be evaluated; evaluations are what is counted


class Box(Protocol):
    """A black-box function of bits. A genome is an integer whose first bit is the highest."""

    @property
    def spec(self) -> str: ...

    @property
    def bits(self) -> int: ...

    @property
    def goal(self) -> float:
        """The highest possible value, at which a search may stop."""
        ...

    def value(self, genome: int) -> float: ...


@dataclass(frozen=True, slots=True)
class ProblemEntry(CatalogEntry[Any]):
    """One problem; it makes a `SetCover` or a `Box`, as its shape says."""

    shape: ProblemShape

    broken: ClassVar[type[InvalidTextError]] = BrokenProblemError
