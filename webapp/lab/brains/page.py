"""The page of a brain, and the check of an uploaded one."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from functools import cached_property
from typing import Any

from agents.export import can_export
from agents.knowledge import TABLE_LEARNERS
from agents.roster import agent_title, find_agent
from agents.runs import read_learner
from agents.training.brains import Brain, from_bytes
from engine import load_game
from engine.catalog import variant_title
from engine.errors import ZermeloError
from webapp.charts import Chart, chart
from webapp.jobs.brain_store import BrainStore
from webapp.jobs.kinds.training import agrees_with
from webapp.jobs.models import KeptBrain
from webapp.lab.training.charts import METRIC_WORDS, TONES, chart_title, metric_lines
from webapp.lab.training.forms import setting_texts
from webapp.questions.learning import brain_at_hand, curve_question
from webapp.questions.query import ask_url
from webapp.web.errors import InvalidFormError
from webapp.web.pagination import Listing

MAX_HEADER_BYTES = 2 * 2**20  # of an uploaded brain: a curve of about 9,000 points
KNOWN_ROWS = 60  # of the table of what it knows, on one page
SUMMARY_METRICS = ("wins", "draws", "right", "searched")


class BrainPage:
    """One brain (`lab/brain.html`, and an entry of `lab/brains.html`) as this visitor sees it."""

    def __init__(self, brain: KeptBrain, player: str | None, ask_url: str | None = None) -> None:
        self.record, self.facts = brain, brain.facts
        self.is_own = player == brain.owner
        self.ask_url = ask_url  # to ask a class how soon it learned

    @property
    def learner(self) -> str:
        try:
            return find_agent(self.record.agent).title
        except ZermeloError:  # of an uninstalled plug-in
            return self.record.agent

    @property
    def shows(self) -> bool:
        """Whether its technique has something of its own to show."""
        try:
            return find_agent(self.record.agent).shows
        except ZermeloError:
            return False

    @property
    def game(self) -> str:
        spec = self.record.game
        try:
            title, variant = load_game(spec).title, variant_title(spec)
        except ZermeloError:
            return spec
        return title if variant == title else f"{title}: {variant}"

    @property
    def can_export(self) -> bool:
        """Whether it can be had as a Python file."""
        try:
            return can_export(find_agent(self.record.agent), load_game(self.record.game))
        except ZermeloError:
            return False

    @property
    def is_table(self) -> bool:
        """Whether what it knows can be read as a table."""
        return self.record.agent in TABLE_LEARNERS

    @property
    def after(self) -> str:
        """`20,000 games`."""
        return f"{self.facts['steps']:,} {self.facts['unit']}"

    @property
    def figure(self) -> str:
        """`won 87.3 %, drawn 12.7 % against Random`, when it was last measured."""
        curve, reference = self.facts["curve"], self.facts["reference"]
        last = curve[-1][1] if curve else {}
        measured = (name for name in SUMMARY_METRICS if name in last)
        shares = ", ".join(f"{METRIC_WORDS[name]} {100 * last[name]:.1f} %" for name in measured)
        if shares and reference:
            return f"{shares} against {agent_title(str(reference), self.record.game)}"
        return shares or "not measured"

    @property
    def size(self) -> str:
        return f"{max(1, self.record.size // 1024):,} kB"

    @property
    def settings(self) -> tuple[str, ...]:
        return setting_texts(self.record.agent, self.facts["parameters"])

    @cached_property
    def chart(self) -> Chart | None:
        curve = [(step, metrics) for step, metrics in self.facts["curve"] if metrics]
        if len(curve) < 2:
            return None
        names = [name for name in curve[-1][1] if name in TONES] or list(curve[-1][1])[:1]
        unit = str(self.facts["unit"])
        return chart(
            chart_title(str(self.facts["reference"]), self.record.game),
            metric_lines(curve, names),
            x_name=unit,
            log=unit == "games",
            percent=names[0] in TONES,
            told=True,
        )


def question_url(brains: BrainStore, game: str, spec: str, facts: Mapping[str, Any]) -> str | None:
    """Link to ask a class about a brain's curve; None if no exact curve is known.

    The answer is taken from the curve in the brain's file, which another visitor may have uploaded:
    it has to agree with these facts.
    """
    brains.ensure(spec)
    posed = curve_question(game, spec)
    if posed is None:
        return None
    brain = brain_at_hand(game, spec)
    return ask_url(posed) if brain is not None and agrees_with(brain, facts) else None


def read_upload(data: bytes) -> Brain:
    """Parse an uploaded brain, if one of our agents can play with it; executes nothing in it.

    Raises UnreadableBrainError, UnsuitableBrainError and InvalidFormError.
    """
    if not data:
        raise InvalidFormError("", "there is no file: choose a brain that was downloaded before")
    brain = from_bytes(data, "the file that was sent", MAX_HEADER_BYTES)
    if brain.steps < 1 or brain.seed < 0:
        raise InvalidFormError(str(brain.steps), "this brain was trained as no brain is")
    if len({frozenset(point.metrics) for point in brain.curve}) > 1:
        raise InvalidFormError("", "this brain was measured now in one way and now in another")
    game = load_game(brain.game)
    if game.spec != brain.game:
        raise InvalidFormError(brain.game, f"this brain's game is written {game.spec}, not so")
    read_learner(brain.agent, game)
    return brain


class KnowledgePage:
    """What a table learner knows (`lab/knowledge.html`): rows of some positions, by page."""

    def __init__(self, brain: KeptBrain, text: str | None, at: int) -> None:
        self.record, self.at = brain, at
        rows = [] if text is None else list(csv.reader(io.StringIO(text)))[1:]
        self.is_ready, self.count = text is not None, len(rows)
        self.listing = Listing(rows[(at - 1) * KNOWN_ROWS :][: KNOWN_ROWS + 1], at, KNOWN_ROWS)
        self.positions = len({position for position, *_ in rows})

    @property
    def rows(self) -> list[tuple[str, str, str, str, bool]]:
        """(position where it differs from the row above, move, number, tries, whether it plays)."""
        shown, last = [], ""
        for position, move, number, tried, plays in self.listing.entries:
            told = "" if position == last else position
            shown.append((told, move, f"{float(number):+.3f}", f"{int(tried):,}", plays == "yes"))
            last = position
        return shown
