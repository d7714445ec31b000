"""The catalogue of problems: built in, then installed packages'."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from engine.entry import Preset
from engine.errors import InvalidSpecError
from engine.options import Kind, Option, parse_spec
from engine.problems.black_box import MAX_GROUPS, black_box
from engine.problems.entry import ProblemEntry, ProblemShape
from engine.problems.set_cover import MAX_SETS, MAX_THINGS, MIN_DENSITY, own_cover, set_cover
from engine.registry import Registry

SEED = "seed"
MAX_PROBLEM_CHARS = 5_000  # characters of a spec, which may list all sets

BUILT_IN = (
    ProblemEntry(
        key="set-cover",
        title="Set cover",
        summary="Take as few sets as you can so that each thing is in one of them.",
        shape=ProblemShape.COVER,
        options=(
            Option("things", Kind.INTEGER, 30, "what is to be covered", low=1, high=MAX_THINGS),
            Option("sets", Kind.INTEGER, 150, "sets to choose from", low=1, high=MAX_SETS),
            Option(
                "density",
                Kind.NUMBER,
                0.3,
                "the chance of each thing to be in each set",
                low=MIN_DENSITY,
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
            Option("groups", Kind.INTEGER, 1, "which box", low=1, high=MAX_GROUPS),
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


def _accepted(entry: ProblemEntry, home: str) -> ProblemEntry:
    """A package's entry, if its presets load; else raises."""
    made = [entry.load({"preset": preset.name}) for preset in entry.presets]
    if not made or made[0].spec != entry.key:
        why = "its first preset has to be the problem with every option at its default"
        raise InvalidSpecError(entry.key, why)
    return entry


problems = Registry("problem", "zermelo.problems", ProblemEntry, BUILT_IN, _accepted, __name__)
find_problem = problems.find


@lru_cache(maxsize=64)
def load_problem(spec: str) -> Any:
    """The `SetCover` or `Box` of a spec such as `set-cover:seed=7` (cached)."""
    key, texts = parse_spec(spec, MAX_PROBLEM_CHARS)
    return find_problem(key).load(texts)


def shape_of(spec: str) -> ProblemShape:
    """The shape of the problem of a spec; raises InvalidSpecError."""
    return find_problem(parse_spec(spec, MAX_PROBLEM_CHARS)[0]).shape


def with_seed(spec: str, seed: int) -> str:
    """The spec with this seed, unless it names one or the problem has none."""
    key, texts = parse_spec(spec, MAX_PROBLEM_CHARS)
    has_seed = any(option.name == SEED for option in find_problem(key).options)
    if SEED in texts or not has_seed:
        return spec
    return f"{spec}{',' if texts else ':'}{SEED}={seed}".replace("::", ":")
