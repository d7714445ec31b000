"""A prepared lesson with the truths of all its rounds, or everything that is wrong with them."""

from __future__ import annotations

from collections.abc import Iterator

from engine.errors import ZermeloError
from webapp.questions.errors import InvalidLessonError, Problem
from webapp.questions.facts import Truth
from webapp.questions.prepared import PreparedLesson, PreparedStep
from webapp.questions.truths import truth_of


def truths_in(lesson: PreparedLesson) -> dict[PreparedStep, Truth]:
    """The truth of every round, computed, which takes seconds; raises InvalidLessonError."""
    truths: dict[PreparedStep, Truth] = {}
    problems: list[Problem] = []
    for step in lesson.rounds:
        assert step.posed is not None
        try:
            truths[step] = truth_of(step.posed)
        except ZermeloError as error:
            problems.append(Problem(step.truth_line, str(error)))
    if problems:
        raise InvalidLessonError(lesson.title, problems)
    return truths


def overview(lesson: PreparedLesson, truths: dict[PreparedStep, Truth]) -> Iterator[str]:
    """The lesson in lines: when each step begins, what it does, and what is true."""
    begun = 0
    for step in lesson.steps:
        what = step.posed.prompt if step.posed else " ".join(_told(step))
        yield f"{begun:>3}′  {step.title} ({step.minutes} min): {what}"
        if (truth := truths.get(step)) is not None:
            yield f"      {_right(step, truth)}. {truth.sentence}"
        begun += step.minutes


def _right(step: PreparedStep, truth: Truth) -> str:
    """What is right, in the words of the question: `Less often (yes)`."""
    picked = "" if step.posed is None or step.posed.wants_move else truth.right[0]
    return f"{picked} ({truth.shown})" if picked not in ("", truth.shown) else truth.shown


def _told(step: PreparedStep) -> Iterator[str]:
    """What a step does that is no vote."""
    yield str(step.kind)
    yield from filter(None, (step.machine, step.game, step.link))
    if step.games is not None:
        yield f"{step.games:,} games"
