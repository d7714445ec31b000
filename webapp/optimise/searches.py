"""Searches as pages offer them: chosen by spec, shown by title."""

from __future__ import annotations

from collections.abc import Iterable

from agents.optimisers.entry import SearchEntry
from agents.optimisers.roster import load_search, searches, searches_for
from engine.options import parse_spec
from engine.problems.catalog import shape_of
from engine.problems.entry import ProblemShape
from webapp.web.errors import InvalidFormError
from webapp.web.forms import Choice


def search_entry(spec: str) -> SearchEntry:
    """Roster entry of a valid spec."""
    key, _ = parse_spec(spec)
    return next(entry for entry in searches() if entry.key == key)


def search_title(spec: str) -> str:
    """`A*, estimate largest`: title with the options that differ from their defaults."""
    texts = parse_spec(spec)[1]
    options = [f"{name} {text}" for name, text in texts.items()]
    return ", ".join((search_entry(spec).title, *options))


def chosen_searches(specs: Iterable[str], problem: str, most: int) -> tuple[str, ...]:
    """Distinct canonical specs; raises if one is unknown, for another problem, or one too many."""
    read = tuple(dict.fromkeys(load_search(spec, problem)[0] for spec in specs if spec))
    if len(read) > most:
        why = f"at most {most} searches are shown side by side, not {len(read)}"
        raise InvalidFormError(str(len(read)), why)
    return read


def search_choices(
    problem: str, variants: Iterable[str], chosen: Iterable[str]
) -> tuple[Choice, ...]:
    """Every search for such a problem, these variants, and whatever else is chosen."""
    shape: ProblemShape = shape_of(problem)
    standard = [entry.key for entry in searches_for(shape)]
    picked = list(chosen)
    specs = dict.fromkeys((*standard, *variants, *picked))
    return tuple(Choice(spec, search_title(spec), chosen=spec in picked) for spec in specs)
