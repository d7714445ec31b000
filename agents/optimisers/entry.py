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
from functools import partial
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from agents.compute.rng import Stream
from engine.errors import ZermeloError
from engine.options import Kind, Option, Values
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

    def propose(self, state: Arrays, bits: int, rng: Stream) -> Genomes:
        """The next genomes to ask about; none: it has ended. The first state is empty."""
        ...

    def accept(self, state: Arrays, asked: Genomes, answers: Answers, rng: Stream) -> Arrays:
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


cover_search = partial(SearchEntry, shape=ProblemShape.COVER)


@dataclass(frozen=True, slots=True)
class Patient:
    """A search on a box that ends after `patience` rounds without a gain."""

    search: BoxSearch
    patience: int
    gain: float  # the least that counts; at 0 anything better does

    def propose(self, state: Arrays, bits: int, rng: Stream) -> Genomes:
        proposed = self.search.propose(self._inner(state), bits, rng)
        return proposed[:0] if state and state[IDLE] >= self.patience else proposed

    def accept(self, state: Arrays, asked: Genomes, answers: Answers, rng: Stream) -> Arrays:
        inner = self.search.accept(self._inner(state), asked, answers, rng)
        best = float(answers.max())
        if not state:
            return inner | {MARK: np.asarray(best), IDLE: np.asarray(0)}
        mark = float(state[MARK])
        gained = best >= mark + self.gain - SLACK if self.gain else best > mark
        idle = 0 if gained else int(state[IDLE]) + 1
        return inner | {MARK: np.asarray(best if gained else mark), IDLE: np.asarray(idle)}

    def living(self, state: Arrays) -> Genomes:
        return self.search.living(self._inner(state))

    @staticmethod
    def _inner(state: Arrays) -> Arrays:
        return {name: array for name, array in state.items() if name not in (MARK, IDLE)}


MARK, IDLE = "patience-mark", "patience-idle"  # arrays of a patient search, beside its own
SLACK = 1e-9  # for rounding errors of a gain


def box_search(
    *,
    make: Callable[[Values], BoxSearch],
    options: tuple[Option, ...] = (),
    patience: int | None = None,
    gain: float = 0.0,
    **fields: Any,
) -> SearchEntry:
    """A search on a box, which can be told to end when nothing is gained any more."""

    def made(values: Values) -> BoxSearch:
        search, rounds = make(values), values.optional_integer("patience")
        return search if rounds is None else Patient(search, rounds, values.number("gain"))

    ending = (
        Option(
            "patience",
            Kind.INTEGER,
            patience,
            "rounds without a gain after which it ends; none: it goes on",
            low=1,
            high=1_000_000,
            optional=True,
        ),
        Option("gain", Kind.NUMBER, gain, "the least gain that counts", low=0, high=1),
    )
    return SearchEntry(shape=ProblemShape.BOX, make=made, options=(*options, *ending), **fields)


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
