"""What is right: worked out where agents think, never typed in."""

from __future__ import annotations

from typing import Any

from agents import Analysis
from agents.contest.strength import strongest_agent
from agents.roster import agent_title
from webapp.classroom.models import BEST, Judgement, Posed, Ruling
from webapp.questions.facts import Truth
from webapp.questions.models import Pick, PosedQuestion
from webapp.questions.requests import TruthQuestion
from webapp.services import service
from webapp.workers.client import WorkerClient
from webapp.workers.pool import Pending
from webapp.workers.queue import Rank
from webapp.workers.requests import Question

AS_GOOD = 0.02  # of a value that is not proven, below which two moves are as good as each other
SEED = "class"  # the same question comes to the same answer in every class
TRUTH_SECONDS = 30.0  # a truth may be about thousands of games
NOBODY_KNOWS = Ruling((), "It could not be worked out.")


def question_on(posed: Posed, agent: str, *, show: bool = False) -> Question:
    """What is asked of a machine about the position."""
    return Question(posed.game, posed.start, posed.moves, agent, SEED, show)


def begin_thinking(posed: Posed) -> Pending | None:
    """Let it be worked out while they vote; None where nothing is right or wrong.

    Which moves are best the strongest machine says, since it has a word on every game; a choice
    of a few is held against what is known.
    """
    if posed.truth is None:
        return None
    if posed.truth == BEST and posed.choices is None:
        return service(WorkerClient).ask(
            question_on(posed, strongest_agent(posed.game)), Rank.PANEL
        )
    return service(WorkerClient).ask(TruthQuestion(as_question(posed)), Rank.PANEL, TRUTH_SECONDS)


def ruling_on(posed: Posed) -> Ruling | None:
    """What each answer is worth; None while that is being worked out."""
    pending = begin_thinking(posed)
    if pending is None:
        return Ruling(())
    answer = service(WorkerClient).wait_for(pending)
    if answer is None:
        return None
    if isinstance(answer.result, Truth):
        return by_truth(answer.result)
    return NOBODY_KNOWS if answer.analysis is None else by_values(posed, answer.analysis)


def by_values(posed: Posed, analysis: Analysis[Any]) -> Ruling:
    """Of every move that it has a value for; the best are those nothing is better than."""
    known = [each for each in analysis.candidates if each.value is not None]
    top = max((each.value for each in known if each.value is not None), default=0.0)
    judgements = tuple(
        Judgement(
            str(each.move),
            best=(each.value or 0.0) > top - (1e-9 if each.proven else AS_GOOD),
            value=each.value,
            proven=each.proven,
            plies=each.plies,
        )
        for each in known
    )
    return Ruling(judgements, "", f"By the values of {_judge(posed)}.")


def by_truth(truth: Truth) -> Ruling:
    """What the shelf of questions found out."""
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


def as_question(posed: Posed) -> PosedQuestion:
    """As the shelf of questions has it."""
    choices = posed.choices or ()
    picks = zip(choices, posed.claims or choices, strict=True)
    return PosedQuestion(
        game=posed.game,
        prompt=posed.prompt,
        truth=posed.truth or BEST,
        start=posed.start,
        moves=posed.moves,
        picks=tuple(Pick(text, claim) for text, claim in picks),
        machine=posed.machine or "",
    )


def posed_as(question: PosedQuestion, seconds: int | None = None) -> Posed:
    """And back, for a round."""
    picks = question.picks
    return Posed(
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


def _judge(posed: Posed) -> str:
    return agent_title(strongest_agent(posed.game), posed.game)
