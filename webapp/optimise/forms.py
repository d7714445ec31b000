"""The form that starts a job of searches."""

from __future__ import annotations

from werkzeug.datastructures import MultiDict

from agents.formats import counted
from agents.optimisers.snapshots import is_cover
from engine.problems.catalog import shape_of
from engine.problems.entry import ProblemShape
from webapp.jobs.kinds.search import SearchPlan, SearchRun
from webapp.optimise.black_box.query import BoxQuery
from webapp.optimise.searches import chosen_searches
from webapp.optimise.set_cover.query import MAX_COMPARED, CoverQuery
from webapp.web.errors import InvalidFormError


def read_plan(args: MultiDict[str, str]) -> SearchPlan:
    """The plan of the job; raises InvalidFormError or InvalidSpecError."""
    if args.get("problem") and shape_of(args["problem"]) is ProblemShape.COVER:
        problem = CoverQuery.of(MultiDict({"problem": args["problem"]})).problem
        searches = chosen_searches(args.getlist("search"), problem, MAX_COMPARED)
        _require_searches(searches)
        return SearchPlan(problem, tuple(SearchRun(search, 0) for search in searches), 0)
    query = BoxQuery.of(args)
    _require_searches(tuple(spec for spec in args.getlist("search") if spec))
    runs = tuple(
        SearchRun(search, seed) for search in query.searches for seed in range(query.seeds)
    )
    return SearchPlan(query.problem, runs, query.calls)


def _require_searches(searches: tuple[str, ...]) -> None:
    if not searches:
        raise InvalidFormError("", "nobody was chosen to search: tick one at least")


def job_title(plan: SearchPlan) -> str:
    """`3 searches on black-box:groups=2, 5 seeds each`, for lists."""
    searches = len({run.search for run in plan.runs})
    seeds = len(plan.runs) // searches
    many = counted(searches, "search", "searches")
    each = "" if is_cover(plan.problem) else f", {counted(seeds, 'seed', 'seeds')} each"
    return f"{many} on {plan.problem[:60]}{each}"
