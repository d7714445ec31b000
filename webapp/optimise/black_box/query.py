"""What of a black box is looked at: all of it is in the address."""

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
from webapp.optimise.black_box.genome_input import check_token
from webapp.optimise.searches import chosen_searches
from webapp.web.errors import InvalidFormError

USUAL = "black-box:groups=2"
SEARCHES = ("course-first", "course-second", "one-plus-one")
MOST_SEARCHES, MOST_SEEDS = 11, 20
MOST_ASKED = 12  # by hand, in one address
NAMES = ("groups", "seed", "sealed")
SEEDS = Option("seeds", Kind.INTEGER, 5, "runs of each search", low=1, high=MOST_SEEDS)
CALLS = Option("calls", Kind.INTEGER, 30_000, "questions at most", low=1, high=MOST_CALLS)


@dataclass(frozen=True, slots=True)
class BoxLook:
    """One box, what it was asked by hand, who is to search it, and what of a run is shown."""

    problem: str = USUAL
    asked: tuple[str, ...] = ()  # see `asking`
    searches: tuple[str, ...] = SEARCHES
    seeds: int = 5
    calls: int = 30_000
    opened: bool = False
    run: str | None = None  # a job
    lane: int | None = None  # whose genome is shown; None: of the best
    at: int | None = None  # after how many calls
    linear: bool = False
    diversity: bool = False  # rather than the best
    present: bool = False

    @classmethod
    def of(cls, said: MultiDict[str, str]) -> Self:
        """What an address asks for; raises where that is nothing."""
        problem = chosen_box(said)
        searches = chosen_searches(said.getlist("search"), problem, MOST_SEARCHES)
        return cls(
            problem=problem,
            asked=_asked(said),
            searches=searches or SEARCHES,
            seeds=_number(SEEDS, said),
            calls=_number(CALLS, said),
            opened=said.get("open") == "1",
            run=said.get("run") or None,
            lane=_at_least(0, said.get("lane", None, int)),
            at=_at_least(1, said.get("at", None, int)),
            linear=said.get("axis") == "linear",
            diversity=said.get("show") == "diversity",
            present=said.get("present") == "1",
        )

    @property
    def fields(self) -> tuple[tuple[str, str], ...]:
        """What the address says, one pair for each."""
        said: list[tuple[str, str]] = [("problem", self.problem)]
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
            said += [("search", spec) for spec in self.searches]
        return (*said, *((name, value) for name, value in optional.items() if value))

    def but(self, *names: str) -> tuple[tuple[str, str], ...]:
        """The fields that a form carries, but for those it sets itself."""
        return tuple((name, value) for name, value in self.fields if name not in names)

    def url(self, action: str, **changes: object) -> str:
        """The address of the same with something changed."""
        look = replace(self, **changes) if changes else self  # type: ignore[arg-type]
        return f"{action}?{urlencode(look.fields, safe=':=,.-')}"

    def of_box(self, **texts: str | None) -> BoxLook:
        """The same look at another box, which nobody has asked or opened."""
        key, before = parse_spec(self.problem, LONGEST_PROBLEM)
        said = {name: text for name, text in (before | texts).items() if text is not None}
        entry = find_problem(key)
        spec = write_spec(key, entry.options, read_options(key, entry.options, said))
        return replace(self, problem=spec, run=None, lane=None, at=None, opened=False)


def chosen_box(said: MultiDict[str, str]) -> str:
    """The shortest spec of the box: by its numbers, or by its spec."""
    if any(said.get(name) for name in NAMES):
        entry = find_problem("black-box")
        texts = {name: said[name].strip() for name in NAMES if said.get(name)}
        return write_spec(entry.key, entry.options, read_options(entry.key, entry.options, texts))
    spec = said.get("problem") or USUAL
    if shape_of(spec) is not ProblemShape.BOX:
        raise InvalidFormError(spec, f"{quoted(spec)} is no box: there is the set cover")
    return str(load_problem(spec).spec)


def _asked(said: MultiDict[str, str]) -> tuple[str, ...]:
    tokens = [token for token in said.get("asked", "").split(".") if token]
    if genome := said.get("genome", "").strip().lower():
        tokens.append(genome)
    for token in tokens:
        check_token(token)
    return tuple(tokens[-MOST_ASKED:])


def _number(option: Option, said: MultiDict[str, str]) -> int:
    text = said.get(option.name, "").strip()
    value = option.read(text) if text else option.default
    assert isinstance(value, int)
    return value


def _at_least(low: int, value: int | None) -> int | None:
    return None if value is None else max(low, value)
