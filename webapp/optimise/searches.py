"""Searches as pages offer them: by their specs, with a name for people."""

from __future__ import annotations

from collections.abc import Iterable

from agents.optimisers.entry import SearchEntry
from agents.optimisers.roster import load_search, searches, searches_for
from engine.options import parse_spec
from engine.problems.catalog import shape_of
from engine.problems.entry import ProblemShape
from webapp.web.errors import InvalidFormError
from webapp.web.forms import Choice


def entry_of(spec: str) -> SearchEntry:
    """The roster's entry of a spec that was read before."""
    key, _ = parse_spec(spec)
    return next(entry for entry in searches() if entry.key == key)


def title_of(spec: str) -> str:
    """`A*, estimate largest`: a search with all that is not as usual."""
    texts = parse_spec(spec)[1]
    said = [f"{name} {text}" for name, text in texts.items()]
    return ", ".join((entry_of(spec).title, *said))


def chosen_searches(specs: Iterable[str], problem: str, most: int) -> tuple[str, ...]:
    """Each once, by its shortest spec; raises where one is unknown or for another problem."""
    read = tuple(dict.fromkeys(load_search(spec, problem)[0] for spec in specs if spec))
    if len(read) > most:
        why = f"at most {most} searches are shown side by side, not {len(read)}"
        raise InvalidFormError(str(len(read)), why)
    return read


def offered(problem: str, variants: Iterable[str], chosen: Iterable[str]) -> tuple[Choice, ...]:
    """Every search for such a problem, these variants of them, and whatever else is chosen."""
    shape: ProblemShape = shape_of(problem)
    usual = [entry.key for entry in searches_for(shape)]
    picked = list(chosen)
    specs = dict.fromkeys((*usual, *variants, *picked))
    return tuple(Choice(spec, title_of(spec), chosen=spec in picked) for spec in specs)
