"""One problem as the catalogue lists it, and the two shapes that a problem may have."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol

from engine.entry import Preset
from engine.errors import InvalidSpecError, InvalidTextError, ZermeloError, tell_once, unknown
from engine.options import Option, Values, read_options, write_spec


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


class ProblemShape(StrEnum):
    """What a search is given to work on."""

    COVER = "cover"  # a `SetCover`, open to be looked at
    BOX = "box"  # a `Box`: bits go in, a number comes out, and asking is what costs


class Box(Protocol):
    """Whatever answers bits with a number. A genome is an integer, its first place highest."""

    @property
    def spec(self) -> str: ...

    @property
    def bits(self) -> int: ...

    @property
    def goal(self) -> float:
        """The best number there is; whoever has reached it may stop."""
        ...

    def value(self, genome: int) -> float: ...


@dataclass(frozen=True, slots=True)
class ProblemEntry:
    """One problem with everything that varies in it. The first preset is the default."""

    key: str
    title: str
    summary: str
    shape: ProblemShape
    options: tuple[Option, ...]
    presets: tuple[Preset, ...]
    make: Callable[[str, Values], Any]  # a `SetCover` or a `Box`, as the shape says

    def load(self, texts: dict[str, str]) -> Any:
        """The problem that these options name; `preset` gives a start, the others change it.

        Raises InvalidSpecError, or BrokenProblemError where the problem's own code fails.
        """
        chosen = dict(texts)
        if (name := chosen.pop("preset", None)) is not None:
            chosen = dict(self._preset(name).texts) | chosen
        values = read_options(self.key, self.options, chosen)
        spec = write_spec(self.key, self.options, values)
        try:
            return self.make(spec, values)
        except ZermeloError:
            raise
        except Exception as error:
            tell_once(__name__, f"the package of {self.key} failed to make {spec}: {error!r}"[:500])
            why = f"{spec} cannot be set up: its package failed"
            raise BrokenProblemError(spec, why) from error

    def _preset(self, name: str) -> Preset:
        for preset in self.presets:
            if preset.name == name:
                return preset
        names = [preset.name for preset in self.presets]
        raise InvalidSpecError(name, unknown(f"preset of {self.key}", name, names))
