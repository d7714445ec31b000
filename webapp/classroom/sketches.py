"""A learning curve drawn by a class: the form of a phone, and all sketches beside the curve."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import median, quantiles

from agents.formats import counted
from webapp.charts import Band, Chart, Curve, chart
from webapp.classroom.models import AnswerRecord, RoundRecord, SeatRecord
from webapp.classroom.results import Bar, Result
from webapp.questions.models import CurveTrace, Question
from webapp.questions.sketches import read_sketch, sketch_steps

TONE = "second"  # of what was learned
START_HEIGHT = 50  # of every point of the form, in per cent
OWN = "you"


@dataclass(frozen=True, slots=True)
class SketchPoint:
    """One point of the form."""

    step: str  # `1,000`
    height: int  # per cent


def sketch_points(question: Question, answer: str | None) -> tuple[SketchPoint, ...]:
    """The points of the form, as they were sent; none if no curve is drawn."""
    if not question.wants_sketch:
        return ()
    steps = sketch_steps(question)
    heights = [START_HEIGHT] * len(steps) if answer is None else read_sketch(answer)
    return tuple(map(SketchPoint, (f"{step:,}" for step in steps), heights))


def own_chart(current: RoundRecord, answer: str | None) -> Chart | None:
    """A student's sketch beside the curve, once that is public."""
    trace = None if current.truth is None else current.truth.curve
    if trace is None or answer is None:
        return None
    return _chart(trace, [Curve(OWN, "first", _line(current.question, read_sketch(answer)))])


def distance_text(current: RoundRecord, answer: str | None) -> str:
    """How far a sketch is from the curve on average."""
    trace = None if current.truth is None else current.truth.curve
    if trace is None or answer is None:
        return ""
    known = dict(trace.points)
    gaps = [
        abs(height - 100 * known[step])
        for step, height in zip(sketch_steps(current.question), read_sketch(answer), strict=True)
        if step in known
    ]
    if not gaps:
        return ""
    return (
        f"Your curve is {counted(round(sum(gaps) / len(gaps)), 'point', 'points')} off on average."
    )


def result_of(
    current: RoundRecord, answers: Sequence[AnswerRecord], seats: Sequence[SeatRecord]
) -> Result:
    """The result of a round, whatever was asked."""
    made = SketchResult if current.question.wants_sketch else Result
    return made(current, answers, seats)


class SketchResult(Result):
    """The result of a round in which a curve was drawn."""

    sketched = True

    @cached_property
    def bars(self) -> tuple[Bar, ...]:
        return ()

    @property
    def favourite(self) -> str | None:
        return None

    @property
    def headline(self) -> str:
        return f"{counted(self.totals[-1], 'curve', 'curves')} drawn, and what it learned"

    @property
    def sketches(self) -> list[tuple[int, ...]]:
        """The heights of every sketch of the last vote that is not hidden."""
        given = self.last_vote
        return [read_sketch(answer) for answer, count in given.items() for _ in range(count)]

    @cached_property
    def chart(self) -> Chart | None:
        """The class's middle sketch and the middle half of all, with the curve drawn last."""
        question, truth = self._round.question, self._round.truth
        trace = None if truth is None else truth.curve
        if trace is None:
            return None
        columns = list(zip(*self.sketches, strict=True))
        if not columns:
            return _chart(trace, [])
        middle = Curve("the class", "first", _line(question, [median(each) for each in columns]))
        halves = [_middle_half(each) for each in columns]
        steps = sketch_steps(question)
        band = Band(
            "first",
            tuple(
                (float(step), low / 100, high / 100)
                for step, (low, high) in zip(steps, halves, strict=True)
            ),
        )
        return _chart(trace, [middle], [band])


def _middle_half(heights: Sequence[int]) -> tuple[float, float]:
    """The quartiles; of one or two sketches, their ends."""
    if len(heights) < 3:
        return min(heights), max(heights)
    low, _, high = quantiles(heights, n=4, method="inclusive")
    return low, high


def _line(question: Question, heights: Sequence[float]) -> tuple[tuple[float, float], ...]:
    steps = sketch_steps(question)
    return tuple((float(step), height / 100) for step, height in zip(steps, heights, strict=True))


def _chart(trace: CurveTrace, drawn: Sequence[Curve], bands: Sequence[Band] = ()) -> Chart:
    title = f"{trace.learner}: {trace.metric} by {trace.unit}"
    learned = Curve(trace.learner, TONE, trace.points)
    return chart(title, [*drawn, learned], x_name=trace.unit, log=True, bands=bands)
