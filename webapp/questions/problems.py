"""Facts about optimisation: covers, black boxes, and the effort of searches."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import islice

from agents.formats import counted
from agents.optimisers.roster import searches
from agents.optimisers.runs import Optimised, solved
from agents.optimisers.set_cover.run import CoverRun, optimum
from engine import load_problem
from engine.problems.black_box import BlackBox
from engine.problems.set_cover import SetCover, members
from webapp.questions.facts import NumberFact, join_texts
from webapp.questions.models import Question, UnknowableError
from webapp.questions.parser import Arguments

MAX_EXPANDED = 200_000  # states of a cover, about a second
MAX_CALLS = 20_000  # of a black box
FEWEST = "fewest"


def sets(_: Question, arguments: Arguments) -> NumberFact:
    """The number of sets in the cover that a search finds; `fewest`: in an optimal one."""
    search, spec = _named(arguments)
    if search == FEWEST:
        if (number := optimum(_set_cover(spec, arguments))) is None:
            raise UnknowableError(f"how few sets cover {spec} would take longer to find out")
        sentence = f"No cover has fewer than {counted(number, 'set', 'sets')}."
        return NumberFact(number, sentence, "an exact search, to its end")
    found, run = _cover(arguments)
    if run.size is None:
        raise UnknowableError(f"{found.search} found no cover within {MAX_EXPANDED:,} states")
    sentence = f"{_title(search)} covers all with {counted(run.size, 'set', 'sets')}."
    return NumberFact(run.size, sentence, _source(found))


def expanded(_: Question, arguments: Arguments) -> NumberFact:
    """The number of states that a search for a cover expands."""
    found, run = _cover(arguments)
    if not run.ended:
        raise UnknowableError(f"{found.search} expands more than {MAX_EXPANDED:,} states")
    states = counted(run.expanded, "state", "states")
    return NumberFact(run.expanded, f"{_title(found.search)} expands {states}.", _source(found))


def calls(_: Question, arguments: Arguments) -> NumberFact:
    """The number of calls until a search has the optimum of a black box."""
    search, spec = _named(arguments)
    found = _solved(spec, search, MAX_CALLS)
    if isinstance(found.run, CoverRun):
        raise arguments.wrong(f"{spec} is no black box")
    if found.run.best < load_problem(spec).goal:
        raise UnknowableError(f"{search} has not found the best after {MAX_CALLS:,} questions")
    sentence = f"{_title(search)} has the best after {found.run.calls:,} questions."
    return NumberFact(found.run.calls, sentence, _source(found))


def least_sets(_: Question, arguments: Arguments) -> NumberFact:
    """A lower bound of the sets in a cover, by the size of the largest."""
    problem = _set_cover(arguments.words[0], arguments)
    largest = max(mask.bit_count() for mask in problem.masks)
    number = -(-problem.things // largest)
    fewer = counted(number - 1, "set", "sets")
    sentence = (
        f"The largest set has {largest} of the {problem.things} things: {fewer} of that size hold "
        f"{(number - 1) * largest} at most."
    )
    return NumberFact(number, sentence, "the size of the largest set")


def box_value(_: Question, arguments: Arguments) -> NumberFact:
    """The value of a black box with so many ones in each group."""
    *texts, spec = arguments.words
    box = load_problem(spec)
    if not isinstance(box, BlackBox) or box.inverted:
        raise arguments.wrong(f"{spec} is no black box that can be looked into")
    if len(texts) != len(box.groups):
        raise arguments.wrong(f"{spec} has {counted(len(box.groups), 'group', 'groups')}")
    ones = [
        arguments.count(text, "the number of ones", 0, mask.bit_count())
        for text, mask in zip(texts, box.groups, strict=True)
    ]
    number = box.value(genome_of(box, ones))
    written = f"{number:.4g}"
    sentence = f"With {join_texts(texts)} ones in its groups the box says {written}."
    return NumberFact(number, sentence, "the box itself", written=written)


def genome_of(box: BlackBox, ones: Sequence[int]) -> int:
    """The bits of a box with so many ones in each group, the lowest ones."""
    filled = (islice(members(mask), n) for mask, n in zip(box.groups, ones, strict=True))
    return sum(1 << bit for bits in filled for bit in bits)


def _set_cover(spec: str, arguments: Arguments) -> SetCover:
    problem = load_problem(spec)
    if not isinstance(problem, SetCover):
        raise arguments.wrong(f"{spec} is no set cover")
    return problem


def _cover(arguments: Arguments) -> tuple[Optimised, CoverRun]:
    search, spec = _named(arguments)
    found = _solved(spec, search, MAX_EXPANDED)
    if not isinstance(found.run, CoverRun):
        raise arguments.wrong(f"{spec} is no set cover")
    return found, found.run


def _named(arguments: Arguments) -> tuple[str, str]:
    search, on, problem = arguments.words
    if on != "on":
        raise arguments.wrong(f"write it as in `{arguments.name} astar on set-cover`")
    return search, problem


@lru_cache(maxsize=64)
def _solved(problem: str, search: str, most: int) -> Optimised:
    return solved(problem, search, 0, most)


def _title(search: str) -> str:
    key = search.partition(":")[0]
    return next(entry.title for entry in searches() if entry.key == key)


def _source(found: Optimised) -> str:
    return f"{found.search} run on {found.problem}"
