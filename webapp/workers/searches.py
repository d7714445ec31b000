"""Searches of an optimiser that are quick enough to be run while a page waits."""

from __future__ import annotations

from dataclasses import dataclass

from agents.optimisers.black_box.run import BoxRun
from agents.optimisers.set_cover.run import CoverRun
from agents.optimisers.snapshots import CoverMoment, box_figures, cover_figures, cover_moment
from webapp.workers.requests import ResultRequest


@dataclass(frozen=True, slots=True)
class CoverRequest(ResultRequest[CoverRun]):
    """A search for a cover, to its end where that is quick."""

    problem: str
    search: str

    @property
    def key(self) -> tuple[str, str]:
        return self.search, f"{self.problem}:whole"

    def run(self, seconds: float) -> CoverRun:
        return cover_figures(self.problem, self.search)


@dataclass(frozen=True, slots=True)
class CoverStepRequest(ResultRequest[CoverMoment]):
    """One step of a search for a cover."""

    problem: str
    search: str
    step: int

    @property
    def key(self) -> tuple[str, str]:
        return self.search, f"{self.problem}:a step"

    def run(self, seconds: float) -> CoverMoment:
        return cover_moment(self.problem, self.search, self.step)


@dataclass(frozen=True, slots=True)
class BoxRequest(ResultRequest[BoxRun]):
    """A search on a black box after so many calls."""

    problem: str
    search: str
    seed: int
    calls: int

    @property
    def key(self) -> tuple[str, str]:
        return self.search, self.problem

    def run(self, seconds: float) -> BoxRun:
        return box_figures(self.problem, self.search, self.seed, self.calls, seconds)
