"""How a technique came to be what it is, as a chart."""

from __future__ import annotations

from collections.abc import Sequence

from agents.exhibits import Course
from webapp.charts import Chart, Curve, Press, chart

FAR_APART = 200  # times the first step, from which a straight axis would hide the beginning


def course_chart(course: Course, presses: Sequence[Press] = ()) -> Chart:
    """The course drawn: by powers of ten where its steps go from few to many."""
    steps = [x for line in course.lines for x, _ in line.points]
    wide = not course.stacked and min(steps) > 0 and max(steps) > FAR_APART * min(steps)
    return chart(
        course.title,
        [Curve(line.name, line.tone, line.points) for line in course.lines],
        x_name=course.unit,
        log=wide,
        percent=course.shares,
        stacked=course.stacked,
        ceilings=course.ceilings,
        dots=course.cloud,
        presses=presses,
    )
