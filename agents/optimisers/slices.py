"""A part of a run as a pure function of texts and bytes, for whoever runs it in many processes.

A run is a fold of slices: after as many expansions or calls it is the same, however many slices
led there and wherever they were worked out.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isfinite
from time import perf_counter
from typing import Any

import numpy as np

from agents.optimisers.black_box.batches import answering
from agents.optimisers.black_box.run import Asking, BoxRun
from agents.optimisers.entry import Arrays, UnreadableStateError
from agents.optimisers.roster import load_search
from agents.optimisers.set_cover.run import CoverRun, cover_run
from engine.problems.black_box import MOST_CALLS
from engine.problems.catalog import load_problem

FACTS = "facts"


def to_bytes(arrays: Arrays, facts: Mapping[str, Any]) -> bytes:
    """The arrays, and figures that JSON can hold."""
    packed = io.BytesIO()
    text = np.frombuffer(json.dumps(dict(facts)).encode(), np.uint8)
    np.savez_compressed(packed, allow_pickle=False, **{FACTS: text}, **arrays)
    return packed.getvalue()


def from_bytes(data: bytes) -> tuple[Arrays, dict[str, Any]]:
    """What `to_bytes` was given; raises UnreadableStateError."""
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
        facts = json.loads(arrays.pop(FACTS).tobytes())
    except (ValueError, KeyError, OSError, EOFError, zipfile.BadZipFile) as error:
        raise UnreadableStateError("these bytes are no state of a run") from error
    return arrays, facts


SECONDS = 1.0
AT_ONCE = 256  # expansions between two looks at the clock


@dataclass(frozen=True, slots=True)
class CoverSlice:
    """How far a search over covers is, and its state for the next slice."""

    run: CoverRun
    state: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class BoxSlice:
    """How far a search on a box is, and its state for the next slice."""

    run: BoxRun
    state: bytes = field(repr=False)


def cover_slice(
    problem: str, search: str, state: bytes | None, seconds: float = SECONDS
) -> CoverSlice:
    """Go on for about so many seconds, from a state or from the beginning."""
    asked, (_, made) = load_problem(problem), load_search(search, problem)
    begun = perf_counter()
    arrays, facts = (made.begin(asked), {"seconds": 0.0}) if state is None else from_bytes(state)
    run, many = cover_run(made, arrays, facts["seconds"]), AT_ONCE
    while not run.ended and perf_counter() - begun < seconds:
        arrays = made.advance(asked, arrays, many)
        run = cover_run(made, arrays, facts["seconds"] + perf_counter() - begun)
        many = max(many, run.expanded // 8)  # what is copied grows, and so must what is done
    return CoverSlice(run, to_bytes(arrays, {"seconds": run.seconds}))


def box_slice(
    problem: str,
    search: str,
    seed: int,
    state: bytes | None,
    calls: int = MOST_CALLS,
    seconds: float = SECONDS,
) -> BoxSlice:
    """Go on for about so many seconds, to so many calls in all, from a state or the beginning."""
    asked, (_, made) = load_problem(problem), load_search(search, problem)
    run = BoxRun() if state is None else _read(state)
    asking = Asking(answering(asked), asked.bits, asked.goal, made, seed)
    run = asking.advance(run, calls, seconds)
    return BoxSlice(run, _written(run))


def _written(run: BoxRun) -> bytes:
    facts = {
        "rounds": run.rounds,
        "calls": run.calls,
        "best": run.best if isfinite(run.best) else None,
        "genome": f"{run.genome:x}",
        "curve": run.curve,
        "diversity": run.diversity,
        "ended": run.ended,
        "seconds": run.seconds,
    }
    return to_bytes(run.state, facts)


def _read(state: bytes) -> BoxRun:
    arrays, facts = from_bytes(state)
    return BoxRun(
        facts["rounds"],
        facts["calls"],
        float("-inf") if facts["best"] is None else facts["best"],
        int(facts["genome"], 16),
        tuple((calls, best) for calls, best in facts["curve"]),
        tuple((calls, share) for calls, share in facts["diversity"]),
        facts["ended"],
        facts["seconds"],
        arrays,
    )
