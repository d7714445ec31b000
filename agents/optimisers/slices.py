"""A part of a run as a pure function of texts and bytes, to be run in any process.

A run is a fold of slices: after as many expansions or calls it is the same, however many slices
led there and wherever they ran.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isfinite
from typing import Any

import numpy as np

from agents.optimisers.black_box.run import BoxRun, BoxSession
from agents.optimisers.entry import Arrays, UnreadableStateError
from agents.optimisers.runs import load_session
from agents.optimisers.set_cover.run import CoverRun, CoverSession, cover_run
from engine.problems.black_box import MOST_CALLS

SLICE_SECONDS = 1.0
FACTS = "facts"  # the name under which figures are stored among the arrays


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
    problem: str, search: str, state: bytes | None, seconds: float = SLICE_SECONDS
) -> CoverSlice:
    """Continue for about so many seconds, from a state or from the start."""
    session: CoverSession
    _, session = load_session(problem, search)
    if state is None:
        run = session.start()
    else:
        arrays, facts = from_bytes(state)
        run = cover_run(session.search, arrays, facts["seconds"])
    run = session.advance(run, None, seconds)
    return CoverSlice(run, to_bytes(run.state, {"seconds": run.seconds}))


def box_slice(
    problem: str,
    search: str,
    seed: int,
    state: bytes | None,
    calls: int = MOST_CALLS,
    seconds: float = SLICE_SECONDS,
) -> BoxSlice:
    """Continue for about so many seconds, to so many calls in all, from a state or the start."""
    session: BoxSession
    _, session = load_session(problem, search, seed)
    run = session.advance(session.start() if state is None else _read(state), calls, seconds)
    return BoxSlice(run, _written(run))


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
