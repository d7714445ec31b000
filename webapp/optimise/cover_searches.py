"""Searches on the same instance: their covers and effort as a table, and one step by step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from agents.formats import counted
from agents.optimisers.set_cover.run import CoverRun, CoverStep
from agents.optimisers.snapshots import CoverMoment
from engine.options import parse_spec
from webapp.charts.curves import Playback, playback
from webapp.jobs.kinds.optimisation import SearchPlan, lane_figures
from webapp.jobs.models import JobRecord
from webapp.optimise.query import CoverQuery, set_numbers
from webapp.optimise.searches import search_title
from webapp.workers.client import WorkerClient
from webapp.workers.queue import Rank
from webapp.workers.searches import CoverRequest, CoverStepRequest

SEARCH_TIMEOUT_S = 1.0  # longer searches can continue as a job
MINIMAL_MARK, MORE_MARK = "✓", "+"
SPEEDS = ((1000, "a step a second"), (400, "quicker"), (2500, "slower"))
MAX_NAMED_GAINS = 6  # in a sentence
FAILED = "It could not be asked this time"

FiguresBySearch = Mapping[str, CoverRun | None]  # by spec, once answered; None: it failed


@dataclass(frozen=True, slots=True)
class CoverAnswers:
    """What the searches of a query have answered by now."""

    figures: FiguresBySearch
    moment: CoverMoment | None = None  # of the search shown step by step
    pending: bool = False  # the moment is still being computed


def ask_searches(
    workers: WorkerClient, query: CoverQuery, record: JobRecord | None
) -> CoverAnswers:
    """Ask for the figures of every search of the query, and for the step that is shown."""
    found = _ask_figures(workers, query, record)
    if query.walk is None or (figures := found.get(query.walk)) is None:
        return CoverAnswers(found, pending=query.walk not in found)
    request = CoverStepRequest(query.problem, query.walk, _step_shown(query, figures))
    answer = workers.answer(request, Rank.PANEL, SEARCH_TIMEOUT_S)
    seen = None if answer is None else answer.result
    return CoverAnswers(found, seen, answer is None)


def _ask_figures(
    workers: WorkerClient, query: CoverQuery, record: JobRecord | None
) -> FiguresBySearch:
    by_search: dict[str, CoverRun | None] = {}
    in_job: set[str] = set()
    if record is not None:
        by_search = _figures_of_job(record)
        in_job = {run.search for run in SearchPlan.of(record).runs}
    wanted = dict.fromkeys((*query.compared, *([query.walk] if query.walk else [])))
    asked = {
        spec: workers.ask(CoverRequest(query.problem, spec), Rank.PANEL, SEARCH_TIMEOUT_S)
        for spec in wanted
        if spec not in in_job
    }
    for pending in list(asked.values())[-1:]:
        workers.wait_for(pending)
    for spec, pending in asked.items():
        if (answer := pending.wait(0)) is not None:
            by_search[spec] = answer.result
    return by_search


def _figures_of_job(record: JobRecord) -> dict[str, CoverRun | None]:
    plan, lanes = SearchPlan.of(record), lane_figures(record)
    return {
        run.search: _figures_of_run(lanes[lane])
        for lane, run in enumerate(plan.runs)
        if lane in lanes
    }


def _figures_of_run(data: Mapping[str, Any]) -> CoverRun:
    names = ("optimal", "bound", "expanded", "generated", "ended", "full", "steps")
    sets = None if data["sets"] is None else tuple(data["sets"])
    return CoverRun(sets, frontier=data["waiting"], **{name: data[name] for name in names})


def proven_minimum(by_search: FiguresBySearch) -> int | None:
    """The size of a smallest cover, if some search has proven it."""
    sizes = [
        len(figures.sets)
        for figures in by_search.values()
        if figures is not None and figures.sets is not None and figures.optimal
    ]
    return sizes[0] if sizes else None


@dataclass(frozen=True, slots=True)
class MachineRow:
    """One search in the table."""

    name: str
    sets: str  # size of its cover
    mark: str  # ✓ minimal, +2 more than needed
    meaning: str  # the same in words
    looked: str
    note: str
    walk_url: str
    current: bool
    lay_url: str | None  # to show its cover on the board


def machine_rows(
    query: CoverQuery, by_search: FiguresBySearch, path: str, *, drawn: bool
) -> tuple[MachineRow, ...]:
    """The table of the compared searches; `drawn`: there is a board to lay covers on."""
    fewest = proven_minimum(by_search)
    rows = []
    for spec in query.compared:
        walk_url, current = query.url(path, walk=spec, step=1), spec == query.walk
        name, figures = search_title(spec), by_search.get(spec)
        if figures is None:
            note = "could not be asked this time" if spec in by_search else "is at it"
            rows.append(MachineRow(name, "–", "", "", "–", note, walk_url, current, None))
            continue
        size = None if figures.sets is None else str(len(figures.sets))
        mark, meaning = _mark_and_meaning(figures, fewest)
        looked, note = f"{figures.expanded:,}", _note(figures)
        lay_url = _lay_url(query, figures.sets, path) if drawn else None
        rows.append(
            MachineRow(name, size or "–", mark, meaning, looked, note, walk_url, current, lay_url)
        )
    return tuple(rows)


def _lay_url(query: CoverQuery, sets: Iterable[int] | None, path: str) -> str | None:
    return query.url(path, taken=set_numbers(sets)) if sets else None


def _mark_and_meaning(figures: CoverRun, fewest: int | None) -> tuple[str, str]:
    if figures.sets is None:
        return "", ""
    size = len(figures.sets)
    if figures.optimal or size == fewest:
        return MINIMAL_MARK, "no cover has fewer"
    if fewest is not None:
        return f"{MORE_MARK}{size - fewest}", f"{size - fewest} more than needed"
    return (MORE_MARK, "there is one with fewer") if figures.optimal is False else ("", "")


def _note(figures: CoverRun) -> str:
    if figures.full:
        return "gave up: it may keep no more"
    if figures.ended:
        return ""
    if figures.bound > 1:
        return f"not done yet: {counted(figures.bound, 'set is', 'sets are')} needed at least"
    return "not done yet"


def _step_shown(query: CoverQuery, figures: CoverRun | None) -> int:
    step = query.step or 1
    return step if figures is None else min(step, max(1, figures.steps))


class SearchSteps:
    """One search step by step (`optimise/_steps.html`): the node it expands, and the frontier."""

    def __init__(self, query: CoverQuery, answers: CoverAnswers, path: str, *, drawn: bool) -> None:
        self.spec = str(query.walk)
        self.figures, self.moment = answers.figures.get(self.spec), answers.moment
        self.pending, self.path, self.drawn = answers.pending, path, drawn
        self.step = _step_shown(query, self.figures)
        self.most = max(1, self.step if self.figures is None else self.figures.steps)
        self.query = replace(query, step=self.step)
        self.by_f = goes_by_f(self.spec)

    @property
    def title(self) -> str:
        many = "…"
        if self.figures is not None:
            many = f"{'' if self.figures.ended else 'more than '}{self.figures.steps:,}"
        return f"{search_title(self.spec)}, step {self.step:,} of {many}"

    @property
    def takes(self) -> str:
        """`It takes up {4, 11}`."""
        if self.moment is None:
            return "It is being asked" if self.pending else FAILED
        sets = self.moment.step.sets
        return f"It takes up {sets_text(sets)}" if sets else "It starts with nothing taken"

    @property
    def sum(self) -> str:
        """`f = g + h = 2 + 2`; empty for searches without f."""
        if self.moment is None or not self.by_f or self.moment.step.h is None:
            return ""
        return f"f = g + h = {self.moment.step.g} + {self.moment.step.h}"

    @property
    def why(self) -> str:
        """The rest of the sentence."""
        return "" if self.moment is None else why_text(self.spec, self.moment)

    @property
    def waiting(self) -> str:
        if self.moment is None:
            return ""
        step = self.moment.step
        best = f" · best f waiting: {step.least}" if self.by_f and step.least is not None else ""
        return f"Waiting: {step.waiting:,}{best}"

    @property
    def front(self) -> tuple[tuple[str, int, str, str], ...]:
        """The next nodes of the frontier: sets, g, h, f."""
        return tuple(self._node(step) for step in self.moment.front) if self.moment else ()

    def _node(self, step: CoverStep) -> tuple[str, int, str, str]:
        h, f = (step.h, step.f) if self.by_f and step.h is not None else ("–", "–")
        return sets_text(step.sets), step.g, str(h), str(f)

    @cached_property
    def steps(self) -> Playback:
        stops = range(1, self.most + 1)
        return playback(stops, self.step, lambda at: self.query.url(self.path, step=at), "", SPEEDS)

    @property
    def lay_url(self) -> str | None:
        if self.moment is None or not self.drawn:
            return None
        return _lay_url(self.query, self.moment.step.sets, self.path)


def goes_by_f(spec: str) -> bool:
    """Whether a search orders its frontier by f = g + h."""
    return parse_spec(spec)[0] == "astar"


def why_text(spec: str, moment: CoverMoment) -> str:
    """What is missing, and what the estimate makes of it."""
    step = moment.step
    if not step.missing:
        return f"Nothing is missing: a cover of {counted(step.g, 'set', 'sets')}."
    missing = f"Missing {counted(len(step.missing), 'thing', 'things')}"
    if not goes_by_f(spec):
        if parse_spec(spec)[0] == "exact" and step.least is not None:
            return f"{missing}; it asks whether {counted(step.least, 'set', 'sets')} will do."
        return f"{missing}; the set with most of them has {moment.gains[0]}."
    return f"{missing}; {_promise(spec, moment)}."


def _promise(spec: str, moment: CoverMoment) -> str:
    estimate = parse_spec(spec)[1].get("estimate", "gains")
    gains, needed = moment.gains, moment.step.h or 1
    if estimate == "largest":
        return f"no set has more than {counted(moment.largest, 'thing', 'things')}"
    if estimate == "gain":
        return f"no set has more than {gains[0]} of them"
    if estimate == "average":
        return f"a set that has any has {sum(gains) / len(gains):.1f} on average, which is too much"
    used = [str(gain) for gain in gains[: min(needed, MAX_NAMED_GAINS)]]
    many = " and ".join([", ".join(used[:-1]), used[-1]] if len(used) > 1 else used)
    rest = ", …" if needed > MAX_NAMED_GAINS else ""
    return f"the largest {'sets cover' if len(used) > 1 else 'set covers'} {many}{rest} of them"


def sets_text(sets: tuple[int, ...]) -> str:
    """`{4, 11}`, numbered from 1."""
    return f"{{{', '.join(set_numbers(sets))}}}"
