"""The page of a set cover: the board, the table of searches, and one of them step by step."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

from agents.formats import counted
from engine.options import Option, parse_spec, read_options
from engine.problems.catalog import MAX_PROBLEM_CHARS, find_problem
from engine.problems.set_cover import MAX_SETS, MAX_THINGS, SetCover, members
from webapp.jobs.models import JobRecord
from webapp.jobs.status import JobView
from webapp.optimise.cover_searches import (
    CoverAnswers,
    MachineRow,
    SearchSteps,
    machine_rows,
    proven_minimum,
)
from webapp.optimise.query import (
    DEFAULT_COVER,
    NUMBERS,
    CoverQuery,
    load_instance,
    set_numbers,
)
from webapp.optimise.searches import search_choices, search_entry, search_title
from webapp.web.forms import Choice
from webapp.web.messages import Message

CELL = "M.2 {row}h.6"  # SVG path of a cell; its stroke is as wide as it is long
VARIANTS = ("astar:estimate=largest", "astar:estimate=average", "astar:branch=rarest")
OTHERS = (
    ("20 things, 28 sets", DEFAULT_COVER),
    ("20 things, 40 sets, for a projector", "set-cover:things=20,sets=40,density=0.2"),
    ("30 things, 150 sets, as in the course", "set-cover"),
)


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


class CoverBoard:
    """The board with the sets taken by hand (`optimise/_board.html`)."""

    def __init__(self, problem: SetCover, taken: tuple[int, ...]) -> None:
        self.problem, self.taken, self.things = problem, taken, problem.things
        self._left = problem.missing(taken)

    @property
    def is_covered(self) -> bool:
        return not self._left

    @property
    def status(self) -> str:
        """`You: 3 sets, 10 of 20 covered`."""
        done = self.things - self._left.bit_count()
        return f"You: {counted(len(self.taken), 'set', 'sets')}, {done} of {self.things} covered"

    @property
    def missing(self) -> str:
        """Uncovered things, for screen readers."""
        return f"Still missing: {_listed(self._left)}" if self._left else "Nothing is missing"

    @cached_property
    def rows(self) -> tuple[tuple[int, float, bool], ...]:
        """Each thing: its number, percent of the board's height, whether it is missing."""
        return tuple(
            (thing + 1, round(100 * (thing + 0.5) / self.things, 2), bool(self._left >> thing & 1))
            for thing in range(self.things)
        )

    @cached_property
    def columns(self) -> tuple[ColumnView, ...]:
        return tuple(self._column(choice, mask) for choice, mask in enumerate(self.problem.masks))

    def _column(self, choice: int, mask: int) -> ColumnView:
        taken = choice in self.taken
        following = [other for other in self.taken if other != choice]
        if not taken:
            following.append(choice)
        return ColumnView(
            number=choice + 1,
            label=_label(choice, mask, self._left, taken=taken),
            taken=taken,
            following=".".join(set_numbers(following)),
            own=_cells(mask) if taken else "",
            missing="" if taken else _cells(mask & self._left),
            covered="" if taken else _cells(mask & ~self._left),
        )


def _listed(mask: int) -> str:
    """Things by their numbers from 1."""
    return ", ".join(set_numbers(members(mask)))


def _label(choice: int, mask: int, left: int, *, taken: bool) -> str:
    name = f"Set {choice + 1}, {'taken' if taken else 'not taken'}: "
    if not mask:
        return f"{name}empty"
    if taken:
        return name + _listed(mask)
    fresh, old = mask & left, mask & ~left
    parts = [f"missing {_listed(fresh)}"] if fresh else []
    parts += [f"covered already {_listed(old)}"] if old else []
    return name + "; ".join(parts)


def _cells(mask: int) -> str:
    return "".join(CELL.format(row=thing) for thing in members(mask))


class CoverPage:
    """The page (`optimise/_cover.html`, root id `cover`)."""

    caps = (
        f"At most {MAX_THINGS} things and {MAX_SETS:,} sets. A search of more than a "
        "second goes on as a job of the lab."
    )

    def __init__(
        self,
        path: str,
        query: CoverQuery,
        answers: CoverAnswers,
        record: JobRecord | None = None,
        player: str | None = None,
        message: Message | None = None,
    ) -> None:
        self.path, self.query, self.answers = path, query, answers
        self.record, self.player, self.message = record, player, message
        self._key, self._texts = parse_spec(query.problem, MAX_PROBLEM_CHARS)

    @cached_property
    def job(self) -> JobView | None:
        return None if self.record is None else JobView(self.record, self.player)

    @cached_property
    def board(self) -> CoverBoard | None:
        """None: too large to draw."""
        problem = load_instance(self.query.problem)
        return None if problem is None else CoverBoard(problem, self.query.taken_sets)

    @property
    def over_url(self) -> str | None:
        return self.query.url(self.path, taken=()) if self.query.taken else None

    @property
    def links(self) -> tuple[tuple[str, str, str], ...]:
        """Links to the next seed and to projector mode: id, name, URL."""
        query = self.query
        name = "Leave the projector" if query.present else "Projector"
        links = [("present", name, query.url(self.path, present=not query.present))]
        if self._key == "set-cover":
            seed = int(self._texts.get("seed", "0")) + 1
            others = [f"{name}={text}" for name, text in self._texts.items() if name != "seed"]
            spec = f"set-cover:{','.join((*others, f'seed={seed}'))}"
            other = replace(query, problem=spec, taken=(), walk=None, step=None, run=None)
            links.insert(0, ("next-seed", "Another one", other.url(self.path)))
        return tuple(links)

    @property
    def verdict(self) -> str:
        """On a cover found by hand."""
        if self.board is None or not self.board.is_covered:
            return ""
        fewest = proven_minimum(self.answers.figures) if self.query.compared else None
        if fewest is None:
            return "Everything is covered. Can it be done with fewer? Ask the machines."
        if len(self.query.taken) > fewest:
            return f"Everything is covered. It can be done with {fewest}."
        return "Everything is covered, and no cover has fewer sets."

    @cached_property
    def machines(self) -> tuple[MachineRow, ...]:
        return machine_rows(
            self.query, self.answers.figures, self.path, drawn=self.board is not None
        )

    @property
    def unfinished(self) -> tuple[str, ...]:
        """Specs of searches that hit the timeout, unless a job continues them."""
        if self._is_running:
            return ()
        found = ((spec, self.answers.figures.get(spec)) for spec in self.query.compared)
        return tuple(spec for spec, figures in found if figures is not None and not figures.ended)

    @property
    def machine_about(self) -> str:
        """Description of the search shown step by step, else of A*, else of the first."""
        compared = self.query.compared
        spec = self.query.walk or ("astar" if "astar" in compared else compared[0])
        return f"{search_title(spec)}: {search_entry(spec).description}"

    @property
    def compare(self) -> tuple[Choice, ...]:
        problem = self.query.problem
        usual: Iterable[str] = (choice.value for choice in search_choices(problem, (), ()))
        return search_choices(problem, VARIANTS, self.query.compared or usual)

    @cached_property
    def walk(self) -> SearchSteps | None:
        if self.query.walk is None:
            return None
        return SearchSteps(self.query, self.answers, self.path, drawn=self.board is not None)

    @property
    def _is_running(self) -> bool:
        return self.record is not None and not self.record.state.is_over

    @property
    def is_pending(self) -> bool:
        """Some search has not answered yet."""
        silent = any(spec not in self.answers.figures for spec in self.query.compared)
        return silent or (self.walk is not None and self.walk.pending)

    @property
    def poll_url(self) -> str | None:
        return self.query.url(self.path) if self.is_pending or self._is_running else None

    @cached_property
    def numbers(self) -> tuple[tuple[Option, str], ...]:
        """Options of an instance by numbers, with their values."""
        entry = find_problem("set-cover")
        texts = self._texts if self._key == entry.key else parse_spec(DEFAULT_COVER)[1]
        values = read_options(entry.key, entry.options, texts)
        chosen = (option for option in entry.options if option.name in NUMBERS)
        return tuple((option, option.write(values[option.name])) for option in chosen)

    @property
    def about(self) -> str:
        if self._key == "set-cover":
            values = {option.name: value for option, value in self.numbers}
            return (
                f"Seed {values['seed']}, {values['sets']} sets, {values['things']} things, "
                f"each in each set with the chance {values['density']}."
            )
        entry = find_problem(self._key)
        return f"{entry.title}: {entry.summary}"

    @property
    def own_sets(self) -> str:
        """The sets of a custom instance, one per line."""
        sets = self._texts.get("sets", "") if self._key == "own-cover" else ""
        return sets.replace(".", "\n").replace("-", " ")

    @property
    def others(self) -> tuple[tuple[str, str], ...]:
        """Other instances: name, URL."""
        return tuple(
            (name, CoverQuery(spec, present=self.query.present).url(self.path))
            for name, spec in OTHERS
        )
