"""The truth of a question, computed in the worker processes while people think."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from agents import Analysis
from agents.contest.strength import strongest_agent
from agents.roster import agent_title
from webapp.questions.models import Judgement, Question, Truth
from webapp.questions.plain import is_plain, plain_truth
from webapp.questions.truths import truth_of
from webapp.workers.analyses import AnalysisRequest
from webapp.workers.client import WorkerClient
from webapp.workers.pool import Pending
from webapp.workers.queue import Rank
from webapp.workers.requests import ResultRequest

VALUE_TOLERANCE = 0.02  # unproven values closer than this count as equal
SEED = "class"  # fixed: the same question has the same answer in every class
TRUTH_TIMEOUT_S = 30.0  # a truth may be about thousands of games
UNKNOWN_TRUTH = Truth(sentence="It could not be worked out.")


@dataclass(frozen=True, slots=True)
class TruthRequest(ResultRequest[Truth]):
    """Computes the truth of a question."""

    question: Question

    @property
    def key(self) -> tuple[str, str]:
        return f"the truth {self.question.truth}", self.question.game

    @property
    def compile_key(self) -> tuple[str, str, bool]:
        name, game = self.question.truth.partition(" ")[0], self.question.game.partition(":")[0]
        return f"the truth {name}", game, False

    @property
    def brains(self) -> tuple[str, ...]:
        return (self.question.machine,) if self.question.machine else ()

    def run(self, seconds: float) -> Truth:
        """Compute it, which may take seconds."""
        truth: Truth = truth_of(self.question)
        return truth


def analysis_request(question: Question, agent: str, *, show: bool = False) -> AnalysisRequest:
    """Request for an agent's analysis of the position."""
    return AnalysisRequest(question.game, question.start, question.moves, agent, SEED, show)


def request_truth(workers: WorkerClient, question: Question) -> Pending[Any] | None:
    """Start computing the truth in the background; None for a plain question.

    The strongest machine decides which moves are best; choices are compared with a computed truth.
    """
    if is_plain(question.truth):
        return None
    if _asks_for_best_move(question):
        request = analysis_request(question, strongest_agent(question.game))
        return workers.ask(request, Rank.PANEL)
    return workers.ask(TruthRequest(question), Rank.PANEL, TRUTH_TIMEOUT_S)


def find_truth(workers: WorkerClient, question: Question) -> Truth | None:
    """The truth of a question; None while it is being computed."""
    pending = request_truth(workers, question)
    if pending is None:
        return plain_truth(question)
    answer = workers.wait_for(pending)
    if answer is None:
        return None
    if answer.result is None:
        return UNKNOWN_TRUTH
    if _asks_for_best_move(question):
        return truth_by_values(question, answer.result)
    return answer.result  # type: ignore[no-any-return]


def _asks_for_best_move(question: Question) -> bool:
    return question.truth == "best" and question.wants_move


def truth_by_values(question: Question, analysis: Analysis[Any]) -> Truth:
    """Judge every move by an analysis; the best are those within tolerance of the top value."""
    valued = [each for each in analysis.candidates if each.value is not None]
    top = max((each.value for each in valued if each.value is not None), default=0.0)
    answers = tuple(
        Judgement(
            str(each.move),
            right=(each.value or 0.0) > top - (1e-9 if each.proven else VALUE_TOLERANCE),
            value=each.value,
            plies=each.plies,
            proven=each.proven,
        )
        for each in valued
    )
    judge = agent_title(strongest_agent(question.game), question.game)
    return Truth(answers, source=f"By the values of {judge}.")
