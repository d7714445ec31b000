"""The query of a black box's page: the box, what was asked, and what is shown."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self
from urllib.parse import urlencode

from werkzeug.datastructures import MultiDict

from engine.errors import quoted
from engine.options import Kind, Option, parse_spec, read_options, write_spec
from engine.problems.black_box import MOST_CALLS
from engine.problems.catalog import LONGEST_PROBLEM, find_problem, load_problem, shape_of
from engine.problems.entry import ProblemShape
from webapp.optimise.black_box.genome import check_token
from webapp.optimise.searches import chosen_searches
from webapp.web.errors import InvalidFormError

DEFAULT_PROBLEM = "black-box:groups=2"
SEARCHES = ("course-first", "course-second", "one-plus-one")
MAX_SEARCHES, MOST_SEEDS = 11, 20
MAX_ASKED = 12  # genomes in one query
NAMES = ("groups", "seed", "sealed")
SEEDS = Option("seeds", Kind.INTEGER, 5, "runs of each search", low=1, high=MOST_SEEDS)
CALLS = Option("calls", Kind.INTEGER, 30_000, "questions at most", low=1, high=MOST_CALLS)


@dataclass(frozen=True, slots=True)
class BoxQuery:
    """A box, the genomes asked by hand, the searches, and the part of a run that is shown."""

    problem: str = DEFAULT_PROBLEM
    asked: tuple[str, ...] = ()  # tokens, see `genome`
    searches: tuple[str, ...] = SEARCHES
    seeds: int = 5
    calls: int = 30_000
    opened: bool = False
    run: str | None = None  # a job
    lane: int | None = None  # the run whose genome is shown; None: the best
    at: int | None = None  # number of calls after which it is shown
    linear: bool = False
    diversity: bool = False  # chart the diversity instead of the best value
    present: bool = False

    @classmethod
    def of(cls, args: MultiDict[str, str]) -> Self:
        """Read a query; raises InvalidFormError or InvalidSpecError."""
        problem = chosen_box(args)
        searches = chosen_searches(args.getlist("search"), problem, MAX_SEARCHES)
        return cls(
            problem=problem,
            asked=_asked(args),
            searches=searches or SEARCHES,
            seeds=_number(SEEDS, args),
            calls=_number(CALLS, args),
            opened=args.get("open") == "1",
            run=args.get("run") or None,
            lane=_at_least(0, args.get("lane", None, int)),
            at=_at_least(1, args.get("at", None, int)),
            linear=args.get("axis") == "linear",
            diversity=args.get("show") == "diversity",
            present=args.get("present") == "1",
        )

    @property
    def fields(self) -> tuple[tuple[str, str], ...]:
        """The query as pairs, without defaults."""
        pairs: list[tuple[str, str]] = [("problem", self.problem)]
        optional = {
            "asked": ".".join(self.asked),
            "open": "1" if self.opened else "",
            "run": self.run or "",
            "lane": "" if self.lane is None else str(self.lane),
            "at": "" if self.at is None else str(self.at),
            "axis": "linear" if self.linear else "",
            "show": "diversity" if self.diversity else "",
            "present": "1" if self.present else "",
            "seeds": "" if self.seeds == SEEDS.default else str(self.seeds),
            "calls": "" if self.calls == CALLS.default else str(self.calls),
        }
        if self.searches != SEARCHES:
            pairs += [("search", spec) for spec in self.searches]
        return (*pairs, *((name, value) for name, value in optional.items() if value))

    def fields_except(self, *names: str) -> tuple[tuple[str, str], ...]:
        """Hidden fields of a form, without those it sets itself."""
        return tuple((name, value) for name, value in self.fields if name not in names)

    def url(self, action: str, **changes: object) -> str:
        """The URL with some fields changed."""
        query = replace(self, **changes) if changes else self  # type: ignore[arg-type]
        return f"{action}?{urlencode(query.fields, safe=':=,.-')}"

    def with_box(self, **texts: str | None) -> BoxQuery:
        """The query for another box, not asked or opened yet."""
        key, before = parse_spec(self.problem, LONGEST_PROBLEM)
        merged = {name: text for name, text in (before | texts).items() if text is not None}
        entry = find_problem(key)
        spec = write_spec(key, entry.options, read_options(key, entry.options, merged))
        return replace(self, problem=spec, run=None, lane=None, at=None, opened=False)


def chosen_box(args: MultiDict[str, str]) -> str:
    """Shortest spec of the box, given by its numbers or by its spec."""
    if any(args.get(name) for name in NAMES):
        entry = find_problem("black-box")
        texts = {name: args[name].strip() for name in NAMES if args.get(name)}
        return write_spec(entry.key, entry.options, read_options(entry.key, entry.options, texts))
    spec = args.get("problem") or DEFAULT_PROBLEM
    if shape_of(spec) is not ProblemShape.BOX:
        raise InvalidFormError(spec, f"{quoted(spec)} is no box: there is the set cover")
    return str(load_problem(spec).spec)


def _asked(args: MultiDict[str, str]) -> tuple[str, ...]:
    tokens = [token for token in args.get("asked", "").split(".") if token]
    if genome := args.get("genome", "").strip().lower():
        tokens.append(genome)
    for token in tokens:
        check_token(token)
    return tuple(tokens[-MAX_ASKED:])


def _number(option: Option, args: MultiDict[str, str]) -> int:
    text = args.get(option.name, "").strip()
    value = option.read(text) if text else option.default
    assert isinstance(value, int)
    return value


def _at_least(low: int, value: int | None) -> int | None:
    return None if value is None else max(low, value)
