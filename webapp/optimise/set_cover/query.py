"""What of a set cover is looked at: all of it is in the address, so that every step is a link."""

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

USUAL = "set-cover:things=20,sets=28,density=0.2,seed=3"
DRAWN = ("things", 60), ("sets", 160)  # the largest instance that is drawn
NUMBERS = ("things", "sets", "density", "seed")
LONGEST_TEXT = LONGEST_PROBLEM - 100
MOST_STEPS = 100_000
MOST_COMPARED = 8  # searches side by side, each a thought of its own


@dataclass(frozen=True, slots=True)
class CoverLook:
    """One instance, what was taken by hand, who is compared, and which step of whom is shown."""

    problem: str = USUAL
    taken: tuple[int, ...] = ()  # sets from 0, in the order in which they were taken
    compared: tuple[str, ...] = ()  # searches; none: nobody was asked yet
    walk: str | None = None  # the search that is shown step by step
    step: int = 1
    run: str | None = None  # a job that goes on with the same
    present: bool = False

    @classmethod
    def of(cls, said: MultiDict[str, str]) -> Self:
        """What an address asks for; raises where that is nothing."""
        problem = chosen_problem(said)
        compared = chosen_searches(said.getlist("compare"), problem, MOST_COMPARED)
        walk = chosen_searches([said.get("walk", "")], problem, 1)
        return cls(
            problem=problem,
            taken=_taken(said.get("taken", ""), problem),
            compared=compared,
            walk=walk[0] if walk else None,
            step=min(MOST_STEPS, max(1, said.get("step", 1, int))),
            run=said.get("run") or None,
            present=said.get("present") == "1",
        )

    @property
    def fields(self) -> tuple[tuple[str, str], ...]:
        """What the address says, one pair for each."""
        said: list[tuple[str, str]] = [("problem", self.problem)]
        if self.taken:
            said.append(("taken", written(self.taken)))
        said += [("compare", spec) for spec in self.compared]
        if self.walk:
            said += [("walk", self.walk), ("step", str(self.step))]
        if self.run:
            said.append(("run", self.run))
        if self.present:
            said.append(("present", "1"))
        return tuple(said)

    def but(self, *names: str) -> tuple[tuple[str, str], ...]:
        """The fields that a form carries, but for those it sets itself."""
        return tuple((name, value) for name, value in self.fields if name not in names)

    def url(self, action: str, **changes: object) -> str:
        """The address of the same with something changed."""
        look = replace(self, **changes) if changes else self  # type: ignore[arg-type]
        return f"{action}?{urlencode(look.fields, safe=':=,.-')}"


def chosen_problem(said: MultiDict[str, str]) -> str:
    """The shortest spec of the instance: written out, by its numbers, or by its spec."""
    if text := said.get("text", "").strip():
        return str(load_problem(f"own-cover:sets={own_sets(text)}").spec)
    if any(said.get(name) for name in NUMBERS):
        entry = find_problem("set-cover")
        texts = {name: said[name].strip() for name in NUMBERS if said.get(name)}
        return write_spec(entry.key, entry.options, read_options(entry.key, entry.options, texts))
    spec = said.get("problem") or USUAL
    if shape_of(spec) is not ProblemShape.COVER:
        raise InvalidFormError(spec, f"{quoted(spec)} is no set cover: there is the black box")
    if is_drawn(spec):
        return str(load_problem(spec).spec)
    return spec


def is_drawn(spec: str) -> bool:
    """Whether an instance is small enough for a board; a large one is left to the machines."""
    key, texts = parse_spec(spec, LONGEST_PROBLEM)
    if key != "set-cover":
        return True
    values = read_options(key, find_problem(key).options, {"seed": "0"} | texts)
    return all(values.integer(name) <= most for name, most in DRAWN)


def instance_of(look: CoverLook) -> SetCover | None:
    """What is drawn; None where it is too large."""
    if not is_drawn(look.problem):
        return None
    found: SetCover = load_problem(look.problem)
    small = found.things <= DRAWN[0][1] and len(found.masks) <= DRAWN[1][1]
    return found if small else None


def own_sets(text: str) -> str:
    """Sets as anyone writes them, a line or a full stop between two, as our spec has them."""
    if len(text) > LONGEST_TEXT:
        why = f"sets are written in at most {LONGEST_TEXT:,} characters, not {len(text):,}"
        raise InvalidFormError(text[:40], why)
    sets = (re.split(r"[\s,\-]+", part.strip(" ,-\t{}")) for part in re.split(r"[\n.;/]+", text))
    return ".".join("-".join(things) for things in sets if things != [""])


def written(taken: Iterable[int]) -> str:
    """Sets as an address has them, numbered from 1: `5.12.20`."""
    return ".".join(str(choice + 1) for choice in taken)


def _taken(text: str, problem: str) -> tuple[int, ...]:
    if not text or not is_drawn(problem):
        return ()
    most = len(load_problem(problem).masks)
    found = dict.fromkeys(_choice(part, most) for part in text.split("."))
    return tuple(found)


def _choice(text: str, most: int) -> int:
    if text.isascii() and text.isdecimal() and len(text) <= 4 and 1 <= int(text) <= most:
        return int(text) - 1
    why = f"there is no set {quoted(text)}: they are numbered from 1 to {most}"
    raise InvalidFormError(text[:40], why)
