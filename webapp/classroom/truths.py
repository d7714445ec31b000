"""The right answers to a question, computed by agents in the worker processes."""

from __future__ import annotations

from typing import Any

from agents import Analysis
from agents.contest.strength import strongest_agent
from agents.roster import agent_title
from webapp.classroom.models import BEST, Judgement, RoundQuestion, Ruling
from webapp.questions.facts import Truth
from webapp.questions.models import Pick, PosedQuestion
from webapp.questions.requests import TruthRequest
from webapp.services import service
from webapp.workers.client import WorkerClient
from webapp.workers.pool import Pending
from webapp.workers.queue import Rank
from webapp.workers.requests import AnalysisRequest

VALUE_TOLERANCE = 0.02  # unproven values closer than this count as equal
SEED = "class"  # fixed: the same question has the same answer in every class
TRUTH_TIMEOUT_S = 30.0  # a truth may be about thousands of games
UNKNOWN_RULING = Ruling((), "It could not be worked out.")


def question_on(question: RoundQuestion, agent: str, *, show: bool = False) -> AnalysisRequest:
    """Request for an agent's analysis of the position."""
    return AnalysisRequest(question.game, question.start, question.moves, agent, SEED, show)


def request_truth(question: RoundQuestion) -> Pending[Any] | None:
    """Start computing the truth in the background; None for an opinion.

    The strongest machine decides which moves are best; choices are compared with a computed truth.
    """
    if question.truth is None:
        return None
    if _asks_for_best_move(question):
        return service(WorkerClient).ask(
            question_on(question, strongest_agent(question.game)), Rank.PANEL
        )
    return service(WorkerClient).ask(
        TruthRequest(to_question(question)), Rank.PANEL, TRUTH_TIMEOUT_S
    )


def find_ruling(question: RoundQuestion) -> Ruling | None:
    """The ruling on a question; None while it is being computed."""
    pending = request_truth(question)
    if pending is None:
        return Ruling(())
    answer = service(WorkerClient).wait_for(pending)
    if answer is None:
        return None
    if answer.result is None:
        return UNKNOWN_RULING
    if _asks_for_best_move(question):
        return ruling_by_values(question, answer.result)
    return ruling_by_truth(answer.result)


def _asks_for_best_move(question: RoundQuestion) -> bool:
    return question.truth == BEST and question.choices is None


def ruling_by_values(question: RoundQuestion, analysis: Analysis[Any]) -> Ruling:
    """Judge every move by an analysis; the best are those within tolerance of the top value."""
    valued = [each for each in analysis.candidates if each.value is not None]
    top = max((each.value for each in valued if each.value is not None), default=0.0)
    judgements = tuple(
        Judgement(
            str(each.move),
            best=(each.value or 0.0) > top - (1e-9 if each.proven else VALUE_TOLERANCE),
            value=each.value,
            proven=each.proven,
            plies=each.plies,
        )
        for each in valued
    )
    judge = agent_title(strongest_agent(question.game), question.game)
    return Ruling(judgements, "", f"By the values of {judge}.")


def ruling_by_truth(truth: Truth) -> Ruling:
    """Judge every choice by a computed truth."""
    judgements = tuple(
        Judgement(
            one.text,
            best=one.right,
            value=None if one.value is None else float(one.value),
            proven=one.value is not None,
            plies=one.plies,
        )
        for one in truth.answers
    )
    return Ruling(judgements, truth.sentence, truth.source)


def to_question(question: RoundQuestion) -> PosedQuestion:
    """Convert to the question model of `webapp.questions`."""
    choices = question.choices or ()
    picks = zip(choices, question.claims or choices, strict=True)
    return PosedQuestion(
        game=question.game,
        prompt=question.prompt,
        truth=question.truth or BEST,
        start=question.start,
        moves=question.moves,
        picks=tuple(Pick(text, claim) for text, claim in picks),
        machine=question.machine or "",
    )


def from_question(question: PosedQuestion, seconds: int | None = None) -> RoundQuestion:
    """Convert from the question model of `webapp.questions`."""
    picks = question.picks
    return RoundQuestion(
        game=question.game,
        prompt=question.prompt,
        start=question.start,
        moves=question.moves,
        choices=tuple(pick.text for pick in picks) or None,
        claims=tuple(pick.claim for pick in picks) or None,
        truth=question.truth,
        machine=question.machine or None,
        seconds=seconds,
    )
