"""The page of a black box: asking by hand, searches, and the best genome."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from flask import url_for

from agents.formats import counted
from engine.options import parse_spec, read_options
from engine.problems.black_box import MAX_CALLS, MAX_GROUPS, BlackBox, read_genome
from engine.problems.catalog import MAX_PROBLEM_CHARS, find_problem, load_problem
from engine.problems.entry import Box
from webapp.jobs.kinds.search import SearchPlan, lane_figures
from webapp.jobs.models import JobPoint, JobRecord
from webapp.optimise.black_box.genome import (
    GENOMES,
    RANDOM_PREFIX,
    AskedRow,
    GenomeView,
    asked_rows,
    best_genome,
    genome_view,
)
from webapp.optimise.black_box.query import MAX_ASKED, MAX_SEEDS, BoxQuery
from webapp.optimise.black_box.runs import RunView, run_name, run_view, shown_lane
from webapp.optimise.searches import search_choices
from webapp.services import service
from webapp.web.forms import Choice
from webapp.web.messages import Message
from webapp.workers.client import WorkerClient
from webapp.workers.queue import Rank
from webapp.workers.requests import BoxRequest

BOXES = (1, 2, 5, 10)
VARIANTS = ("course-second:parents=uniform", "genetic:crossover=points")
SEARCH_TIMEOUT_S = 5.0  # to repeat a run up to some call: mostly a fraction of a second
CAPS = (
    f"At most {MAX_CALLS:,} calls in a run, {MAX_GROUPS} groups, {MAX_SEEDS} seeds. "
    "It runs as a job of the lab: it goes on when you leave, and can be stopped."
)


@dataclass(frozen=True, slots=True)
class AskingView:
    """Asking by hand (`optimise/_asking.html`), for any page that includes it."""

    action: str
    target: str
    fields: tuple[tuple[str, str], ...]
    buttons: tuple[tuple[str, str, str], ...]  # id, name, value of `asked` once pressed
    rows: tuple[AskedRow, ...]
    count: str  # `asked 3 times`
    over_url: str | None


def asking_view(box: BlackBox, query: BoxQuery, action: str, target: str = "#box") -> AskingView:
    """What was asked by hand, and buttons for what to ask next."""
    tokens = {token: name for token, (name, _) in GENOMES.items()}
    tokens[f"{RANDOM_PREFIX}{len(query.asked) + 1}"] = "By chance"
    return AskingView(
        action=action,
        target=target,
        fields=query.fields_except("asked"),
        buttons=tuple(
            (f"ask-{at}", name, ".".join((*query.asked, token)[-MAX_ASKED:]))
            for at, (token, name) in enumerate(tokens.items())
        ),
        rows=asked_rows(box, query.asked),
        count=f"asked {counted(len(query.asked), 'time', 'times')}",
        over_url=query.url(action, asked=()) if query.asked else None,
    )


@dataclass(frozen=True, slots=True)
class BoxView:
    """The page (`optimise/_box.html`, root id `box`)."""

    url: str
    action: str
    boxes: tuple[tuple[str, str, bool], ...]
    sealed: bool
    seal_url: str | None
    groups: str
    seed: str
    asking: AskingView | None
    genome: GenomeView | None
    open_url: str
    opened: bool
    run: RunView | None
    runs_url: str
    problem: str
    searches: tuple[Choice, ...]
    seeds: int
    most_seeds: int
    calls: int
    most_calls: int
    most_groups: int
    caps: str
    present: bool
    present_url: str
    poll_url: str | None
    known: str
    message: Message | None


def box_view(
    query: BoxQuery,
    record: JobRecord | None = None,
    points: Sequence[JobPoint] = (),
    player: str | None = None,
    message: Message | None = None,
) -> BoxView:
    action = url_for("optimise.black_box")
    if record is not None:
        query = replace(query, problem=SearchPlan.of(record).problem)
    box: Box = load_problem(query.problem)
    ours = box if isinstance(box, BlackBox) else None
    run = None if record is None else run_view(record, points, query, box, action, player)
    active = run is not None and run.job.is_active
    genome, pending = (None, False) if ours is None else _genome(ours, record, query)
    texts = _texts(query.problem)
    version_key = "" if record is None else f"{record.state}-{record.updated:.3f}-{record.cancel:d}"
    url = query.url(action)
    return BoxView(
        url=url,
        action=action,
        boxes=_boxes(query, action) if ours else (),
        sealed=texts.get("sealed") == "yes",
        seal_url=_seal_url(query, action, texts) if ours else None,
        groups=texts.get("groups", "1"),
        seed=texts.get("seed", "0"),
        asking=None if ours is None else asking_view(ours, query, action),
        genome=genome,
        open_url=query.url(action, opened=not query.opened),
        opened=query.opened,
        run=run,
        runs_url=url_for("optimise.begin"),
        problem=query.problem,
        searches=search_choices(query.problem, VARIANTS, _chosen(query, record)),
        seeds=query.seeds,
        most_seeds=MAX_SEEDS,
        calls=query.calls,
        most_calls=MAX_CALLS,
        most_groups=MAX_GROUPS,
        caps=CAPS,
        present=query.present,
        present_url=query.url(action, present=not query.present),
        poll_url=f"{url}&known={version_key}" if active else url if pending else None,
        known=version_key,
        message=message,
    )


def _genome(
    box: BlackBox, record: JobRecord | None, query: BoxQuery
) -> tuple[GenomeView | None, bool]:
    """The best genome of a run, or asked by hand, and whether it is still being computed."""
    lanes = {} if record is None else lane_figures(record)
    if record is None or not lanes:
        found = best_genome(box, query.asked)
        if found is None:
            return None, False
        after = f"after {counted(len(query.asked), 'question', 'questions')}"
        return genome_view(box, found, "The best you have found", after, opened=query.opened), False
    plan, lane = SearchPlan.of(record), shown_lane(lanes, query)
    run, figures = plan.runs[lane], lanes[lane]
    calls, genome = figures["calls"], read_genome(figures["genome"])
    pending = False
    if query.at is not None and query.at < calls:
        question = BoxRequest(plan.problem, run.search, run.seed, query.at)
        answer = service(WorkerClient).answer(question, Rank.PANEL, SEARCH_TIMEOUT_S)
        pending = answer is None
        if answer is not None and answer.result is not None:
            calls, genome = answer.result.calls, answer.result.genome
    after = f"after {counted(calls, 'question', 'questions')} by {run_name(plan, lane)}"
    view = genome_view(box, genome, "The best it has found", after, opened=query.opened)
    return view, pending


def _boxes(query: BoxQuery, action: str) -> tuple[tuple[str, str, bool], ...]:
    here = _texts(query.problem).get("groups", "1")
    return tuple(
        (f"Box {groups}", query.with_box(groups=str(groups)).url(action), str(groups) == here)
        for groups in BOXES
    )


def _seal_url(query: BoxQuery, action: str, texts: dict[str, str]) -> str:
    if texts.get("sealed") == "yes":
        return query.with_box(sealed=None, seed=None).url(action)
    return query.with_box(sealed="yes").url(action)


def _texts(problem: str) -> dict[str, str]:
    """Every option of a problem as text, defaults included."""
    key, texts = parse_spec(problem, MAX_PROBLEM_CHARS)
    options = find_problem(key).options
    values = read_options(key, options, texts)
    return {option.name: option.write(values[option.name]) for option in options}


def _chosen(query: BoxQuery, record: JobRecord | None) -> tuple[str, ...]:
    if record is None:
        return query.searches
    return tuple(dict.fromkeys(run.search for run in SearchPlan.of(record).runs))
