"""Searches as pages offer them: chosen by spec, shown by title, started as a job."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from werkzeug.datastructures import MultiDict

from agents.formats import counted
from agents.optimisers.entry import SearchEntry
from agents.optimisers.roster import searches, searches_for
from agents.optimisers.snapshots import is_cover
from engine.options import Values, parse_spec, write_spec
from engine.problems.catalog import MAX_PROBLEM_CHARS, find_problem, shape_of
from engine.problems.entry import ProblemShape
from webapp.jobs.kinds.optimisation import SearchPlan, SearchRun
from webapp.optimise.query import (
    MAX_RUNS,
    SEARCHES,
    BoxQuery,
    CoverQuery,
    check_box,
    check_cover,
    course_boxes,
)
from webapp.web.errors import InvalidFormError
from webapp.web.forms import Choice, Fields, OptionField, field_value, option_fields


def search_entry(spec: str) -> SearchEntry:
    """Roster entry of a valid spec."""
    key, _ = parse_spec(spec)
    return next(entry for entry in searches() if entry.key == key)


def search_title(spec: str) -> str:
    """`A*, estimate largest`: title with the options that differ from their defaults."""
    texts = parse_spec(spec)[1]
    options = [f"{name} {text}" for name, text in texts.items()]
    return ", ".join((search_entry(spec).title, *options))


def search_choices(
    problem: str, variants: Iterable[str], chosen: Iterable[str]
) -> tuple[Choice, ...]:
    """Every search for such a problem, these variants, and whatever else is chosen."""
    shape: ProblemShape = shape_of(problem)
    standard = [entry.key for entry in searches_for(shape)]
    picked = list(chosen)
    specs = dict.fromkeys((*standard, *variants, *picked))
    abouts = {entry.key: entry.description for entry in searches()}  # variants repeat none
    return tuple(
        Choice(spec, search_title(spec), spec in picked, abouts.get(spec, "")) for spec in specs
    )


@dataclass(frozen=True, slots=True)
class SearchChoice:
    """A search to tick, with a field for each of its options."""

    choice: Choice
    fields: tuple[OptionField, ...]  # none: it is set as its name says


def search_settings(
    problem: str, variants: Iterable[str], chosen: Iterable[str], fields: Fields
) -> tuple[SearchChoice, ...]:
    """Every search with its settings: as sent, as chosen, or as usual; then other variants."""
    picked = list(chosen)
    found = []
    for entry in searches_for(shape_of(problem)):
        own = [spec for spec in picked if parse_spec(spec)[0] == entry.key]
        shown = entry.key if entry.key in own or not own else own[0]
        if shown in picked:
            picked.remove(shown)
        settings = option_fields(entry.options, fields, entry.key, parse_spec(shown)[1])
        choice = Choice(entry.key, entry.title, bool(own), entry.description)
        found.append(SearchChoice(choice, settings))
    for spec in dict.fromkeys((*variants, *picked)):
        choice = Choice(spec, search_title(spec), chosen=spec in picked)
        found.append(SearchChoice(choice, ()))
    return tuple(found)


def with_settings(spec: str, fields: Fields) -> str:
    """A search named by its key alone, set as its fields say; raises InvalidSpecError."""
    entry = next((entry for entry in searches() if entry.key == spec), None)
    if entry is None:
        return spec
    sent = {option.name: fields.get(f"{spec}.{option.name}", "") for option in entry.options}
    values = {each.name: field_value(each, sent[each.name]) for each in entry.options}
    return write_spec(spec, entry.options, Values(entry.options, values))


def read_plan(form: MultiDict[str, str]) -> SearchPlan:
    """The plan of the job; raises InvalidFormError or InvalidSpecError."""
    sent = BoxQuery.parse(form)
    if sent.problem and shape_of(sent.problem) is ProblemShape.COVER:
        query = check_cover(CoverQuery(sent.problem, compared=sent.searches))
        _require_searches(query.compared)
        return SearchPlan(query.problem, tuple(SearchRun(each, 0) for each in query.compared), 0)
    chosen = tuple(with_settings(spec, form) for spec in sent.searches)
    box = check_box(replace(sent, searches=chosen))
    _require_searches(sent.searches)
    problems = course_boxes(box) if sent.all else ("",)
    runs = tuple(
        SearchRun(each, seed, problem)
        for problem in problems
        for each in box.searches or SEARCHES
        for seed in range(int(box.seeds))
    )
    if len(runs) > MAX_RUNS:
        why = f"{len(runs)} runs are too many, {MAX_RUNS} at most: fewer seeds or searches"
        raise InvalidFormError(str(len(runs)), why)
    return SearchPlan(problems[0] or box.problem, runs, int(box.calls))


def _require_searches(chosen: tuple[str, ...]) -> None:
    if not chosen:
        raise InvalidFormError("", "nobody was chosen to search: tick one at least")


def job_title(plan: SearchPlan) -> str:
    """`The black box, groups 2: 3 searches, 5 seeds each`, for lists."""
    specs = {run.search for run in plan.runs}
    many = counted(len(specs), "search", "searches")
    seeds = counted(len(plan.runs) // len(specs) // len(plan.problems), "seed", "seeds")
    each = "" if is_cover(plan.problem) else f", {seeds} each"
    if len(plan.problems) > 1:
        return f"All four boxes: {many}{each}"
    key, texts = parse_spec(plan.problem, MAX_PROBLEM_CHARS)
    options = [f"{name} {text[:20]}" for name, text in texts.items()]
    return f"{', '.join((find_problem(key).title, *options))[:60]}: {many}{each}"
