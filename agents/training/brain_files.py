"""Brain files on this machine, by name or by digest.

A name may come to mean another brain when training continues; a digest never does.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from tempfile import NamedTemporaryFile

from agents.compute.paths import data_dir
from agents.errors import MissingBrainError, UnreadableBrainError
from agents.training.brains import DIGEST_LENGTH, Brain, from_bytes, to_bytes
from engine.core import OptionValue
from engine.errors import InvalidSpecError, quoted, suggestion_text

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,59}")
DIGEST = re.compile(f"[0-9a-f]{{{DIGEST_LENGTH}}}")


@dataclass(frozen=True, slots=True)
class NamedBrain:
    """A named brain without its arrays."""

    name: str
    agent: str
    game: str
    digest: str

    @property
    def spec(self) -> str:
        """The agent with this brain, by its digest."""
        return f"{self.agent}:brain={self.digest}"


@dataclass(frozen=True, slots=True)
class Training:
    """How a brain was trained."""

    steps: int
    unit: str  # games, generations
    parameters: tuple[tuple[str, OptionValue], ...]


def home() -> Path:
    """The directory of named brains."""
    return data_dir() / "brains"


def by_digest() -> Path:
    """The directory of brains whose files are named by their digests."""
    return home() / "by-digest"


def brain_path(name: str, directory: Path | None = None) -> Path:
    """The file of the brain with this name; raises InvalidSpecError for an invalid name."""
    if not NAME.fullmatch(name):
        why = f"{quoted(name)} is no name for a brain: up to 60 letters, digits, '-', '_' and '.'"
        raise InvalidSpecError(name, why)
    if DIGEST.fullmatch(name):
        why = f"{quoted(name)} is no name for a brain: it would be taken for a digest"
        raise InvalidSpecError(name, why)
    return (directory or home()) / f"{name}.npz"


def find(name: str, directory: Path | None = None) -> Brain:
    """The brain with this name or digest; raises MissingBrainError or UnreadableBrainError."""
    if DIGEST.fullmatch(name):
        return _find_digest(name)
    path = brain_path(name, directory)
    if not path.is_file():
        names = sorted(file.stem for file in path.parent.glob("[!.]*.npz"))
        why = f"there is no brain called {quoted(name)}"
        raise MissingBrainError(name, why, f": {suggestion_text(name, names)} in {path.parent}")
    return load(path)


def digest_of(name: str) -> str:
    """The digest of the brain that currently has this name; raises as `find` does."""
    if DIGEST.fullmatch(name):
        return name
    path = brain_path(name)
    if not path.is_file():
        return find(name).digest  # which raises
    return _named_in(path, _stamp(path)).digest


@lru_cache(maxsize=256)  # a digest never means another brain; a missing one is looked for again
def training_of(digest: str) -> Training:
    """How the brain with this digest was trained; raises as `find` does."""
    brain = find(digest)
    return Training(brain.steps, brain.unit, tuple(brain.parameters.items()))


def named() -> tuple[NamedBrain, ...]:
    """Every readable brain with a name, as `zermelo train` saves them."""
    found = (_named_or_none(path) for path in sorted(_files()))
    return tuple(brain for brain in found if brain is not None)


def keep(brain: Brain) -> str:
    """Store the brain by its digest, which is returned."""
    keep_bytes(brain.digest, to_bytes(brain))
    return brain.digest


def _find_digest(digest: str) -> Brain:
    """Look among the brains stored by digest, then among the named ones."""
    path = by_digest() / f"{digest}.npz"
    if path.is_file():
        brain = load(path)
        if brain.digest != digest:
            why = f"{path.name} is not the brain it is named after"
            raise UnreadableBrainError(path.name, why)
        return brain
    for path in _files():
        named = _named_or_none(path)
        if named is not None and named.digest == digest and (brain := load(path)).digest == digest:
            return brain
    raise MissingBrainError(digest, f"there is no brain with the digest {digest}")


def _files() -> Iterator[Path]:
    return home().glob("[!.]*.npz")


def _named_or_none(path: Path) -> NamedBrain | None:
    try:
        return _named_in(path, _stamp(path))
    except (UnreadableBrainError, OSError):
        return None


def _stamp(path: Path) -> tuple[int, int, int]:
    """A cache key that changes with the file, which is only ever replaced."""
    stat = path.stat()
    return stat.st_ino, stat.st_mtime_ns, stat.st_size


@lru_cache(maxsize=256)
def _named_in(path: Path, stamp: tuple[int, int, int]) -> NamedBrain:
    brain = load(path)
    return NamedBrain(path.stem, brain.agent, brain.game, brain.digest)


def save(brain: Brain, path: Path) -> None:
    """Write the brain's file."""
    _write(to_bytes(brain), path)


def keep_bytes(digest: str, data: bytes) -> None:
    """The same as `keep` for a brain that is there as its file's bytes, of this digest.

    A file that is there stays: its curve is not in the digest, and may be someone else's.
    """
    path = by_digest() / f"{digest}.npz"
    if not path.is_file():
        _write(data, path)


def replace_bytes(digest: str, data: bytes) -> None:
    """See that the file of this digest has these bytes."""
    path = by_digest() / f"{digest}.npz"
    if not path.is_file() or path.read_bytes() != data:
        _write(data, path)


def _write(data: bytes, path: Path) -> None:
    """Write atomically."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with NamedTemporaryFile(dir=path.parent, prefix=f".{path.stem}-", delete=False) as file:
        try:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
            os.chmod(file.name, 0o644)  # temporary files are created with mode 600
            os.replace(file.name, path)
        except BaseException:
            Path(file.name).unlink(missing_ok=True)
            raise


def load(path: Path) -> Brain:
    """The brain in a file; raises UnreadableBrainError."""
    try:
        data = path.read_bytes()
    except OSError as error:
        why = f"{path.name} cannot be read: {error.strerror}"
        raise UnreadableBrainError(path.name, why) from error
    return from_bytes(data, path.name)
