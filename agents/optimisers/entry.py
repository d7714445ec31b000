"""One search as data, and what a search has to be.

A search is a value without a memory: a state goes in and a state comes out, both plain arrays. So
a run may be cut anywhere, and carried on in whatever process.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from agents.compute.rng import Luck
from engine.errors import ZermeloError
from engine.options import Option, Values
from engine.problems.entry import ProblemShape
from engine.problems.set_cover import SetCover

Arrays = dict[str, NDArray[Any]]
Genomes = NDArray[np.int64]  # [genome, word]: 64 places a word, the first place highest
Answers = NDArray[np.float64]  # [genome]


class CoverSearch(Protocol):
    """Looks for a cover. Its state is a `Ledger`, and whatever else it needs to go on."""

    @property
    def proves(self) -> bool:
        """Whether the cover it ends with has the fewest sets there can be."""
        ...

    def begin(self, problem: SetCover) -> Arrays: ...

    def advance(self, problem: SetCover, state: Arrays, most: int) -> Arrays:
        """The state after expanding at most so many more; the one given is left as it is."""
        ...


class BoxSearch(Protocol):
    """Says what to ask a box, and is told the numbers; it never holds the box itself."""

    def propose(self, state: Arrays, bits: int, luck: Luck) -> Genomes:
        """What it asks next, given a state, at first an empty one; nothing: it has ended."""
        ...

    def accept(self, state: Arrays, asked: Genomes, answers: Answers, luck: Luck) -> Arrays:
        """The state once it knows these answers; the one given is left as it is."""
        ...

    def living(self, state: Arrays) -> Genomes:
        """Those whose differences are its diversity: a population, or where it stood lately."""
        ...


@dataclass(frozen=True, slots=True)
class SearchEntry:
    """One search of the roster."""

    key: str
    title: str
    shape: ProblemShape
    description: str  # two sentences for a visitor
    make: Callable[[Values], Any]  # a `CoverSearch` or a `BoxSearch`, as the shape says
    options: tuple[Option, ...] = ()


class UnsuitableSearchError(ZermeloError):
    """A search asked to solve a problem of the other shape."""


class BrokenSearchError(ZermeloError):
    """A search that asked for what no box takes, or whose own code failed."""


class UnreadableStateError(ZermeloError):
    """Bytes that are no state of a run."""
