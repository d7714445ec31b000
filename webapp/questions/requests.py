"""The truth of a question for people, as a request to a worker."""

from __future__ import annotations

from dataclasses import dataclass

from webapp.questions.facts import Truth
from webapp.questions.models import PosedQuestion
from webapp.workers.requests import ResultRequest


@dataclass(frozen=True, slots=True)
class TruthQuestion(ResultRequest):
    """A question whose truth is wanted. No agent is asked, unless the truth is about one."""

    posed: PosedQuestion

    @property
    def agent(self) -> str:
        return f"the truth {self.posed.truth}"

    @property
    def compile_key(self) -> tuple[str, str, bool]:
        name, game = self.posed.truth.partition(" ")[0], self.posed.game.partition(":")[0]
        return f"the truth {name}", game, False

    @property
    def stats_key(self) -> tuple[str, str]:
        return self.agent, self.posed.game

    @property
    def brains(self) -> tuple[str, ...]:
        return (self.posed.machine,) if self.posed.machine else ()

    def run(self, seconds: float) -> Truth:
        """The truth itself, which may take seconds."""
        from webapp.questions.truths import truth_of  # solvers and searches stand behind it

        return truth_of(self.posed)
