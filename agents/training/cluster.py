"""What a process of a cluster does for us: a task out of bytes, its brains with it.

The sender names the brains that a task plays with by their digests. Names mean files on one
disk, so a worker that lacks one says so, and is sent its bytes.
"""

from __future__ import annotations

import hashlib
import pickle
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from agents.compute.processes import done, failed
from agents.errors import MissingBrainError, UnreadableBrainError
from agents.training import brain_files
from agents.training.brains import from_bytes

OURS = ("engine", "agents")  # what a task is made of
BRAIN = re.compile(rb"brain=([0-9a-f]{32})")


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """Which Zermelo runs somewhere: two that differ may give different results."""

    python: str
    numpy: str
    numba: str
    sources: str

    def __str__(self) -> str:
        return f"Python {self.python}, numpy {self.numpy}, numba {self.numba}, {self.sources[:8]}"


@dataclass(frozen=True, slots=True)
class Parcel:
    """A task on its way to another machine."""

    packed: bytes = field(repr=False)  # the pickled function and its arguments
    sender: Fingerprint
    brains: Mapping[str, bytes] = field(default_factory=dict, repr=False)  # by digest

    @property
    def digests(self) -> frozenset[str]:
        """The brains that the task plays with, as its specs name them."""
        return frozenset(match.decode() for match in BRAIN.findall(self.packed))


@dataclass(frozen=True, slots=True)
class Returned:
    """What came of a parcel: a result, or why there is none."""

    result: bytes | None = field(default=None, repr=False)  # (failed, result or error), pickled
    missing: frozenset[str] = frozenset()  # digests of brains that this worker has not
    stranger: Fingerprint | None = None  # of a worker that is another Zermelo


@cache
def fingerprint() -> Fingerprint:
    """That of this process."""
    return Fingerprint(
        python=".".join(map(str, sys.version_info[:2])),
        numpy=version("numpy"),
        numba=version("numba"),
        sources=_sources(),
    )


def _sources() -> str:
    """A digest of every source that tasks are made of."""
    root = Path(__file__).parents[2]
    digest = hashlib.sha256()
    for package in OURS:
        for path in sorted((root / package).rglob("*.py")):
            digest.update(str(path.relative_to(root)).encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()


def packed(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Parcel:
    return Parcel(pickle.dumps((function, arguments)), fingerprint())


def perform(parcel: Parcel) -> Returned:
    """Do the task here, if we are of the same make and have its brains."""
    if parcel.sender != fingerprint():
        return Returned(stranger=fingerprint())
    for digest, data in parcel.brains.items():
        _keep(digest, data)
    missing = frozenset(digest for digest in parcel.digests if not _has(digest))
    if missing:
        return Returned(missing=missing)
    return Returned(result=_done(parcel.packed))


def _done(task: bytes) -> bytes:
    try:
        function, arguments = pickle.loads(task)  # noqa: S301 - from our own coordinator
    except Exception as error:  # noqa: BLE001 - of a module that this worker lacks, say
        return failed(error)
    return done(function, arguments)


def _keep(digest: str, data: bytes) -> None:
    brain = from_bytes(data)
    if brain.digest != digest:
        raise UnreadableBrainError(digest, f"what was sent as {digest} is another brain")
    brain_files.keep(brain)


def _has(digest: str) -> bool:
    try:
        brain_files.find(digest)
    except (MissingBrainError, UnreadableBrainError):
        return False
    return True
