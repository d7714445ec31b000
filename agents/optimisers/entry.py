"""One search as data, and the interfaces that searches implement.

A search is stateless: a state goes in and a state comes out, both plain arrays. So a run can be
cut anywhere and continued in another process.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from agents.compute.rng import Stream
from engine.errors import ZermeloError
from engine.options import Option, Values
from engine.problems.entry import ProblemShape
from engine.problems.set_cover import SetCover

Arrays = dict[str, NDArray[Any]]
Genomes = NDArray[np.int64]  # [genome, word]: 64 places a word, the first place highest
Answers = NDArray[np.float64]  # [genome]

FACTS = "facts"  # the name under which figures are stored among the arrays


class CoverSearch(Protocol):
    """Looks for a cover. Its state has the arrays of a `Ledger`, and others of its own."""

    @property
    def proves(self) -> bool:
        """Whether the cover it ends with has the fewest sets there can be."""
        ...

    def begin(self, problem: SetCover) -> Arrays: ...

    def advance(self, problem: SetCover, state: Arrays, most: int) -> Arrays:
        """The state after at most so many more expansions; the given one is not changed."""
        ...


class BoxSearch(Protocol):
    """Proposes genomes to ask a box about and accepts the answers; it never holds the box."""

    def propose(self, state: Arrays, bits: int, luck: Stream) -> Genomes:
        """The next genomes to ask about; none: it has ended. The first state is empty."""
        ...

    def accept(self, state: Arrays, asked: Genomes, answers: Answers, luck: Stream) -> Arrays:
        """The state after these answers; the given one is not changed."""
        ...

    def living(self, state: Arrays) -> Genomes:
        """The genomes whose differences are its diversity: a population, or recent positions."""
        ...


@dataclass(frozen=True, slots=True)
class SearchEntry:
    """A search, its options and how it is made."""

    key: str
    title: str
    shape: ProblemShape
    description: str  # two sentences for a visitor
    make: Callable[[Values], Any]  # a `CoverSearch` or a `BoxSearch`, as the shape says
    options: tuple[Option, ...] = ()
    order: int = 0  # among ours of its shape


class UnsuitableSearchError(ZermeloError):
    """The search solves problems of the other shape."""


class BrokenSearchError(ZermeloError):
    """A search proposed genomes that do not fit the box, or its code failed."""


class UnreadableStateError(ZermeloError):
    """The bytes are no state of a run."""


def to_bytes(arrays: Arrays, facts: Mapping[str, Any]) -> bytes:
    """Serialise arrays, and figures that JSON can hold."""
    packed = io.BytesIO()
    text = np.frombuffer(json.dumps(dict(facts)).encode(), np.uint8)
    np.savez_compressed(packed, allow_pickle=False, **{FACTS: text}, **arrays)
    return packed.getvalue()


def from_bytes(data: bytes) -> tuple[Arrays, dict[str, Any]]:
    """Deserialise what `to_bytes` wrote; raises UnreadableStateError."""
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
        facts = json.loads(arrays.pop(FACTS).tobytes())
    except (ValueError, KeyError, OSError, EOFError, zipfile.BadZipFile) as error:
        raise UnreadableStateError("these bytes are no state of a run") from error
    return arrays, facts
