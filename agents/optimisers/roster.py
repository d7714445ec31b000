"""All searches: the built-in ones, then those of installed packages."""

from __future__ import annotations

from typing import Any

from agents.optimisers.entry import SearchEntry, UnsuitableSearchError
from engine.errors import InvalidSpecError, unknown_text
from engine.options import parse_spec, read_options, write_spec
from engine.problems.catalog import shape_of
from engine.problems.entry import ProblemShape
from engine.registry import Registry, declared_entries


def _built_in() -> tuple[SearchEntry, ...]:
    """What the modules of either shape declare, those for covers first."""
    covers = declared_entries("agents.optimisers.set_cover")
    boxes = declared_entries("agents.optimisers.black_box")
    return tuple(
        entry for found in (covers, boxes) for entry in sorted(found, key=lambda each: each.order)
    )


BUILT_IN = _built_in()
searches = Registry("search", "zermelo.searches", SearchEntry, BUILT_IN, logger=__name__)


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
        raise InvalidSpecError(key, unknown_text("search", key, fitting))
    values = read_options(entry.key, entry.options, texts)
    if entry.shape is not shape:
        why = f"{key} is for a {entry.shape}, and {problem} is a {shape}"
        raise UnsuitableSearchError(f"{why}: there is {', '.join(fitting)}")
    return write_spec(entry.key, entry.options, values), entry.make(values)
