"""The catalogue of problems: built in, then installed packages'."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib.metadata import entry_points
from typing import Any

from engine.catalog import KEY
from engine.entry import Preset
from engine.errors import InvalidSpecError, unknown
from engine.options import Kind, Option, parse_spec
from engine.problems.black_box import MOST_GROUPS, black_box
from engine.problems.entry import ProblemEntry, ProblemShape
from engine.problems.set_cover import LEAST_DENSITY, MOST_SETS, MOST_THINGS, own_cover, set_cover

log = logging.getLogger(__name__)

PLUGINS = "zermelo.problems"
SEED = "seed"
LONGEST_PROBLEM = 5_000  # characters of a spec, which may list all sets

BUILT_IN = (
    ProblemEntry(
        key="set-cover",
        title="Set cover",
        summary="Take as few sets as you can so that each thing is in one of them.",
        shape=ProblemShape.COVER,
        options=(
            Option("things", Kind.INTEGER, 30, "what is to be covered", low=1, high=MOST_THINGS),
            Option("sets", Kind.INTEGER, 150, "sets to choose from", low=1, high=MOST_SETS),
            Option(
                "density",
                Kind.NUMBER,
                0.3,
                "the chance of each thing to be in each set",
                low=LEAST_DENSITY,
                high=1,
            ),
            Option(SEED, Kind.INTEGER, 0, "which instance", low=0),
        ),
        presets=(
            Preset("course", "30 things, 150 sets", ()),
            Preset(
                "projector",
                "20 things, 40 sets",
                (("things", "20"), ("sets", "40"), ("density", "0.2")),
            ),
        ),
        make=set_cover,
    ),
    ProblemEntry(
        key="black-box",
        title="The black box",
        summary="1,000 bits in, one number out. Find the bits that make it 1.0.",
        shape=ProblemShape.BOX,
        options=(
            Option("groups", Kind.INTEGER, 1, "which box", low=1, high=MOST_GROUPS),
            Option(SEED, Kind.INTEGER, 0, "how a sealed box is sealed", low=0),
            Option(
                "sealed",
                Kind.SWITCH,
                False,
                "whether its places are shuffled and half of its bits inverted",
            ),
        ),
        presets=tuple(
            Preset(f"box-{groups}", f"Box {groups}", (("groups", groups),) if groups != "1" else ())
            for groups in ("1", "2", "5", "10")
        ),
        make=black_box,
    ),
    ProblemEntry(
        key="own-cover",
        title="Sets of your own",
        summary="A set cover whose sets are written out, one by one.",
        shape=ProblemShape.COVER,
        options=(
            Option(
                "sets",
                Kind.TEXT,
                "1-2-3.1-4.2-5.3-6.4-5-6",
                "the things of each set by their numbers from 1, such as 1-2-5.3-4",
            ),
        ),
        presets=(Preset("six", "Six things, five sets", ()),),
        make=own_cover,
    ),
)


@cache
def problems() -> tuple[ProblemEntry, ...]:
    """The built-in problems, then those of installed packages (cached)."""
    entries = {entry.key: entry for entry in BUILT_IN}
    for point in entry_points(group=PLUGINS):
        try:
            entry = _checked(point.load(), entries)
        except Exception as error:  # noqa: BLE001 - a broken package must not stop the others
            log.warning("problem %s was skipped: %s", point.name, error)
        else:
            entries[entry.key] = entry
    return tuple(entries.values())


def _checked(entry: Any, others: Mapping[str, ProblemEntry]) -> ProblemEntry:
    """The entry, if it is valid beside the others and its presets load; else raises."""
    if not isinstance(entry, ProblemEntry):
        raise TypeError(f"{entry!r} is no entry of the catalogue of problems")
    if not KEY.fullmatch(entry.key):
        raise InvalidSpecError(entry.key, "a key is of small letters, digits and single hyphens")
    if entry.key in others:
        raise InvalidSpecError(entry.key, f"there is a problem {entry.key} already")
    made = [entry.load({"preset": preset.name}) for preset in entry.presets]
    if not made or made[0].spec != entry.key:
        why = "its first preset has to be the problem with every option at its default"
        raise InvalidSpecError(entry.key, why)
    return entry


def find_problem(key: str) -> ProblemEntry:
    """The catalogue's entry for a problem; raises InvalidSpecError."""
    for entry in problems():
        if entry.key == key:
            return entry
    raise InvalidSpecError(key, unknown("problem", key, [entry.key for entry in problems()]))


@lru_cache(maxsize=64)
def load_problem(spec: str) -> Any:
    """The `SetCover` or `Box` of a spec such as `set-cover:seed=7` (cached)."""
    key, texts = parse_spec(spec, LONGEST_PROBLEM)
    return find_problem(key).load(texts)


def shape_of(spec: str) -> ProblemShape:
    """The shape of the problem of a spec; raises InvalidSpecError."""
    return find_problem(parse_spec(spec, LONGEST_PROBLEM)[0]).shape


def seeded(spec: str, seed: int) -> str:
    """The spec with this seed, unless it names one or the problem has none."""
    key, texts = parse_spec(spec, LONGEST_PROBLEM)
    has_seed = any(option.name == SEED for option in find_problem(key).options)
    if SEED in texts or not has_seed:
        return spec
    return f"{spec}{',' if texts else ':'}{SEED}={seed}".replace("::", ":")
