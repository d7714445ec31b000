"""Brains (what an agent learned) and their file format.

The file is an `.npz` (numpy.load opens it) with `brain.json` beside the arrays. Nothing in it is
pickled, so that brains from anywhere can be read without running code.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import DTypeLike, NDArray

from agents.errors import UnreadableBrainError, UnsuitableBrainError
from agents.training import brain_checks
from agents.training.brain_checks import array_in, unpacked
from agents.training.curve_picture import curve_svg
from engine.core import Options
from engine.errors import quoted

FORMAT = "zermelo brain"
VERSION = 2
HEADER = "brain.json"
DIGEST_LENGTH = 32  # hex digits, 128 bits
SMALLEST = 9  # zlib level; a table of 130 kB takes 40 times as long as at level 1
NO_DATE = (1980, 1, 1, 0, 0, 0)  # constant, so that equal brains give equal bytes


@dataclass(frozen=True, slots=True)
class Point:
    """One point of a curve: the metrics after a step, of a learner or of another search."""

    step: int
    metrics: Mapping[str, float]
    digest: str | None = None  # of the brain at this step, in a job
    lane: int = 0  # of several runs in a job


@dataclass(frozen=True, eq=False)
class Brain:
    """What an agent learned about a game, and how it was trained."""

    agent: str  # the roster's key
    game: str  # spec
    parameters: Options  # of its training, without its length
    seed: int
    steps: int  # games or generations so far
    arrays: Mapping[str, NDArray[Any]]
    curve: tuple[Point, ...] = ()
    reference: str = ""  # the spec of the opponent the curve was measured against
    unit: str = "games"  # of a step; also the name of the option for the length of training
    total: int = 0  # steps that its run was to take

    @property
    def digest(self) -> str:
        """32 hex digits of all fields except the curve and the run's total."""
        header = [self.agent, self.game, dict(self.parameters), self.seed, self.steps]
        digest = hashlib.sha256(json.dumps(header, sort_keys=True).encode())
        for name, array in sorted(self.arrays.items()):
            # Little-endian on every machine, as in shipped files.
            plain = np.ascontiguousarray(array, array.dtype.newbyteorder("<"))
            digest.update(f"{name} {plain.dtype.str} {plain.shape}\n".encode())
            digest.update(plain.tobytes())
        return digest.hexdigest()[:DIGEST_LENGTH]

    @property
    def rival(self) -> str:
        """Who it was measured against, in words: `perfect`, `random (by heap)`."""
        key, _, options = self.reference.partition(":")
        return f"{key} ({options.replace('=', ' ').replace(',', ', ')})" if options else key

    def _repr_svg_(self) -> str | None:
        """Its curve in a notebook; None if nothing was measured."""
        against = f" against {self.reference}" if self.reference else ""
        points = [(point.step, point.metrics) for point in self.curve]
        return curve_svg(f"{self.agent} on {self.game}{against}", self.unit, points)

    def check(self, agent: str, game: str) -> Brain:
        """This brain, if it is that agent's for that game; raises UnsuitableBrainError."""
        for what, has, wants in (("agent", self.agent, agent), ("game", self.game, game)):
            if has != wants:
                why = f"this brain is for the {what} {quoted(has)}, not {quoted(wants)}"
                raise UnsuitableBrainError(has, why)
        return self

    def array(
        self,
        name: str,
        shape: tuple[int | None, ...],
        dtype: DTypeLike,
        low: float = -np.inf,
        high: float = np.inf,
    ) -> NDArray[Any]:
        """An array of this shape (None for any length), type and range.

        Raises UnsuitableBrainError.
        """
        array = self.arrays.get(name)
        if array is None:
            raise UnsuitableBrainError(self.agent, f"this brain has no {quoted(name)} in it")
        fits = len(shape) == array.ndim and all(
            wants in (None, has) for wants, has in zip(shape, array.shape, strict=True)
        )
        if not fits or array.dtype != np.dtype(dtype):
            wanted = "×".join("any" if length is None else str(length) for length in shape)
            found = "×".join(map(str, array.shape))
            why = (
                f"{quoted(name)} in this brain is {array.dtype} {found}, "
                f"the agent needs {np.dtype(dtype)} {wanted}"
            )
            raise UnsuitableBrainError(self.agent, why)
        if not (np.isfinite(array) & (array >= low) & (array <= high)).all():
            why = f"{quoted(name)} in this brain holds numbers that no training gives"
            raise UnsuitableBrainError(self.agent, why)
        return array


def to_bytes(brain: Brain, level: int = SMALLEST) -> bytes:
    """The brain as the bytes of its file; equal brains give equal bytes at the same level."""
    header = {
        "format": FORMAT,
        "version": VERSION,
        "agent": brain.agent,
        "game": brain.game,
        "parameters": dict(brain.parameters),
        "seed": brain.seed,
        "steps": brain.steps,
        "unit": brain.unit,
        "total": brain.total,
        "reference": brain.reference,
        "curve": [{"step": point.step, **point.metrics} for point in brain.curve],
    }
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        _pack(archive, HEADER, json.dumps(header, indent=1, ensure_ascii=False).encode(), level)
        for name, array in sorted(brain.arrays.items()):
            member = io.BytesIO()
            npy.write_array(member, np.ascontiguousarray(array), allow_pickle=False)
            _pack(archive, f"{name}.npy", member.getvalue(), level)
    return packed.getvalue()


def _pack(archive: zipfile.ZipFile, name: str, data: bytes, level: int) -> None:
    info = zipfile.ZipInfo(name, NO_DATE)
    archive.writestr(info, data, zipfile.ZIP_DEFLATED, compresslevel=level)


def from_bytes(
    data: bytes, source: str = "this file", longest_header: int = brain_checks.MAX_HEADER
) -> Brain:
    """The brain in the bytes of a file; raises UnreadableBrainError naming the source."""
    members = unpacked(data, source)
    header = _header(members.pop(HEADER, b""), source, longest_header)
    # Each part is let go of once it is an array: there is one of everything, and not two.
    arrays = dict(array_in(name, members.pop(name), source) for name in tuple(members))
    try:
        return _brain(header, arrays)
    except (KeyError, TypeError, ValueError) as error:
        why = f"{source} is no brain: {HEADER} in it lacks something or has it wrong"
        raise UnreadableBrainError(source, why) from error


def _header(text: bytes, source: str, longest: int) -> dict[str, Any]:
    if len(text) > longest:
        why = (
            f"{HEADER} in {source} is longer than {longest >> 20} MB: its curve has too many points"
        )
        raise UnreadableBrainError(source, why)
    try:
        header = brain_checks.parsed(text)
    except ValueError:
        header = None
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise UnreadableBrainError(source, f"{source} is no brain: it has no {HEADER} that says so")
    version = header.get("version")
    if version != VERSION or isinstance(version, bool):
        found = quoted(str(version)).strip("'")
        why = f"{source} was written by another Zermelo: format {found}, this one reads {VERSION}"
        raise UnreadableBrainError(source, why)
    return header


def _brain(header: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> Brain:
    """Raises whatever a missing or misshapen part raises."""
    parameters = dict(brain_checks.parameters(header["parameters"]))
    steps = brain_checks.whole(header["steps"], 0, brain_checks.MAX_STEPS)
    return Brain(
        agent=brain_checks.name(header["agent"]),
        game=brain_checks.text(header["game"]),
        parameters=parameters,
        seed=brain_checks.whole(header["seed"], -brain_checks.MAX_SEED, brain_checks.MAX_SEED),
        steps=steps,
        arrays=arrays,
        curve=tuple(Point(step, metrics) for step, metrics in brain_checks.curve(header["curve"])),
        reference=brain_checks.text(header["reference"]),
        unit=brain_checks.name(header["unit"]),
        total=brain_checks.whole(header["total"], 0, brain_checks.MAX_STEPS),
    )
