"""The query of a set cover's page, so that every step is a link."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Self
from urllib.parse import urlencode

from werkzeug.datastructures import MultiDict

from engine.errors import quoted
from engine.options import parse_spec, read_options, write_spec
from engine.problems.catalog import LONGEST_PROBLEM, find_problem, load_problem, shape_of
from engine.problems.entry import ProblemShape
from engine.problems.set_cover import SetCover
from webapp.optimise.searches import chosen_searches
from webapp.web.errors import InvalidFormError

DEFAULT_PROBLEM = "set-cover:things=20,sets=28,density=0.2,seed=3"
MAX_DRAWN = ("things", 60), ("sets", 160)  # instances beyond are left to the searches
NUMBERS = ("things", "sets", "density", "seed")
MAX_TEXT_CHARS = LONGEST_PROBLEM - 100
MAX_STEPS = 100_000
MAX_COMPARED = 8  # each is a request to a worker


@dataclass(frozen=True, slots=True)
class CoverQuery:
    """An instance, the sets taken by hand, the searches compared, and the step shown."""

    problem: str = DEFAULT_PROBLEM
    taken: tuple[int, ...] = ()  # set indices in the order taken
    compared: tuple[str, ...] = ()  # specs of searches
    walk: str | None = None  # spec of the search shown step by step
    step: int = 1
    run: str | None = None  # id of a job that continues them
    present: bool = False

    @classmethod
    def of(cls, args: MultiDict[str, str]) -> Self:
        """Read a query; raises InvalidFormError or InvalidSpecError."""
        problem = chosen_problem(args)
        compared = chosen_searches(args.getlist("compare"), problem, MAX_COMPARED)
        walk = chosen_searches([args.get("walk", "")], problem, 1)
        return cls(
            problem=problem,
            taken=_taken(args.get("taken", ""), problem),
            compared=compared,
            walk=walk[0] if walk else None,
            step=min(MAX_STEPS, max(1, args.get("step", 1, int))),
            run=args.get("run") or None,
            present=args.get("present") == "1",
        )

    @property
    def fields(self) -> tuple[tuple[str, str], ...]:
        """The query as pairs, without defaults."""
        pairs: list[tuple[str, str]] = [("problem", self.problem)]
        if self.taken:
            pairs.append(("taken", sets_param(self.taken)))
        pairs += [("compare", spec) for spec in self.compared]
        if self.walk:
            pairs += [("walk", self.walk), ("step", str(self.step))]
        if self.run:
            pairs.append(("run", self.run))
        if self.present:
            pairs.append(("present", "1"))
        return tuple(pairs)

    def fields_except(self, *names: str) -> tuple[tuple[str, str], ...]:
        """Hidden fields of a form, without those it sets itself."""
        return tuple((name, value) for name, value in self.fields if name not in names)

    def url(self, action: str, **changes: object) -> str:
        """The URL with some fields changed."""
        query = replace(self, **changes) if changes else self  # type: ignore[arg-type]
        return f"{action}?{urlencode(query.fields, safe=':=,.-')}"


def chosen_problem(args: MultiDict[str, str]) -> str:
    """Shortest spec of the instance: written out, by its numbers, or by its spec."""
    if text := args.get("text", "").strip():
        return str(load_problem(f"own-cover:sets={normalise_sets(text)}").spec)
    if any(args.get(name) for name in NUMBERS):
        entry = find_problem("set-cover")
        texts = {name: args[name].strip() for name in NUMBERS if args.get(name)}
        return write_spec(entry.key, entry.options, read_options(entry.key, entry.options, texts))
    spec = args.get("problem") or DEFAULT_PROBLEM
    if shape_of(spec) is not ProblemShape.COVER:
        raise InvalidFormError(spec, f"{quoted(spec)} is no set cover: there is the black box")
    if is_drawable(spec):
        return str(load_problem(spec).spec)
    return spec


def is_drawable(spec: str) -> bool:
    """Whether the spec is of an instance small enough to draw."""
    key, texts = parse_spec(spec, LONGEST_PROBLEM)
    if key != "set-cover":
        return True
    values = read_options(key, find_problem(key).options, {"seed": "0"} | texts)
    return all(values.integer(name) <= most for name, most in MAX_DRAWN)


def load_instance(query: CoverQuery) -> SetCover | None:
    """The instance to draw; None if it is too large."""
    if not is_drawable(query.problem):
        return None
    found: SetCover = load_problem(query.problem)
    small = found.things <= MAX_DRAWN[0][1] and len(found.masks) <= MAX_DRAWN[1][1]
    return found if small else None


def normalise_sets(text: str) -> str:
    """Sets in any common notation, converted to that of our spec."""
    if len(text) > MAX_TEXT_CHARS:
        why = f"sets are written in at most {MAX_TEXT_CHARS:,} characters, not {len(text):,}"
        raise InvalidFormError(text[:40], why)
    sets = (re.split(r"[\s,\-]+", part.strip(" ,-\t{}")) for part in re.split(r"[\n.;/]+", text))
    return ".".join("-".join(things) for things in sets if things != [""])


def sets_param(taken: Iterable[int]) -> str:
    """Sets as a query parameter, numbered from 1: `5.12.20`."""
    return ".".join(str(choice + 1) for choice in taken)


def _taken(text: str, problem: str) -> tuple[int, ...]:
    if not text or not is_drawable(problem):
        return ()
    most = len(load_problem(problem).masks)
    found = dict.fromkeys(_choice(part, most) for part in text.split("."))
    return tuple(found)


def _choice(text: str, most: int) -> int:
    if text.isascii() and text.isdecimal() and len(text) <= 4 and 1 <= int(text) <= most:
        return int(text) - 1
    why = f"there is no set {quoted(text)}: they are numbered from 1 to {most}"
    raise InvalidFormError(text[:40], why)
