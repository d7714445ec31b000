"""How a technique came to be what it is, as a chart."""

from __future__ import annotations

from collections.abc import Sequence

from agents.exhibits import Course
from webapp.charts import Chart, Curve, Press, chart


def course_chart(course: Course, presses: Sequence[Press] = ()) -> Chart:
    """The course drawn."""
    return chart(
        course.title,
        [Curve(line.name, line.tone, line.points) for line in course.lines],
        x_name=course.unit,
        log=course.powers,
        percent=course.shares,
        stacked=course.stacked,
        ceilings=course.ceilings,
        dots=course.cloud,
        presses=presses,
    )
