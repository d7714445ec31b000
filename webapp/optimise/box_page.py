"""The page of a black box: asking by hand, searches, and the best genome."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

from agents.formats import counted
from agents.optimisers.black_box.run import BoxRun
from engine.options import parse_spec, read_options
from engine.problems.black_box import MAX_CALLS, MAX_GROUPS, BlackBox, read_genome
from engine.problems.catalog import MAX_PROBLEM_CHARS, find_problem, load_problem
from engine.problems.entry import Box
from webapp.optimise.box_searches import SearchRuns
from webapp.optimise.genome import (
    GENOMES,
    RANDOM_PREFIX,
    AskedRow,
    GenomePicture,
    asked_rows,
    best_genome,
)
from webapp.optimise.query import BOXES, MAX_ASKED, MAX_SEEDS, SEARCHES, BoxQuery, other_box
from webapp.optimise.searches import SearchChoice, search_settings
from webapp.web.forms import Fields
from webapp.web.messages import Message

VARIANTS = ("course-second:tournament=1", "genetic:crossover=points")


class BoxPage:
    """The page (`optimise/_box.html`, root id `box`).

    `past` are the figures of the shown run after the chosen number of calls; `pending`: a worker is
    still computing them.
    """

    most_seeds, most_calls, most_groups = MAX_SEEDS, MAX_CALLS, MAX_GROUPS
    caps = (
        f"At most {MAX_CALLS:,} calls in a run, {MAX_GROUPS} groups, {MAX_SEEDS} seeds. "
        "It runs as a job of the lab: it goes on when you leave, and can be stopped."
    )

    def __init__(
        self,
        path: str,
        query: BoxQuery,
        run: SearchRuns | None = None,
        past: BoxRun | None = None,
        message: Message | None = None,
        *,
        pending: bool = False,
        fields: Fields | None = None,
    ) -> None:
        """`fields`: a form that was refused, to be filled as it was sent."""
        self.fields = fields or {}
        self.path, self.run, self.past, self.pending = path, run, past, pending
        self.query = query if run is None else run.query
        self.message = message
        box: Box = load_problem(self.query.problem)
        self.box = box if isinstance(box, BlackBox) else None  # None: of another package
        self.sealed = self.options["sealed"] == "yes"
        self.asked_count = f"asked {counted(len(self.query.asked), 'time', 'times')}"
        self.known = ""  # version key: a poll with it gets 204 while nothing has changed
        if run is not None:
            record = run.record
            self.known = f"{record.state}-{record.updated:.3f}-{record.cancel:d}"

    @cached_property
    def genome(self) -> GenomePicture | None:
        """The best genome of a run, or of those asked by hand."""
        if self.box is None or self.query.all:
            return None
        if self.run is None or self.run.lane is None:
            found = best_genome(self.box, self.query.asked)
            after = f"after {counted(len(self.query.asked), 'question', 'questions')}"
            return None if found is None else self._picture(found, "The best you have found", after)
        figures = self.run.figures[self.run.lane]
        calls, genome = figures["calls"], read_genome(figures["genome"])
        if self.past is not None:
            calls, genome = self.past.calls, self.past.genome
        after = f"after {counted(calls, 'question', 'questions')} by {self.run.name(self.run.lane)}"
        return self._picture(genome, "The best it has found", after)

    def _picture(self, genome: int, title: str, after: str) -> GenomePicture:
        assert self.box is not None
        return GenomePicture(self.box, genome, title, after, opened=self.query.opened)

    @property
    def url(self) -> str:
        return self.query.url(self.path)

    @cached_property
    def options(self) -> dict[str, str]:
        """Every option of the problem as text, defaults included."""
        key, texts = parse_spec(self.query.problem, MAX_PROBLEM_CHARS)
        options = find_problem(key).options
        values = read_options(key, options, texts)
        usual = {"groups": "1", "seed": "0", "sealed": "no"}  # of a box of another package
        return usual | {option.name: option.write(values[option.name]) for option in options}

    @property
    def boxes(self) -> tuple[tuple[str, str, bool], ...]:
        """Other boxes, and all four: name, URL, whether it is this one."""
        if self.box is None:
            return ()
        each = tuple(
            (
                f"Box {groups}",
                other_box(self.query, groups=str(groups)).url(self.path),
                str(groups) == self.options["groups"] and not self.query.all,
            )
            for groups in BOXES
        )
        every = replace(other_box(self.query), all=True).url(self.path)
        return (*each, ("All four", every, self.query.all))

    @property
    def seal_url(self) -> str | None:
        if self.box is None:
            return None
        changes = {"sealed": None, "seed": None} if self.sealed else {"sealed": "yes"}
        return other_box(self.query, **changes).url(self.path)

    @property
    def ask_buttons(self) -> tuple[tuple[str, str, str], ...]:
        """Genomes to ask by hand: id, name, value of `asked` once pressed."""
        asked = self.query.asked
        tokens = {token: name for token, (name, _) in GENOMES.items()}
        tokens[f"{RANDOM_PREFIX}{len(asked) + 1}"] = "By chance"
        return tuple(
            (f"ask-{at}", name, ".".join((*asked, token)[-MAX_ASKED:]))
            for at, (token, name) in enumerate(tokens.items())
        )

    @cached_property
    def asked(self) -> tuple[AskedRow, ...]:
        return () if self.box is None else asked_rows(self.box, self.query.asked)

    @property
    def searches(self) -> tuple[SearchChoice, ...]:
        chosen = self.run.by_search if self.run else self.query.searches or SEARCHES
        return search_settings(self.query.problem, VARIANTS, chosen, self.fields)

    @property
    def poll_url(self) -> str | None:
        if self.run is not None and self.run.is_active:
            return f"{self.url}&known={self.known}"
        return self.url if self.pending else None
