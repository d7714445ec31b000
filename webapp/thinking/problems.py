"""A search without a foe, looked at for a moment: the third kind of question."""

from __future__ import annotations

from dataclasses import dataclass

from agents.optimisers.looking import Seen, box_figures, cover_figures, cover_moment, is_cover
from engine.problems.black_box import MOST_CALLS


@dataclass(frozen=True, slots=True)
class SearchQuestion:
    """A problem and who searches it: all of it where that is soon done, or a moment of it."""

    problem: str
    search: str
    seed: int = 0
    step: int | None = None  # of a search over covers
    calls: int | None = None  # after which a search on a box is looked at

    @property
    def agent(self) -> str:
        """Who is said to think, in the log."""
        return self.search

    @property
    def kind(self) -> tuple[str, str, bool]:
        return self.search.partition(":")[0], self.problem.partition(":")[0], False

    @property
    def setting(self) -> tuple[str, str]:
        """What takes long in the same way."""
        return f"{self.search} {'whole' if self.step is None else 'a step'}", self.problem

    def seen(self, seconds: float) -> Seen:
        """What comes of it, for a worker."""
        if not is_cover(self.problem):
            calls = self.calls or MOST_CALLS
            return box_figures(self.problem, self.search, self.seed, calls, seconds)
        if self.step is None:
            return cover_figures(self.problem, self.search)
        return cover_moment(self.problem, self.search, self.step)
