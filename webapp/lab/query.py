"""The query strings of the lab's pages."""

from __future__ import annotations

from dataclasses import dataclass

from webapp.web.query import Query, flag, number, text

MAX_STEP = 10**12  # games or generations
MAX_KNOWN_CHARS = 40


@dataclass(frozen=True)
class ArenaQuery(Query):
    """The query string of an arena's page."""

    seats: bool = flag()  # results by seat
    present: bool = flag()  # for a projector
    known: str | None = text(MAX_KNOWN_CHARS)  # of a poll: the version that the page shows


@dataclass(frozen=True)
class TrainingQuery(Query):
    """The query string of a training's page."""

    linear: bool = flag("axis", "linear")
    at: int | None = number(high=MAX_STEP)  # step whose brain is chosen
    upto: int | None = number(low=1)  # number of points shown during playback
    present: bool = flag()  # for a projector
    known: int | None = number(high=MAX_STEP)  # of a poll: the step chosen on the page, or 0
    place: int | None = number()  # position of the slider, instead of `at`


@dataclass(frozen=True)
class GridQuery(Query):
    """The query string of a grid's page."""

    across: str | None = text(MAX_KNOWN_CHARS)  # parameter of the heat map's columns
    down: str | None = text(MAX_KNOWN_CHARS)  # and of its rows
    best: bool = flag("show", "best")  # the best of a field rather than the mean
    all: bool = flag()  # every row of the table
    present: bool = flag()  # for a projector


@dataclass(frozen=True)
class RunFields(Query):
    """What the forms of a training's page send: which step to play, which run to keep."""

    step: int | None = number(high=MAX_STEP)
    run: int = number(0)
