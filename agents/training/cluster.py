"""Tasks run by cluster workers, with the brains they need.

A task names brains by digest. A worker that lacks some of them replies with their digests, and the
task is sent again with their bytes.
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

PACKAGES = ("engine", "agents")  # whose sources determine the results of tasks
BRAIN = re.compile(rb"brain=([0-9a-f]{32})")


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """The versions that a process runs; results may differ between fingerprints."""

    python: str
    numpy: str
    numba: str
    sources: str

    def __str__(self) -> str:
        return f"Python {self.python}, numpy {self.numpy}, numba {self.numba}, {self.sources[:8]}"


@dataclass(frozen=True, slots=True)
class Parcel:
    """A task for a worker on another machine."""

    packed: bytes = field(repr=False)  # the pickled function and its arguments
    sender: Fingerprint
    brains: Mapping[str, bytes] = field(default_factory=dict, repr=False)  # by digest

    @property
    def digests(self) -> frozenset[str]:
        """The digests of brains named in the task's specs."""
        return frozenset(match.decode() for match in BRAIN.findall(self.packed))


@dataclass(frozen=True, slots=True)
class Returned:
    """A worker's reply: a result, or why there is none."""

    result: bytes | None = field(default=None, repr=False)  # (failed, result or error), pickled
    missing: frozenset[str] = frozenset()  # digests of brains that the worker lacks
    stranger: Fingerprint | None = None  # of the worker, if it differs from the sender's


@cache
def fingerprint() -> Fingerprint:
    """The fingerprint of this process."""
    return Fingerprint(
        python=".".join(map(str, sys.version_info[:2])),
        numpy=version("numpy"),
        numba=version("numba"),
        sources=_sources(),
    )


def _sources() -> str:
    """A digest of the sources of our packages."""
    root = Path(__file__).parents[2]
    digest = hashlib.sha256()
    for package in PACKAGES:
        for path in sorted((root / package).rglob("*.py")):
            digest.update(str(path.relative_to(root)).encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()


def packed(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Parcel:
    return Parcel(pickle.dumps((function, arguments)), fingerprint())


def perform(parcel: Parcel) -> Returned:
    """Run the task if the fingerprints agree and its brains are here."""
    if parcel.sender != fingerprint():
        return Returned(stranger=fingerprint())
    for digest, data in parcel.brains.items():
        _store(digest, data)
    missing = frozenset(digest for digest in parcel.digests if not _is_stored(digest))
    if missing:
        return Returned(missing=missing)
    return Returned(result=_run(parcel.packed))


def _run(task: bytes) -> bytes:
    try:
        function, arguments = pickle.loads(task)  # noqa: S301 - from our own coordinator
    except Exception as error:  # noqa: BLE001 - such as a module that this worker lacks
        return failed(error)
    return done(function, arguments)


def _store(digest: str, data: bytes) -> None:
    brain = from_bytes(data)
    if brain.digest != digest:
        raise UnreadableBrainError(digest, f"what was sent as {digest} is another brain")
    brain_files.keep(brain)


def _is_stored(digest: str) -> bool:
    try:
        brain_files.find(digest)
    except (MissingBrainError, UnreadableBrainError):
        return False
    return True
