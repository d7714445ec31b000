"""A set cover written out set by set: `1-2-5.3-4` is two sets, their things numbered from 1."""

from __future__ import annotations

from engine.errors import InvalidTextError, quoted
from engine.problems.errors import ImpossibleProblemError
from engine.problems.set_cover import MOST_SETS, MOST_THINGS, SetCover
from engine.values import Values

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
