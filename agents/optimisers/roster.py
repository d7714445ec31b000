"""All searches: the built-in ones, then those of installed packages."""

from __future__ import annotations

import logging
from functools import cache
from importlib.metadata import entry_points
from typing import Any

from agents.optimisers.black_box.roster import BOX
from agents.optimisers.entry import SearchEntry, UnsuitableSearchError
from agents.optimisers.set_cover.roster import COVER
from engine.errors import InvalidSpecError, unknown
from engine.options import parse_spec, read_options, write_spec
from engine.problems.catalog import shape_of
from engine.problems.entry import ProblemShape

log = logging.getLogger(__name__)

PLUGINS = "zermelo.searches"
BUILT_IN = (*COVER, *BOX)


@cache
def searches() -> tuple[SearchEntry, ...]:
    """Every search, the built-in ones first."""
    entries = {entry.key: entry for entry in BUILT_IN}
    for point in entry_points(group=PLUGINS):
        try:
            entry = point.load()
            if not isinstance(entry, SearchEntry) or entry.key in entries:
                raise TypeError(f"{point.value} is no entry of a search with a key of its own")
        except Exception as error:  # noqa: BLE001 - a broken package must not stop the others
            log.warning("search %s was skipped: %s", point.name, error)
        else:
            entries[entry.key] = entry
    return tuple(entries.values())


def searches_for(shape: ProblemShape) -> tuple[SearchEntry, ...]:
    """The searches that solve problems of this shape."""
    return tuple(entry for entry in searches() if entry.shape is shape)


def load_search(spec: str, problem: str) -> tuple[str, Any]:
    """(shortest spec, search) of a spec such as `astar:estimate=gain`.

    Raises UnsuitableSearchError where it cannot solve the problem of this spec.
    """
    key, texts = parse_spec(spec)
    shape = shape_of(problem)
    fitting = [entry.key for entry in searches_for(shape)]
    entry = next((entry for entry in searches() if entry.key == key), None)
    if entry is None:
        raise InvalidSpecError(key, unknown("search", key, fitting))
    values = read_options(entry.key, entry.options, texts)
    if entry.shape is not shape:
        why = f"{key} is for a {entry.shape}, and {problem} is a {shape}"
        raise UnsuitableSearchError(f"{why}: there is {', '.join(fitting)}")
    return write_spec(entry.key, entry.options, values), entry.make(values)
