"""What searches without a foe come to: sets of a cover, states expanded, questions to a box."""

from __future__ import annotations

from functools import lru_cache

from agents.optimisers.cover.running import CoverRun, optimum
from agents.optimisers.runs import Optimised, solved
from agents.wording import counted
from engine import load_problem
from engine.problems.set_cover import SetCover
from webapp.questions.arguments import Arguments
from webapp.questions.errors import UnknowableError
from webapp.questions.facts import NumberFact
from webapp.questions.posed import PosedQuestion

MOST_EXPANDED = 200_000  # states of a cover, about a second
MOST_CALLS = 20_000  # questions to a box
FEWEST = "fewest"


def sets(_: PosedQuestion, arguments: Arguments) -> NumberFact:
    """How many sets a search covers everything with; `fewest`: as few as there can be."""
    search, spec = _named(arguments)
    if search == FEWEST:
        problem = load_problem(spec)
        if not isinstance(problem, SetCover):
            raise arguments.wrong(f"{spec} is no set cover")
        if (number := optimum(problem)) is None:
            raise UnknowableError(f"how few sets cover {spec} would take longer to find out")
        sentence = f"No cover has fewer than {counted(number, 'set', 'sets')}."
        return NumberFact(number, sentence, "an exact search, to its end")
    found, run = _cover(arguments)
    if run.size is None:
        raise UnknowableError(f"{found.search} found no cover within {MOST_EXPANDED:,} states")
    return NumberFact(run.size, f"{found}.", _source(found))


def expanded(_: PosedQuestion, arguments: Arguments) -> NumberFact:
    """How many states a search for a cover expands until it ends."""
    found, run = _cover(arguments)
    if not run.ended:
        raise UnknowableError(f"{found.search} expands more than {MOST_EXPANDED:,} states")
    return NumberFact(run.expanded, f"{found}.", _source(found))


def calls(_: PosedQuestion, arguments: Arguments) -> NumberFact:
    """How many questions a search asks a box until it has its best."""
    search, spec = _named(arguments)
    found = _solved(spec, search, MOST_CALLS)
    if isinstance(found.run, CoverRun):
        raise arguments.wrong(f"{spec} is no black box")
    if found.run.best < load_problem(spec).goal:
        raise UnknowableError(f"{search} has not found the best after {MOST_CALLS:,} questions")
    return NumberFact(found.run.calls, f"{found}.", _source(found))


def _cover(arguments: Arguments) -> tuple[Optimised, CoverRun]:
    search, spec = _named(arguments)
    found = _solved(spec, search, MOST_EXPANDED)
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


def _source(found: Optimised) -> str:
    return f"{found.search} run on {found.problem}"
