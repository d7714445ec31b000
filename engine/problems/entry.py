"""One problem as the catalogue lists it, and the two shapes that a problem may have."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol

from engine.entry import Preset
from engine.errors import InvalidSpecError, unknown
from engine.options import Option, read_options, write_spec
from engine.values import Values


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
        """The problem that these options name; `preset` gives a start, the others change it."""
        chosen = dict(texts)
        if (name := chosen.pop("preset", None)) is not None:
            chosen = dict(self._preset(name).texts) | chosen
        values = read_options(self.key, self.options, chosen)
        return self.make(write_spec(self.key, self.options, values), values)

    def _preset(self, name: str) -> Preset:
        for preset in self.presets:
            if preset.name == name:
                return preset
        names = [preset.name for preset in self.presets]
        raise InvalidSpecError(name, unknown(f"preset of {self.key}", name, names))
