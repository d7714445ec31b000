"""Set cover: things, and sets of them; take as few sets as you can so that each thing is in one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from engine.errors import InvalidTextError, quoted
from engine.options import Values
from engine.problems.entry import ImpossibleProblemError, InvalidChoiceError
from engine.problems.rng import WORD, stream

MOST_THINGS, MOST_SETS = 200, 1_000
LEAST_DENSITY = 0.001


@dataclass(frozen=True, slots=True)
class SetCover:
    """One instance, which all of its sets together cover: looked after when it is made."""

    spec: str
    things: int
    masks: tuple[int, ...]  # [set] -> a bit for each thing in it, thing 0 lowest

    def __post_init__(self) -> None:
        if not 1 <= self.things <= MOST_THINGS:
            raise ImpossibleProblemError(
                f"{self.spec} has {self.things:,} things: a set cover has 1 to {MOST_THINGS}"
            )
        if not 1 <= len(self.masks) <= MOST_SETS:
            raise ImpossibleProblemError(
                f"{self.spec} has {len(self.masks):,} sets: a set cover has 1 to {MOST_SETS:,}"
            )
        union = 0
        for mask in self.masks:
            union |= mask
        if union < 0 or union > self.everything:
            raise ImpossibleProblemError(
                f"a set of {self.spec} has things beyond 0 to {self.things - 1}"
            )
        if union != self.everything:
            lacking = next(members(self.everything & ~union))
            raise ImpossibleProblemError(
                f"{self.spec} cannot be covered: thing {lacking} is in none of its sets"
            )

    @classmethod
    def of(cls, spec: str, things: int, sets: Iterable[Iterable[int]]) -> SetCover:
        """The instance with these sets, each given by its things, which are numbered from 0."""
        return cls(spec, things, tuple(_mask(spec, things, found) for found in sets))

    @property
    def everything(self) -> int:
        """The mask of all things."""
        return (1 << self.things) - 1

    @property
    def sets(self) -> tuple[tuple[int, ...], ...]:
        """The things of each set."""
        return tuple(tuple(members(mask)) for mask in self.masks)

    def missing(self, taken: Iterable[int]) -> int:
        """The mask of what these sets leave uncovered; raises InvalidChoiceError."""
        left = self.everything
        for choice in taken:
            if not 0 <= choice < len(self.masks):
                raise InvalidChoiceError(choice, len(self.masks))
            left &= ~self.masks[choice]
        return left


def members(mask: int) -> Iterator[int]:
    """The things of a mask, in order."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def set_cover(spec: str, options: Values) -> SetCover:
    """The instance of a seed: each thing in each set with the same chance.

    A thing that came to lie in no set is drawn again. Things are independent of each other, so
    that is the same as drawing everything again until all of it is covered, and never lasts long.
    """
    things, sets = options.integer("things"), options.integer("sets")
    bar = int(options.number("density") * WORD)
    numbers = stream(options.integer("seed"))
    found = [0] * sets
    for thing in range(things):
        row: list[int] = []
        while not row:
            row = [at for at, number in enumerate(islice(numbers, sets)) if number < bar]
        for at in row:
            found[at] |= 1 << thing
    return SetCover(spec, things, tuple(found))


def _mask(spec: str, things: int, found: Iterable[int]) -> int:
    mask = 0
    for thing in found:
        if not 0 <= thing < things:
            raise ImpossibleProblemError(f"a set of {spec} has thing {thing}: there are {things}")
        mask |= 1 << thing
    return mask


BETWEEN_SETS, BETWEEN_THINGS = ".", "-"


def own_cover(spec: str, options: Values) -> SetCover:
    """The instance whose sets are written in the spec."""
    sets = read_sets(options.text("sets"))
    return SetCover.of(spec, max(map(max, sets)), [[thing - 1 for thing in each] for each in sets])


def read_sets(text: str) -> list[list[int]]:
    """The things of each set, from 1; raises InvalidTextError, or where nothing can cover all."""
    sets = [[_thing(part) for part in each.split(BETWEEN_THINGS)] for each in _parts(text)]
    named = {thing for each in sets for thing in each}
    lacking = next(thing for thing in range(1, MOST_THINGS + 2) if thing not in named)
    if lacking < max(named):
        raise ImpossibleProblemError(
            f"thing {lacking} is in none of the sets: things are numbered from 1 without a gap"
        )
    return sets


def _parts(text: str) -> list[str]:
    parts = text.split(BETWEEN_SETS)
    if len(parts) > MOST_SETS:
        raise ImpossibleProblemError(f"{len(parts):,} sets: a set cover has 1 to {MOST_SETS:,}")
    return parts


def _thing(text: str) -> int:
    if text.isascii() and text.isdecimal() and len(text) <= 4 and 1 <= int(text) <= MOST_THINGS:
        return int(text)
    why = f"a thing is a number from 1 to {MOST_THINGS}, not {quoted(text)}"
    raise InvalidTextError(text, why)
