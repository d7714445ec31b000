"""Set cover: choose as few sets as possible so that every thing is in one of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from engine.errors import InvalidTextError, quoted
from engine.options import Values
from engine.problems.entry import ImpossibleProblemError, InvalidChoiceError
from engine.problems.rng import WORD, stream

MOST_THINGS = 200
MOST_SETS = 1_000
LEAST_DENSITY = 0.001
SET_SEPARATOR, THING_SEPARATOR = ".", "-"  # in the specs of own covers


@dataclass(frozen=True, slots=True)
class SetCover:
    """One instance; that all sets together cover all things is checked when it is made."""

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
        """The instance with these sets of things, which are numbered from 0."""
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
        """The mask of the things that these sets leave uncovered; raises InvalidChoiceError."""
        left = self.everything
        for choice in taken:
            if not 0 <= choice < len(self.masks):
                raise InvalidChoiceError(choice, len(self.masks))
            left &= ~self.masks[choice]
        return left


def members(mask: int) -> Iterator[int]:
    """The indices of the things in a mask, lowest first."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def set_cover(spec: str, options: Values) -> SetCover:
    """The random instance of a seed: each thing is in each set with probability `density`.

    A thing in no set is redrawn. As things are independent, that gives the same distribution as
    redrawing the whole instance until everything is covered.
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


def own_cover(spec: str, options: Values) -> SetCover:
    """The instance whose sets are listed in the spec."""
    sets = read_sets(options.text("sets"))
    return SetCover.of(spec, max(map(max, sets)), [[thing - 1 for thing in each] for each in sets])


def read_sets(text: str) -> list[list[int]]:
    """Parse sets of things numbered from 1; raises InvalidTextError or ImpossibleProblemError."""
    sets = [[_thing(part) for part in each.split(THING_SEPARATOR)] for each in _parts(text)]
    named = {thing for each in sets for thing in each}
    lacking = next(thing for thing in range(1, MOST_THINGS + 2) if thing not in named)
    if lacking < max(named):
        raise ImpossibleProblemError(
            f"thing {lacking} is in none of the sets: things are numbered from 1 without a gap"
        )
    return sets


def _parts(text: str) -> list[str]:
    parts = text.split(SET_SEPARATOR)
    if len(parts) > MOST_SETS:
        raise ImpossibleProblemError(f"{len(parts):,} sets: a set cover has 1 to {MOST_SETS:,}")
    return parts


def _thing(text: str) -> int:
    if text.isascii() and text.isdecimal() and len(text) <= 4 and 1 <= int(text) <= MOST_THINGS:
        return int(text)
    why = f"a thing is a number from 1 to {MOST_THINGS}, not {quoted(text)}"
    raise InvalidTextError(text, why)
