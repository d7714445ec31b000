"""The page of a set cover: the board, the table of searches, and one of them step by step."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from flask import url_for

from agents.formats import counted
from engine.options import parse_spec, read_options
from engine.problems.catalog import LONGEST_PROBLEM, find_problem
from engine.problems.set_cover import LEAST_DENSITY, MOST_SETS, MOST_THINGS, SetCover, members
from webapp.jobs.models import JobRecord
from webapp.jobs.status import JobView, job_view
from webapp.optimise.searches import search_choices
from webapp.optimise.set_cover.machines import (
    VARIANTS,
    MachinesView,
    collect_figures,
    machines_view,
    proven_minimum,
)
from webapp.optimise.set_cover.query import (
    DEFAULT_PROBLEM,
    NUMBERS,
    CoverQuery,
    load_instance,
    sets_param,
)
from webapp.optimise.set_cover.steps import WalkView, walk_view
from webapp.web.forms import Choice
from webapp.web.messages import Message

CELL = "M.2 {row}h.6"  # SVG path of a cell; its stroke is as wide as it is long
CAPS = (
    f"At most {MOST_THINGS} things and {MOST_SETS:,} sets. What takes longer than a second goes on "
    "as a job of the lab."
)
PROJECTOR = "set-cover:things=20,sets=40,density=0.2"
COURSE = "set-cover"


@dataclass(frozen=True, slots=True)
class ColumnView:
    """One set: a button that takes it or puts it back."""

    number: int  # from 1
    label: str  # everything the drawing shows, in words
    taken: bool
    following: str  # value of `taken` once pressed
    own: str  # SVG path of the cells of a taken set
    missing: str  # of cells that would be newly covered
    covered: str  # of cells that are covered already


@dataclass(frozen=True, slots=True)
class ThingRow:
    """One thing with its position."""

    name: str
    down: float  # percent of the board's height
    missing: bool


@dataclass(frozen=True, slots=True)
class BoardView:
    """The board (`optimise/_board.html`)."""

    action: str
    target: str
    fields: tuple[tuple[str, str], ...]  # hidden
    things: int
    rows: tuple[ThingRow, ...]
    columns: tuple[ColumnView, ...]
    status: str  # `You: 3 sets, 10 of 20 covered`
    missing: str  # uncovered things, for screen readers
    whole: bool  # everything is covered
    over_url: str | None
    links: tuple[tuple[str, str, str], ...]  # id, name, URL


def board_view(
    problem: SetCover,
    query: CoverQuery,
    action: str,
    target: str = "#cover",
    links: tuple[tuple[str, str, str], ...] = (),
) -> BoardView:
    """The board with the sets taken by hand."""
    left = problem.missing(query.taken)
    done = problem.things - left.bit_count()
    sets = counted(len(query.taken), "set", "sets")
    return BoardView(
        action=action,
        target=target,
        fields=query.fields_except("taken"),
        things=problem.things,
        rows=tuple(_row(problem, thing, left) for thing in range(problem.things)),
        columns=tuple(
            _column(problem, choice, query, left) for choice in range(len(problem.masks))
        ),
        status=f"You: {sets}, {done} of {problem.things} covered",
        missing=f"Still missing: {listed(members(left))}" if left else "Nothing is missing",
        whole=not left,
        over_url=replace(query, taken=()).url(action) if query.taken else None,
        links=links,
    )


def listed(things: Iterable[int]) -> str:
    """Things or sets by their numbers from 1."""
    return ", ".join(str(thing + 1) for thing in things)


def _row(problem: SetCover, thing: int, left: int) -> ThingRow:
    down = round(100 * (thing + 0.5) / problem.things, 2)
    return ThingRow(str(thing + 1), down, bool(left >> thing & 1))


def _column(problem: SetCover, choice: int, query: CoverQuery, left: int) -> ColumnView:
    mask, taken = problem.masks[choice], choice in query.taken
    following = [other for other in query.taken if other != choice]
    if not taken:
        following.append(choice)
    return ColumnView(
        number=choice + 1,
        label=_label(choice, mask, left, taken=taken),
        taken=taken,
        following=sets_param(following),
        own=_cells(mask) if taken else "",
        missing="" if taken else _cells(mask & left),
        covered="" if taken else _cells(mask & ~left),
    )


def _label(choice: int, mask: int, left: int, *, taken: bool) -> str:
    name = f"Set {choice + 1}, {'taken' if taken else 'not taken'}: "
    if not mask:
        return f"{name}empty"
    if taken:
        return name + listed(members(mask))
    fresh, old = mask & left, mask & ~left
    parts = [f"missing {listed(members(fresh))}"] if fresh else []
    parts += [f"covered already {listed(members(old))}"] if old else []
    return name + "; ".join(parts)


def _cells(mask: int) -> str:
    return "".join(CELL.format(row=thing) for thing in members(mask))


@dataclass(frozen=True, slots=True)
class NumberField:
    """A number field of an instance."""

    name: str
    label: str
    value: str
    low: str
    high: str | None
    step: str


@dataclass(frozen=True, slots=True)
class CoverView:
    """The page (`optimise/_cover.html`, root id `cover`)."""

    url: str
    action: str
    about: str
    board: BoardView | None  # None: too large to draw
    verdict: str  # on a cover found by hand
    machines: MachinesView | None
    walk: WalkView | None
    compare: tuple[Choice, ...]
    compare_fields: tuple[tuple[str, str], ...]
    numbers: tuple[NumberField, ...]
    text: str
    others: tuple[tuple[str, str], ...]  # other instances: name, URL
    caps: str
    job: JobView | None
    runs_url: str
    problem: str
    present: bool
    poll_url: str | None
    message: Message | None


def cover_view(
    query: CoverQuery,
    record: JobRecord | None = None,
    player: str | None = None,
    message: Message | None = None,
) -> CoverView:
    action = url_for("optimise.set_cover")
    problem = load_instance(query)
    job = None if record is None else job_view(record, player)
    active = job is not None and job.is_active
    figures = collect_figures(query, record)
    machines = None
    if query.compared:
        drawn = problem is not None
        machines = machines_view(query, figures, action, waiting=active, drawn=drawn)
    walk = None
    if query.walk:
        walk = walk_view(query, figures, action, drawn=problem is not None)
    pending = (machines is not None and machines.pending) or (walk is not None and walk.pending)
    board = None
    if problem is not None:
        board = board_view(problem, query, action, links=_links(query, action))
    url = query.url(action)
    chosen = query.compared or tuple(c.value for c in search_choices(query.problem, (), ()))
    return CoverView(
        url=url,
        action=action,
        about=_about(query),
        board=board,
        verdict=_verdict(board, query, proven_minimum(figures) if query.compared else None),
        machines=machines,
        walk=walk,
        compare=search_choices(query.problem, VARIANTS, chosen),
        compare_fields=query.fields_except("compare"),
        numbers=_numbers(query.problem),
        text=_text(query.problem),
        others=tuple(
            (name, CoverQuery(spec, present=query.present).url(action))
            for name, spec in (
                ("20 things, 28 sets", DEFAULT_PROBLEM),
                ("20 things, 40 sets, for a projector", PROJECTOR),
                ("30 things, 150 sets, as in the course", COURSE),
            )
        ),
        caps=CAPS,
        job=job,
        runs_url=url_for("optimise.begin"),
        problem=query.problem,
        present=query.present,
        poll_url=url if pending or active else None,
        message=message,
    )


def _about(query: CoverQuery) -> str:
    numbers = {field.name: field.value for field in _numbers(query.problem)}
    if parse_spec(query.problem, LONGEST_PROBLEM)[0] == "set-cover":
        return (
            f"Seed {numbers['seed']}, {numbers['sets']} sets, {numbers['things']} things, "
            f"each in each set with the chance {numbers['density']}."
        )
    entry = find_problem(parse_spec(query.problem, LONGEST_PROBLEM)[0])
    return f"{entry.title}: {entry.summary}"


def _verdict(board: BoardView | None, query: CoverQuery, fewest: int | None) -> str:
    if board is None or not board.whole:
        return ""
    if fewest is None:
        return "Everything is covered. Can it be done with fewer? Ask the machines."
    more = len(query.taken) - fewest
    if more:
        return f"Everything is covered. It can be done with {fewest}."
    return "Everything is covered, and no cover has fewer sets."


def _numbers(problem: str) -> tuple[NumberField, ...]:
    entry = find_problem("set-cover")
    key, texts = parse_spec(problem, LONGEST_PROBLEM)
    if key != "set-cover":
        texts = parse_spec(DEFAULT_PROBLEM)[1]
    values = read_options(entry.key, entry.options, texts)
    return tuple(
        NumberField(
            name=option.name,
            label=option.label,
            value=option.write(values[option.name]),
            low=f"{LEAST_DENSITY if option.name == 'density' else option.low:g}",
            high=None if option.high is None else f"{option.high:g}",
            step="any" if option.name == "density" else "1",
        )
        for option in entry.options
        if option.name in NUMBERS
    )


def _text(problem: str) -> str:
    """The sets of a custom instance, one per line."""
    key, texts = parse_spec(problem, LONGEST_PROBLEM)
    return texts.get("sets", "").replace(".", "\n").replace("-", " ") if key == "own-cover" else ""


def _links(query: CoverQuery, action: str) -> tuple[tuple[str, str, str], ...]:
    """Links to the next seed and to projector mode."""
    name = "Leave the projector" if query.present else "Projector"
    links = [("present", name, query.url(action, present=not query.present))]
    key, texts = parse_spec(query.problem, LONGEST_PROBLEM)
    if key == "set-cover":
        seed = int(texts.get("seed", "0")) + 1
        others = [f"{name}={text}" for name, text in texts.items() if name != "seed"]
        spec = f"set-cover:{','.join((*others, f'seed={seed}'))}"
        other = replace(query, problem=spec, taken=(), walk=None, step=1, run=None)
        links.insert(0, ("next-seed", "Another one", other.url(action)))
    return tuple(links)
