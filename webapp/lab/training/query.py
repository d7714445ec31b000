"""The query string of a training's page."""

from __future__ import annotations

from dataclasses import dataclass

from webapp.web.query import Query, flag, number

MAX_STEP = 10**12  # games or generations


@dataclass(frozen=True)
class TrainingQuery(Query):
    """The query string of a training's page."""

    linear: bool = flag("axis", "linear")
    at: int | None = number(high=MAX_STEP)  # step whose brain is chosen
    upto: int | None = number(low=1)  # number of points shown during playback
    present: bool = flag()  # for a projector
    known: int | None = number(high=MAX_STEP)  # of a poll: the step chosen on the page, or 0
    place: int | None = number()  # position of the slider, instead of `at`
