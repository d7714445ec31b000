"""Truths are worked out where agents think, never by a web thread."""

from tests.webapp.workers.asking import LONG
from webapp.questions.models import Question
from webapp.questions.requests import TruthRequest
from webapp.questions.truths import truth_of
from webapp.workers.pool import WorkerPool


def test_a_truth_comes_back_from_a_worker(start):
    thinking = start().extensions["zermelo"][WorkerPool]
    posed = Question("nim:preset=normal", "What would you take?")
    answer = thinking.ask(TruthRequest(posed), 1.0).wait(LONG)
    assert answer.result == truth_of(posed)
    assert answer.note is None


def test_what_cannot_be_known_comes_back_with_why(start):
    thinking = start().extensions["zermelo"][WorkerPool]
    posed = Question("quixo", "Who wins?", "value")
    answer = thinking.ask(TruthRequest(posed), 1.0).wait(LONG)
    assert answer.result is None
    assert answer.note.startswith("who wins here cannot be worked out")
