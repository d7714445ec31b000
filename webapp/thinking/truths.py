"""What is true of a question for people, computed where agents think: the third kind of
question."""

from __future__ import annotations

from dataclasses import dataclass

from webapp.questions.facts import Truth
from webapp.questions.posed import PosedQuestion


@dataclass(frozen=True, slots=True)
class TruthQuestion:
    """A question whose truth is wanted. No agent is asked, unless the truth is about one."""

    posed: PosedQuestion

    @property
    def agent(self) -> str:
        """Who is said to think, in the log."""
        return f"the truth {self.posed.truth}"

    @property
    def kind(self) -> tuple[str, str, bool]:
        name, game = self.posed.truth.partition(" ")[0], self.posed.game.partition(":")[0]
        return f"the truth {name}", game, False

    @property
    def setting(self) -> tuple[str, str]:
        """What takes long in the same way."""
        return self.agent, self.posed.game

    def found(self) -> Truth:
        """The truth itself, which may take seconds: for a worker."""
        from webapp.questions.truths import truth_of  # solvers and searches stand behind it

        return truth_of(self.posed)
