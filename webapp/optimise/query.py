"""The queries of the two pages, so that every step is a link: parsed, then checked."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from agents.optimisers.roster import load_search
from engine.errors import quoted
from engine.options import Kind, Option, parse_spec, read_options, write_spec
from engine.problems.black_box import MAX_CALLS
from engine.problems.catalog import MAX_PROBLEM_CHARS, find_problem, load_problem, shape_of
from engine.problems.entry import ProblemShape
from engine.problems.set_cover import SetCover
from webapp.optimise.genome import check_token
from webapp.web.errors import InvalidFormError
from webapp.web.forms import field_value
from webapp.web.query import Query, flag, number, param, text, texts

ANY = 1 << 20  # characters or values: beyond what a request holds, so that errors can count them
SEARCHES = ("course-first", "course-second", "one-plus-one")  # on a box, unless others are chosen
BOXES = (1, 2, 5, 10)  # the course's, by their groups
MAX_SEARCHES, MAX_SEEDS = 11, 20
MAX_RUNS = MAX_SEARCHES * MAX_SEEDS  # of one job
MAX_ASKED = 12  # genomes in one query
SEEDS = Option("seeds", Kind.INTEGER, 5, "runs of each search", low=1, high=MAX_SEEDS)
CALLS = Option("calls", Kind.INTEGER, 30_000, "questions at most", low=1, high=MAX_CALLS)

DEFAULT_COVER = "set-cover:things=20,sets=28,density=0.2,seed=3"
MAX_DRAWN = ("things", 60), ("sets", 160)  # instances beyond are left to the searches
MAX_TEXT_CHARS = MAX_PROBLEM_CHARS - 100
MAX_STEPS = 100_000
MAX_COMPARED = 8  # each is a request to a worker


def _dotted() -> Any:
    """Texts separated by dots."""
    return param((), lambda sent: _split(sent[0]), lambda parts: (".".join(parts),))


def _split(sent: str) -> tuple[str, ...]:
    return tuple(sent.split(".")) if sent else ()


@dataclass(frozen=True)
class BoxQuery(Query):
    """A box, the genomes asked by hand, the searches, and the part of a run that is shown."""

    problem: str = text(ANY, "")
    searches: tuple[str, ...] = texts(ANY, ANY, name="search")  # none: SEARCHES
    asked: tuple[str, ...] = _dotted()  # tokens, see `genome`
    opened: bool = flag("open")
    run: str | None = text(ANY)  # a job
    lane: int | None = number()  # the run whose genome is shown; None: the best
    at: int | None = number(low=1)  # number of calls after which it is shown
    linear: bool = flag("axis", "linear")
    diversity: bool = flag("show", "diversity")  # chart it instead of the best value
    present: bool = flag()
    all: bool = flag("boxes", "all")  # all four at once
    seeds: str = text(ANY, str(SEEDS.default))
    calls: str = text(ANY, str(CALLS.default))
    # Fields of forms: another box by its numbers, another genome.
    groups: str = text(ANY, "")
    seed: str = text(ANY, "")
    sealed: str = text(ANY, "")
    genome: str = text(ANY, "")


DEFAULT_BOX = BoxQuery("black-box:groups=2,sealed=yes")


def check_box(sent: BoxQuery) -> BoxQuery:
    """The query with every spec canonical; raises InvalidFormError or InvalidSpecError."""
    numbers = {name: getattr(sent, name) for name in ("groups", "seed", "sealed")}
    problem = _by_numbers("black-box", numbers)
    if problem is None:
        spec = sent.problem or DEFAULT_BOX.problem
        if shape_of(spec) is not ProblemShape.BOX:
            raise InvalidFormError(spec, f"{quoted(spec)} is no box: there is the set cover")
        problem = str(load_problem(spec).spec)
    searches = _canonical_searches(sent.searches, problem, MAX_SEARCHES)
    tokens = [token for token in (*sent.asked, sent.genome.strip().lower()) if token]
    for token in tokens:
        check_token(token)
    return replace(
        sent,
        problem=problem,
        searches=() if searches == SEARCHES else searches,
        asked=tuple(tokens[-MAX_ASKED:]),
        seeds=_canonical(SEEDS, sent.seeds),
        calls=_canonical(CALLS, sent.calls),
        groups="",
        seed="",
        sealed="",
        genome="",
    )


def other_box(query: BoxQuery, **changes: str | None) -> BoxQuery:
    """The query for a box with other options, not searched or opened yet.

    Another number of groups is of one box; all four are sealed together.
    """
    key, before = parse_spec(query.problem, MAX_PROBLEM_CHARS)
    merged = {name: value for name, value in (before | changes).items() if value is not None}
    options = find_problem(key).options
    spec = write_spec(key, options, read_options(key, options, merged))
    every = query.all and "groups" not in changes
    return replace(query, problem=spec, run=None, lane=None, at=None, opened=False, all=every)


def course_boxes(query: BoxQuery) -> tuple[str, ...]:
    """The problems of all four boxes, sealed as this one is."""
    return tuple(other_box(query, groups=str(groups)).problem for groups in BOXES)


@dataclass(frozen=True)
class CoverQuery(Query):
    """An instance, the sets taken by hand, the searches compared, and the step shown."""

    problem: str = text(ANY, "")
    taken: tuple[str, ...] = _dotted()  # numbers of sets from 1, in the order taken
    compared: tuple[str, ...] = texts(ANY, ANY, name="compare")  # specs of searches
    walk: str | None = text(ANY)  # spec of the search shown step by step
    step: int | None = number(low=1, high=MAX_STEPS)
    run: str | None = text(ANY)  # id of a job that continues them
    present: bool = flag()
    # Fields of forms: another instance, written out or by its numbers.
    own: str = text(ANY, "", "text")
    things: str = text(ANY, "")
    sets: str = text(ANY, "")
    density: str = text(ANY, "")
    seed: str = text(ANY, "")

    @property
    def taken_sets(self) -> tuple[int, ...]:
        """Indices of the sets taken, of a checked query."""
        return tuple(int(each) - 1 for each in self.taken)


NUMBERS = ("things", "sets", "density", "seed")


def check_cover(sent: CoverQuery) -> CoverQuery:
    """The query with every spec canonical; raises InvalidFormError or InvalidSpecError."""
    problem = _chosen_instance(sent)
    compared = _canonical_searches(sent.compared, problem, MAX_COMPARED)
    walk = _canonical_searches([sent.walk or ""], problem, 1)
    return replace(
        sent,
        problem=problem,
        taken=_canonical_sets(sent.taken, problem),
        compared=compared,
        walk=walk[0] if walk else None,
        step=sent.step or 1 if walk else None,
        own="",
        things="",
        sets="",
        density="",
        seed="",
    )


def _chosen_instance(sent: CoverQuery) -> str:
    if own := sent.own.strip():
        return str(load_problem(f"own-cover:sets={normalise_sets(own)}").spec)
    by_numbers = _by_numbers("set-cover", {name: getattr(sent, name) for name in NUMBERS})
    if by_numbers is not None:
        return by_numbers
    spec = sent.problem or DEFAULT_COVER
    if shape_of(spec) is not ProblemShape.COVER:
        raise InvalidFormError(spec, f"{quoted(spec)} is no set cover: there is the black box")
    return str(load_problem(spec).spec) if is_drawable(spec) else spec


def _by_numbers(key: str, sent: Mapping[str, str]) -> str | None:
    """Shortest spec of a problem given by its options; None if none is."""
    given = {name: value.strip() for name, value in sent.items() if value}
    if not given:
        return None
    options = find_problem(key).options
    return write_spec(key, options, read_options(key, options, given))


def _canonical_searches(specs: Iterable[str], problem: str, most: int) -> tuple[str, ...]:
    """Distinct canonical specs; raises if one is unknown, for another problem, or one too many."""
    read = tuple(dict.fromkeys(load_search(spec, problem)[0] for spec in specs if spec))
    if len(read) > most:
        why = f"at most {most} searches are shown side by side, not {len(read)}"
        raise InvalidFormError(str(len(read)), why)
    return read


def _canonical(option: Option, sent: str) -> str:
    """A number as its option writes it; raises InvalidSpecError."""
    return option.write(field_value(option, sent))


def is_drawable(spec: str) -> bool:
    """Whether the spec is of an instance small enough to draw."""
    key, given = parse_spec(spec, MAX_PROBLEM_CHARS)
    if key != "set-cover":
        return True
    values = read_options(key, find_problem(key).options, {"seed": "0"} | given)
    return all(values.integer(name) <= most for name, most in MAX_DRAWN)


def load_instance(problem: str) -> SetCover | None:
    """The instance to draw; None if it is too large."""
    if not is_drawable(problem):
        return None
    found: SetCover = load_problem(problem)
    small = found.things <= MAX_DRAWN[0][1] and len(found.masks) <= MAX_DRAWN[1][1]
    return found if small else None


def normalise_sets(sent: str) -> str:
    """Sets in any common notation, converted to that of our spec."""
    if len(sent) > MAX_TEXT_CHARS:
        why = f"sets are written in at most {MAX_TEXT_CHARS:,} characters, not {len(sent):,}"
        raise InvalidFormError(sent[:40], why)
    sets = (re.split(r"[\s,\-]+", part.strip(" ,-\t{}")) for part in re.split(r"[\n.;/]+", sent))
    return ".".join("-".join(things) for things in sets if things != [""])


def set_numbers(sets: Iterable[int]) -> tuple[str, ...]:
    """Sets as a query has them, numbered from 1."""
    return tuple(str(choice + 1) for choice in sets)


def _canonical_sets(taken: tuple[str, ...], problem: str) -> tuple[str, ...]:
    if not taken or not is_drawable(problem):
        return ()
    most = len(load_problem(problem).masks)
    for each in taken:
        if not (each.isascii() and each.isdecimal() and len(each) <= 4 and 1 <= int(each) <= most):
            why = f"there is no set {quoted(each)}: they are numbered from 1 to {most}"
            raise InvalidFormError(each[:40], why)
    return tuple(dict.fromkeys(str(int(each)) for each in taken))
