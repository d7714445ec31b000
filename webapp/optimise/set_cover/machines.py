"""Searches on the same instance: a table of their covers and effort."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from agents.formats import counted
from agents.optimisers.snapshots import CoverFigures
from webapp.jobs.kinds.search import SearchPlan, lane_figures
from webapp.jobs.models import JobRecord
from webapp.optimise.searches import search_entry, search_title
from webapp.optimise.set_cover.query import CoverQuery, sets_param
from webapp.services import service
from webapp.workers.client import WorkerClient
from webapp.workers.queue import Rank
from webapp.workers.requests import CoverRequest

SEARCH_TIMEOUT_S = 1.0  # longer searches can continue as a job
VARIANTS = ("astar:estimate=largest", "astar:estimate=average", "astar:branch=rarest")
MINIMAL_MARK, MORE_MARK = "✓", "+"

FiguresBySearch = Mapping[str, CoverFigures | None]  # by spec, once answered; None: it failed


@dataclass(frozen=True, slots=True)
class MachineRow:
    """One search."""

    name: str
    sets: str  # size of its cover
    mark: str  # ✓ minimal, +2 more than needed
    meaning: str  # the same in words
    looked: str
    note: str
    walk_url: str
    current: bool
    lay_url: str | None  # to show its cover on the board


@dataclass(frozen=True, slots=True)
class MachinesView:
    """The table."""

    rows: tuple[MachineRow, ...]
    pending: bool
    unfinished: tuple[str, ...]  # specs of searches that hit the timeout
    about: str


def collect_figures(query: CoverQuery, record: JobRecord | None) -> FiguresBySearch:
    """Figures of the compared searches and of the one shown step by step, as far as known."""
    wanted = dict.fromkeys((*query.compared, *([query.walk] if query.walk else [])))
    by_search: dict[str, CoverFigures | None] = {}
    in_job: set[str] = set()
    if record is not None:
        by_search = from_job(record)
        in_job = {run.search for run in SearchPlan.of(record).runs}
    asked = {
        spec: service(WorkerClient).ask(
            CoverRequest(query.problem, spec), Rank.PANEL, SEARCH_TIMEOUT_S
        )
        for spec in wanted
        if spec not in in_job
    }
    for thought in list(asked.values())[-1:]:
        service(WorkerClient).wait_for(thought)
    for spec, thought in asked.items():
        if (answer := thought.wait(0)) is not None:
            by_search[spec] = answer.result
    return by_search


def from_job(record: JobRecord) -> dict[str, CoverFigures | None]:
    """Figures of a job's runs, by search."""
    plan, lanes = SearchPlan.of(record), lane_figures(record)
    return {
        run.search: figures_from_lane(lanes[lane])
        for lane, run in enumerate(plan.runs)
        if lane in lanes
    }


def figures_from_lane(data: Mapping[str, Any]) -> CoverFigures:
    """Figures from the stored data of a run."""
    names = ("optimal", "bound", "expanded", "generated", "waiting", "ended", "full", "steps")
    sets = None if data["sets"] is None else tuple(data["sets"])
    return CoverFigures(sets=sets, **{name: data[name] for name in names})


def machines_view(
    query: CoverQuery, by_search: FiguresBySearch, action: str, *, waiting: bool, drawn: bool
) -> MachinesView:
    fewest = proven_minimum(by_search)
    unfinished = [
        spec
        for spec in query.compared
        if (figures := by_search.get(spec)) is not None and not figures.ended
    ]
    return MachinesView(
        rows=tuple(_row(query, spec, by_search, fewest, action, drawn) for spec in query.compared),
        pending=any(spec not in by_search for spec in query.compared),
        unfinished=() if waiting else tuple(unfinished),
        about=_about(query),
    )


def _about(query: CoverQuery) -> str:
    """Description of the search shown step by step, else of A*, else of the first."""
    spec = query.walk or ("astar" if "astar" in query.compared else query.compared[0])
    return f"{search_title(spec)}: {search_entry(spec).description}"


def proven_minimum(by_search: FiguresBySearch) -> int | None:
    """The size of a smallest cover, if some search has proven it."""
    sizes = [
        len(figures.sets)
        for figures in by_search.values()
        if figures is not None and figures.sets is not None and figures.optimal
    ]
    return sizes[0] if sizes else None


def _row(
    query: CoverQuery,
    spec: str,
    by_search: FiguresBySearch,
    fewest: int | None,
    action: str,
    drawn: bool,
) -> MachineRow:
    walk_url = query.url(action, walk=spec, step=1)
    current = spec == query.walk
    name, figures = search_title(spec), by_search.get(spec)
    if figures is None:
        note = "could not be asked this time" if spec in by_search else "is at it"
        return MachineRow(name, "–", "", "", "–", note, walk_url, current, None)
    size = None if figures.sets is None else len(figures.sets)
    mark, meaning = _mark_and_meaning(size, figures, fewest)
    return MachineRow(
        name=name,
        sets="–" if size is None else str(size),
        mark=mark,
        meaning=meaning,
        looked=f"{figures.expanded:,}",
        note=_note(figures),
        walk_url=walk_url,
        current=current,
        lay_url=query.url(action, taken=figures.sets) if drawn and figures.sets else None,
    )


def _mark_and_meaning(
    size: int | None, figures: CoverFigures, fewest: int | None
) -> tuple[str, str]:
    if size is None:
        return "", ""
    if figures.optimal or size == fewest:
        return MINIMAL_MARK, "no cover has fewer"
    if fewest is not None:
        return f"{MORE_MARK}{size - fewest}", f"{size - fewest} more than needed"
    return ("+", "there is one with fewer") if figures.optimal is False else ("", "")


def _note(figures: CoverFigures) -> str:
    if figures.full:
        return "gave up: it may keep no more"
    if figures.ended:
        return ""
    if figures.bound > 1:
        return f"not done yet: {counted(figures.bound, 'set is', 'sets are')} needed at least"
    return "not done yet"


def sets_text(sets: tuple[int, ...]) -> str:
    """`{4, 11}`, numbered from 1."""
    return f"{{{sets_param(sets).replace('.', ', ')}}}"
