"""A job of searches as a form asks for it."""

from __future__ import annotations

from werkzeug.datastructures import MultiDict

from agents.formats import counted
from agents.optimisers.snapshots import is_cover
from engine.problems.catalog import shape_of
from engine.problems.entry import ProblemShape
from webapp.jobs.kinds.search import SearchPlan, SearchRun
from webapp.optimise.black_box.query import BoxLook
from webapp.optimise.searches import chosen_searches
from webapp.optimise.set_cover.query import MOST_COMPARED, CoverLook
from webapp.web.errors import InvalidFormError


def plan_of(said: MultiDict[str, str]) -> SearchPlan:
    """What is asked for; raises where that is nothing that can be done."""
    if said.get("problem") and shape_of(said["problem"]) is ProblemShape.COVER:
        problem = CoverLook.of(MultiDict({"problem": said["problem"]})).problem
        searches = chosen_searches(said.getlist("search"), problem, MOST_COMPARED)
        _check(searches)
        return SearchPlan(problem, tuple(SearchRun(search, 0) for search in searches), 0)
    look = BoxLook.of(said)
    _check(tuple(spec for spec in said.getlist("search") if spec))
    runs = tuple(SearchRun(search, seed) for search in look.searches for seed in range(look.seeds))
    return SearchPlan(look.problem, runs, look.calls)


def _check(searches: tuple[str, ...]) -> None:
    if not searches:
        raise InvalidFormError("", "nobody was chosen to search: tick one at least")


def title_for(plan: SearchPlan) -> str:
    """`3 searches on black-box:groups=2, 5 seeds each`, for lists."""
    searches = len({run.search for run in plan.runs})
    seeds = len(plan.runs) // searches
    many = counted(searches, "search", "searches")
    each = "" if is_cover(plan.problem) else f", {counted(seeds, 'seed', 'seeds')} each"
    return f"{many} on {plan.problem[:60]}{each}"
