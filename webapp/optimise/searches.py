"""Searches as pages offer them: chosen by spec, shown by title, started as a job."""

from __future__ import annotations

from collections.abc import Iterable

from werkzeug.datastructures import MultiDict

from agents.formats import counted
from agents.optimisers.entry import SearchEntry
from agents.optimisers.roster import searches, searches_for
from agents.optimisers.snapshots import is_cover
from engine.options import parse_spec
from engine.problems.catalog import shape_of
from engine.problems.entry import ProblemShape
from webapp.jobs.kinds.optimisation import SearchPlan, SearchRun
from webapp.optimise.query import SEARCHES, BoxQuery, CoverQuery, check_box, check_cover
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


def read_plan(form: MultiDict[str, str]) -> SearchPlan:
    """The plan of the job; raises InvalidFormError or InvalidSpecError."""
    sent = BoxQuery.parse(form)
    if sent.problem and shape_of(sent.problem) is ProblemShape.COVER:
        query = check_cover(CoverQuery(sent.problem, compared=sent.searches))
        _require_searches(query.compared)
        return SearchPlan(query.problem, tuple(SearchRun(each, 0) for each in query.compared), 0)
    box = check_box(sent)
    _require_searches(sent.searches)
    seeds = range(int(box.seeds))
    runs = tuple(SearchRun(each, seed) for each in box.searches or SEARCHES for seed in seeds)
    return SearchPlan(box.problem, runs, int(box.calls))


def _require_searches(chosen: tuple[str, ...]) -> None:
    if not chosen:
        raise InvalidFormError("", "nobody was chosen to search: tick one at least")


def job_title(plan: SearchPlan) -> str:
    """`3 searches on black-box:groups=2, 5 seeds each`, for lists."""
    specs = {run.search for run in plan.runs}
    many = counted(len(specs), "search", "searches")
    seeds = counted(len(plan.runs) // len(specs), "seed", "seeds")
    each = "" if is_cover(plan.problem) else f", {seeds} each"
    return f"{many} on {plan.problem[:60]}{each}"
