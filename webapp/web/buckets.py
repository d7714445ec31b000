"""Token buckets by name: of one process, or shared by all web processes of a machine."""

from __future__ import annotations

import mmap
import os
import struct
import sys
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from threading import Lock
from typing import Protocol
from weakref import finalize

if sys.platform != "win32":
    import fcntl

MAX_BUCKETS = 10_000  # of an allowance
SLOT = struct.Struct("<8sdd")  # digest of the name, tokens left, and when that was
SLOTS = 1 << 14
PROBES = 8  # slots in which a name may stand
NOBODY = bytes(8)


@dataclass(slots=True)
class Bucket:
    """Tokens left, and when that was."""

    left: float
    at: float


class Buckets(Protocol):
    """Where an allowance keeps its buckets."""

    def held(self, name: str, fresh: Bucket) -> AbstractContextManager[Bucket]:
        """Hold the bucket of a name, or a fresh one; changed within the block, stored after it."""


class LocalBuckets:
    """Of this process; the least recently used are forgotten."""

    def __init__(self) -> None:
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()
        self._lock = Lock()

    @contextmanager
    def held(self, name: str, fresh: Bucket) -> Iterator[Bucket]:
        with self._lock:
            bucket = self._buckets.setdefault(name, fresh)
            self._buckets.move_to_end(name)
            if len(self._buckets) > MAX_BUCKETS:
                self._buckets.popitem(last=False)
            yield bucket


class SharedBuckets:
    """In a file that processes map into their memory; each is held by one process at a time.

    A name stands in one of a few slots given by its digest, and takes the place of the one there
    that was used longest ago.
    """

    def __init__(self, file: Path) -> None:
        self._file = os.open(file, os.O_RDWR | os.O_CREAT, 0o600)
        finalize(self, os.close, self._file)
        os.ftruncate(self._file, SLOTS * SLOT.size)
        self._map = mmap.mmap(self._file, SLOTS * SLOT.size)
        self._lock = Lock()  # for the threads of this process, which share the lock on the file

    @contextmanager
    def held(self, name: str, fresh: Bucket) -> Iterator[Bucket]:
        digest = blake2b(name.encode(errors="replace"), digest_size=8).digest()
        with self._lock:
            fcntl.flock(self._file, fcntl.LOCK_EX)
            try:
                offset, bucket = self._found(digest, fresh)
                yield bucket
                SLOT.pack_into(self._map, offset, digest, bucket.left, bucket.at)
            finally:
                fcntl.flock(self._file, fcntl.LOCK_UN)

    def _found(self, digest: bytes, fresh: Bucket) -> tuple[int, Bucket]:
        """Its slot and its bucket; else the slot to use, and a fresh one."""
        first = int.from_bytes(digest, "little")
        oldest: tuple[float, int] | None = None
        for probe in range(PROBES):
            offset = ((first + probe) % SLOTS) * SLOT.size
            there, left, at = SLOT.unpack_from(self._map, offset)
            if there == digest:
                return offset, Bucket(left, at)
            age = -1.0 if there == NOBODY else at
            if oldest is None or age < oldest[0]:
                oldest = (age, offset)
        assert oldest is not None
        return oldest[1], fresh
