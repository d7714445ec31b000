"""Asking a box by hand, for this room's page or any other that includes `optimise/_asking.html`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from flask import url_for

from agents.formats import counted
from agents.optimisers.snapshots import BoxFigures
from engine.options import parse_spec, read_options
from engine.problems.black_box import MOST_CALLS, MOST_GROUPS, RANKS, BlackBox, read_genome
from engine.problems.catalog import LONGEST_PROBLEM, find_problem, load_problem
from engine.problems.entry import Box
from webapp.jobs.kinds.search import SearchPlan, lanes_of
from webapp.jobs.models import JobPoint, JobRecord
from webapp.optimise.black_box.genome_input import CHANCE, GENOMES, AskedRow, asked_rows, best_of
from webapp.optimise.black_box.query import MOST_ASKED, MOST_SEEDS, BoxLook
from webapp.optimise.black_box.runs import RunView, lane_shown, run_name, run_view
from webapp.optimise.searches import offered
from webapp.services import service
from webapp.web.forms import Choice
from webapp.web.messages import Message
from webapp.workers.client import WorkerClient
from webapp.workers.queue import Rank
from webapp.workers.requests import SearchQuestion


@dataclass(frozen=True, slots=True)
class AskingView:
    """Asking by hand (`optimise/_asking.html`), for any page that includes it."""

    action: str
    target: str
    fields: tuple[tuple[str, str], ...]
    buttons: tuple[tuple[str, str, str], ...]  # id, name, what has been asked once it is pressed
    rows: tuple[AskedRow, ...]
    count: str  # `asked 3 times`
    over_url: str | None


def asking_view(box: BlackBox, look: BoxLook, action: str, target: str = "#box") -> AskingView:
    """What was asked by hand, and what can be asked next."""
    tokens = {token: name for token, (name, _) in GENOMES.items()}
    tokens[f"{CHANCE}{len(look.asked) + 1}"] = "By chance"
    return AskingView(
        action=action,
        target=target,
        fields=look.but("asked"),
        buttons=tuple(
            (f"ask-{at}", name, ".".join((*look.asked, token)[-MOST_ASKED:]))
            for at, (token, name) in enumerate(tokens.items())
        ),
        rows=asked_rows(box, look.asked),
        count=f"asked {counted(len(look.asked), 'time', 'times')}",
        over_url=look.url(action, asked=()) if look.asked else None,
    )


ACROSS = 40
TONES = 6  # colours of groups; with more groups they come again
SEALED = (
    "Sealed: the places are shuffled and half of the bits inverted, so that a coloured place is "
    "one that is right. "
)


@dataclass(frozen=True, slots=True)
class GroupRow:
    """One group of an opened box."""

    name: str
    tone: int
    right: str  # `371 of 500`
    gives: str  # `+371`, `−37.1`


@dataclass(frozen=True, slots=True)
class GenomeView:
    """Everything `optimise/_genome.html` prints."""

    title: str
    figure: str  # `0.487`
    after: str  # `after 12,400 questions · 741 ones`
    width: int
    height: int
    cells: tuple[tuple[str, str], ...]  # a class, and the path of its places
    label: str  # for whoever cannot see it
    told: str  # what is inside, once it is opened
    groups: tuple[GroupRow, ...]


def genome_view(box: BlackBox, genome: int, title: str, after: str, *, opened: bool) -> GenomeView:
    """The genome as it was asked; with the box opened, as the box sees it."""
    ones = counted(genome.bit_count(), "one", "ones")
    value = box.value(genome)
    return GenomeView(
        title=title,
        figure=f"{value:.3f}",
        after=f"{after} · {ones}",
        width=ACROSS,
        height=-(-box.bits // ACROSS),
        cells=_opened(box, genome) if opened else _closed(box, genome),
        label=f"{ones} of {box.bits:,} places",
        told=inside(box) if opened else "",
        groups=_groups(box, genome) if opened else (),
    )


def inside(box: BlackBox) -> str:
    """How the box is made, in words."""
    many = len(box.groups)
    sealed = SEALED if box.inverted else ""
    if many == 1:
        return f"Opened. {sealed}Every place that is right counts, and nothing else."
    if box.inverted:
        where = f"the places are dealt to {many} groups"
    elif many == 2:
        where = "even and odd places are two groups"
    else:
        where = f"every {many}th place belongs to the same group"
    if many == 2:
        others = "the other one costs until it is exactly as full"
    else:
        others = "the others cost a tenth, a hundredth and so on until they are exactly as full"
    return (
        f"Opened: {where}. {sealed}The fuller group counts, {others}: a hill that leads away from "
        "the top."
    )


def _closed(box: BlackBox, genome: int) -> tuple[tuple[str, str], ...]:
    every = (1 << box.bits) - 1
    return _paths(box.bits, [("zero", every & ~genome), ("one", genome)])


def _opened(box: BlackBox, genome: int) -> tuple[tuple[str, str], ...]:
    right = genome ^ box.inverted
    wrong = ((1 << box.bits) - 1) & ~right
    masks = [0] * min(TONES, len(box.groups))
    for group, mask in enumerate(box.groups):
        masks[group % TONES] |= mask & right
    return _paths(box.bits, [("zero", wrong), *((f"group-{at}", m) for at, m in enumerate(masks))])


def _paths(bits: int, masks: list[tuple[str, int]]) -> tuple[tuple[str, str], ...]:
    found = []
    for name, mask in masks:
        places = (at for at in range(bits) if mask >> (bits - 1 - at) & 1)
        path = "".join(f"M{at % ACROSS} {at // ACROSS}h1" for at in places)
        if path:
            found.append((name, path))
    return tuple(found)


def _groups(box: BlackBox, genome: int) -> tuple[GroupRow, ...]:
    """Each group with what it gives or costs, in thousandths."""
    right = genome ^ box.inverted
    counts = [(right & mask).bit_count() for mask in box.groups]
    order = sorted(range(len(counts)), key=lambda group: (-counts[group], group))
    tied = counts.count(max(counts))
    rows = []
    for rank, group in enumerate(order):
        behind = rank - tied + 1
        cost = counts[group] / 10**behind if 1 <= behind <= RANKS else 0.0
        gives = f"+{counts[group]}" if rank < tied else f"−{cost:.3g}"
        size = box.groups[group].bit_count()
        rows.append(GroupRow(f"{group + 1}", group % TONES, f"{counts[group]} of {size}", gives))
    return tuple(rows)


BOXES = (1, 2, 5, 10)
VARIANTS = ("course-second:parents=uniform", "genetic:crossover=points")
SECONDS = 5.0  # for a run as it was at some time: mostly a fraction of one
CAPS = (
    f"At most {MOST_CALLS:,} calls in a run, {MOST_GROUPS} groups, {MOST_SEEDS} seeds. "
    "It runs as a job of the lab: it goes on when you leave, and can be stopped."
)


@dataclass(frozen=True, slots=True)
class BoxView:
    """Everything `optimise/_box.html` prints (root id `box`)."""

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
    look: BoxLook,
    record: JobRecord | None = None,
    points: Sequence[JobPoint] = (),
    player: str | None = None,
    message: Message | None = None,
) -> BoxView:
    """All of it."""
    action = url_for("optimise.black_box")
    if record is not None:
        look = replace(look, problem=SearchPlan.of(record).problem)
    box: Box = load_problem(look.problem)
    ours = box if isinstance(box, BlackBox) else None
    run = None if record is None else run_view(record, points, look, box, action, player)
    active = run is not None and run.job.is_active
    genome, pending = (None, False) if ours is None else _genome(ours, record, look)
    texts = _texts(look.problem)
    known = "" if record is None else f"{record.state}-{record.updated:.3f}-{record.cancel:d}"
    url = look.url(action)
    return BoxView(
        url=url,
        action=action,
        boxes=_boxes(look, action) if ours else (),
        sealed=texts.get("sealed") == "yes",
        seal_url=_seal_url(look, action, texts) if ours else None,
        groups=texts.get("groups", "1"),
        seed=texts.get("seed", "0"),
        asking=None if ours is None else asking_view(ours, look, action),
        genome=genome,
        open_url=look.url(action, opened=not look.opened),
        opened=look.opened,
        run=run,
        runs_url=url_for("optimise.begin"),
        problem=look.problem,
        searches=offered(look.problem, VARIANTS, _chosen(look, record)),
        seeds=look.seeds,
        most_seeds=MOST_SEEDS,
        calls=look.calls,
        most_calls=MOST_CALLS,
        most_groups=MOST_GROUPS,
        caps=CAPS,
        present=look.present,
        present_url=look.url(action, present=not look.present),
        poll_url=f"{url}&known={known}" if active else url if pending else None,
        known=known,
        message=message,
    )


def _genome(
    box: BlackBox, record: JobRecord | None, look: BoxLook
) -> tuple[GenomeView | None, bool]:
    """Of a run as it was at that time, and whether that is still being worked out; without runs,
    the best that was asked by hand."""
    lanes = {} if record is None else lanes_of(record)
    if record is None or not lanes:
        found = best_of(box, look.asked)
        if found is None:
            return None, False
        after = f"after {counted(len(look.asked), 'question', 'questions')}"
        return genome_view(box, found, "The best you have found", after, opened=look.opened), False
    plan, lane = SearchPlan.of(record), lane_shown(lanes, look)
    run, figures = plan.runs[lane], lanes[lane]
    calls, genome = figures["calls"], read_genome(figures["genome"])
    pending = False
    if look.at is not None and look.at < calls:
        question = SearchQuestion(plan.problem, run.search, run.seed, calls=look.at)
        answer = service(WorkerClient).answer(question, Rank.PANEL, SECONDS)
        pending = answer is None
        if answer is not None and isinstance(answer.result, BoxFigures):
            calls, genome = answer.result.calls, answer.result.genome
    after = f"after {counted(calls, 'question', 'questions')} by {run_name(plan, lane)}"
    view = genome_view(box, genome, "The best it has found", after, opened=look.opened)
    return view, pending


def _boxes(look: BoxLook, action: str) -> tuple[tuple[str, str, bool], ...]:
    here = _texts(look.problem).get("groups", "1")
    return tuple(
        (f"Box {groups}", look.of_box(groups=str(groups)).url(action), str(groups) == here)
        for groups in BOXES
    )


def _seal_url(look: BoxLook, action: str, texts: dict[str, str]) -> str:
    if texts.get("sealed") == "yes":
        return look.of_box(sealed=None, seed=None).url(action)
    return look.of_box(sealed="yes").url(action)


def _texts(problem: str) -> dict[str, str]:
    """Every option of a problem as text, those that are as usual too."""
    key, texts = parse_spec(problem, LONGEST_PROBLEM)
    options = find_problem(key).options
    values = read_options(key, options, texts)
    return {option.name: option.write(values[option.name]) for option in options}


def _chosen(look: BoxLook, record: JobRecord | None) -> tuple[str, ...]:
    if record is None:
        return look.searches
    return tuple(dict.fromkeys(run.search for run in SearchPlan.of(record).runs))
