"""Plain questions: the teacher says which choice is right (`right A*`), or none is (`poll`)."""

from __future__ import annotations

from engine.errors import quoted, suggestion_text
from webapp.questions.models import InvalidQuestionError, Judgement, Question, Truth

POLL = "poll"
RIGHT = "right"
POLL_TRUTH = Truth(shown="a poll: nothing is right or wrong")
SOURCE = "As the teacher says."


def right_truth(text: str) -> str:
    """The truth of a question whose right choice has this text."""
    return f"{RIGHT} {' '.join(text.split())}"


def is_plain(truth: str) -> bool:
    """Whether a truth is not computed; an empty one is a poll."""
    return truth.partition(" ")[0] in ("", POLL, RIGHT)


def check_plain(question: Question) -> None:
    """Raises InvalidQuestionError unless the right choice is one of its choices."""
    name, _, right = question.truth.partition(" ")
    texts = [choice.text for choice in question.choices]
    if name == RIGHT and right not in texts:
        why = f"{quoted(right)} is none of the choices: {suggestion_text(right, texts)}"
        raise InvalidQuestionError(question.truth, why)
    if name == POLL and right:
        raise InvalidQuestionError(question.truth, "a poll says nothing more: write `truth: poll`")


def plain_truth(question: Question) -> Truth:
    """Which choice the teacher calls right; of a poll, nothing."""
    name, _, right = question.truth.partition(" ")
    if name != RIGHT:
        return POLL_TRUTH
    judged = ((choice.text, choice.text == right) for choice in question.choices)
    answers = tuple(Judgement(text, ok, "right" if ok else "wrong") for text, ok in judged)
    return Truth(answers, source=SOURCE, shown=right)
