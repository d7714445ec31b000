"""The truth of a question as a request to a worker."""

from __future__ import annotations

from dataclasses import dataclass

from webapp.questions.facts import Truth
from webapp.questions.models import PosedQuestion
from webapp.workers.requests import ResultRequest


@dataclass(frozen=True, slots=True)
class TruthRequest(ResultRequest[Truth]):
    """Computes the truth of a question."""

    posed: PosedQuestion

    @property
    def key(self) -> tuple[str, str]:
        return f"the truth {self.posed.truth}", self.posed.game

    @property
    def compile_key(self) -> tuple[str, str, bool]:
        name, game = self.posed.truth.partition(" ")[0], self.posed.game.partition(":")[0]
        return f"the truth {name}", game, False

    @property
    def brains(self) -> tuple[str, ...]:
        return (self.posed.machine,) if self.posed.machine else ()

    def run(self, seconds: float) -> Truth:
        """Compute it, which may take seconds."""
        from webapp.questions.truths import truth_of  # imports solvers and searches

        return truth_of(self.posed)
