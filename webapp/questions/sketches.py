"""A learning curve that people draw first, by its heights at five places."""

from __future__ import annotations

from itertools import pairwise
from math import log

from agents.training.brains import Brain
from engine.errors import ZermeloError, quoted
from webapp.questions.facts import CurveFact
from webapp.questions.learning import (
    MAX_GAMES,
    RESULT_VERBS,
    SHARES,
    brain_at_hand,
    check_metric,
    is_exact,
    learner_curve,
    learner_title,
    rival_text,
    telling_metric,
)
from webapp.questions.models import SKETCH, InvalidQuestionError, Question, UnknowableError
from webapp.questions.parser import Arguments, parse_arguments

PLACES = 5
MAX_HEIGHT = 100  # per cent


def learned_curve(question: Question, arguments: Arguments) -> CurveFact:
    """The curve of the learner between the first and the last place."""
    check_sketch(question, arguments)
    steps, metric = sketch_steps(question), arguments.words[0]
    learner, curve = learner_curve(question, arguments, PLACES + 1)
    check_metric(metric, curve[0], arguments)
    shown = tuple(point for point in curve if steps[0] <= point.step <= steps[-1])
    trace = learner.trace(metric, shown)
    if trace is None:
        raise UnknowableError(f"nobody looked between {steps[0]:,} and {steps[-1]:,} games")
    ends = (learner.metric_text(metric, point) for point in (shown[0], shown[-1]))
    return CurveFact(trace, f"{learner.title} has {' and '.join(ends)}.", learner.source)


def check_sketch(question: Question, arguments: Arguments) -> None:
    """Raises InvalidQuestionError unless five places rise along a share, without choices."""
    if question.choices:
        raise arguments.wrong("a curve is drawn: it has no choices")
    if arguments.words[0] not in SHARES:
        raise arguments.wrong(f"one can draw {', '.join(SHARES)}")
    steps = [
        arguments.count(word, "the number of games", 1, MAX_GAMES)
        for word in arguments.words[1 : PLACES + 1]
    ]
    if any(one >= other for one, other in pairwise(steps)):
        raise arguments.wrong("each place lies after the one before")


def sketch_steps(question: Question) -> tuple[int, ...]:
    """The places at which the curve of a checked question is drawn."""
    words = parse_arguments(question.truth).words
    return tuple(int(word) for word in words[1 : PLACES + 1])


def read_sketch(text: str) -> tuple[int, ...]:
    """The heights of a sketch, in per cent; raises InvalidQuestionError."""
    words = text.split()
    if len(words) != PLACES or not all(_is_height(word) for word in words):
        why = f"a sketch has {PLACES} heights from 0 to {MAX_HEIGHT}, not {quoted(text)}"
        raise InvalidQuestionError(text, why)
    return tuple(map(int, words))


def _is_height(word: str) -> bool:
    return word.isascii() and word.isdecimal() and len(word) <= 3 and int(word) <= MAX_HEIGHT


def sketch_question(game: str, spec: str) -> Question | None:
    """Asks to draw how a machine learned; None where its curve is not known exactly."""
    try:
        brain = brain_at_hand(game, spec)
    except ZermeloError:
        return None
    if brain is None or not is_exact(game) or len(brain.curve) < PLACES:
        return None
    metric, steps = telling_metric(brain), _places(brain)
    if metric is None or len(steps) < PLACES:
        return None
    title, verb = learner_title(spec, game), RESULT_VERBS.get(metric)
    rival = rival_text(brain, game)
    of = f"games does {title} {verb}{rival}" if verb else f"positions does {title} play right"
    prompt = f"Draw it first: in how many of 100 {of}"
    truth = " ".join((SKETCH, metric, *map(str, steps)))
    return Question(game, f"{prompt}, as it learns?", truth, machine=spec)


def _places(brain: Brain) -> list[int]:
    """Five points of the curve, as evenly spread over powers of ten as it has them."""
    steps = [point.step for point in brain.curve if point.step > 0]
    first, last = log(steps[0]), log(steps[-1])
    wanted = (first + (last - first) * at / (PLACES - 1) for at in range(PLACES))
    nearest = (min(steps, key=lambda step: abs(log(step) - goal)) for goal in wanted)
    return list(dict.fromkeys(nearest))
