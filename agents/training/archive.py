"""Brain files unpacked within size limits.

Files may be uploaded by anyone, so declared sizes are checked against the unpacked bytes.
"""

from __future__ import annotations

import io
import re
import struct
import zipfile
import zlib
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.errors import UnreadableBrainError
from engine.errors import quoted

MAX_UNPACKED = 64 * 2**20  # bytes of all members: a small file must not fill the memory
CHUNK = 64 * 2**10  # bytes unpacked at a time
MAX_MEMBERS = 50
MAX_DIMENSIONS = 8
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # bzip2 and others unpack without a limit
ENCRYPTED = 0x1 | 0x40 | 0x2000  # flag bits of a member
ENTRY = b"PK\x01\x02"  # signature of an entry in the central directory

MAGIC = b"\x93NUMPY\x01\x00"  # npy format 1.0, of plain arrays
ARRAY_NAME = re.compile(r"([A-Za-z0-9_][A-Za-z0-9_.-]{0,59})\.npy")
# As numpy writes it. Not parsed by numpy, which evaluates it as a Python literal.
ARRAY_HEADER = re.compile(
    rb"\{'descr': '([<>|])(b1|[iu][1248]|f[248])', 'fortran_order': (False|True), "
    rb"'shape': \(((?:\d{1,12}, ?)*\d{0,12})\), \} *\n"
)
# What zipfile raises for invalid files.
BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    OSError,
    ValueError,
    RuntimeError,
    OverflowError,
)


def unpacked(data: bytes, source: str) -> dict[str, bytes]:
    """The members of a zip by their names; raises UnreadableBrainError naming the source."""
    if data.count(ENTRY) > MAX_MEMBERS:  # before zipfile creates an object for each
        raise UnreadableBrainError(source, f"{source} has more than {MAX_MEMBERS} parts")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            listed = archive.infolist()
            _check(listed, source)
            members, left = {}, MAX_UNPACKED
            for member in listed:
                members[member.filename] = part = _read(archive, member, left, source)
                left -= len(part)
    except BROKEN as error:
        why = f"{source} is no brain, or is cut short: it cannot be unpacked"
        raise UnreadableBrainError(source, why) from error
    return members


def _check(listed: list[zipfile.ZipInfo], source: str) -> None:
    if len(listed) > MAX_MEMBERS:
        raise UnreadableBrainError(source, f"{source} has more than {MAX_MEMBERS} parts")
    if len({member.filename for member in listed}) < len(listed):
        raise UnreadableBrainError(source, f"{source} is no brain: two parts of it have one name")
    for member in listed:
        if member.flag_bits & ENCRYPTED:
            raise UnreadableBrainError(source, f"{source} is no brain: it is encrypted")
        if member.compress_type not in METHODS:
            why = f"{source} is no brain: it is packed otherwise than a brain is"
            raise UnreadableBrainError(source, why)
    if sum(member.file_size for member in listed) > MAX_UNPACKED:
        raise _too_large(source)


def _read(archive: zipfile.ZipFile, member: zipfile.ZipInfo, most: int, source: str) -> bytes:
    """The bytes of a member, exactly as many as declared and at most `most`.

    In chunks, as zipfile unpacks all requested bytes before it checks the declared size.
    """
    part = io.BytesIO()
    with archive.open(member) as file:
        while chunk := file.read(CHUNK):
            part.write(chunk)
            if part.tell() > most:
                raise _too_large(source)
    if part.tell() != member.file_size:
        raise zipfile.BadZipFile("a member of another size than it says")
    return part.getvalue()


def _too_large(source: str) -> UnreadableBrainError:
    return UnreadableBrainError(source, f"{source} unpacks to more than {MAX_UNPACKED >> 20} MB")


def array_in(name: str, data: bytes, source: str) -> tuple[str, NDArray[Any]]:
    """(name, array) of a member; raises UnreadableBrainError.

    Only numeric and boolean arrays of the declared size are accepted.
    """
    named, read = ARRAY_NAME.fullmatch(name), _array(data)
    if named is None or read is None:
        why = f"{source} is no brain, or is cut short: {quoted(name)} in it is no array"
        raise UnreadableBrainError(source, why)
    return named[1], read


def _array(data: bytes) -> NDArray[Any] | None:
    start = len(MAGIC) + 2
    if not data.startswith(MAGIC) or len(data) < start:
        return None
    start += int.from_bytes(data[len(MAGIC) : start], "little")
    header = ARRAY_HEADER.fullmatch(data, len(MAGIC) + 2, start)
    if header is None or len(data) < start:
        return None
    order, kind, fortran, lengths = (part.decode() for part in header.groups())
    shape = tuple(int(length) for length in lengths.split(",") if length.strip())
    dtype = np.dtype(f"{order}{kind}")
    if len(shape) > MAX_DIMENSIONS or prod(shape) * dtype.itemsize != len(data) - start:
        return None
    if 0 in shape and max(shape) > MAX_UNPACKED:  # no bytes, but a length that numpy rejects
        return None
    flat = np.frombuffer(data, dtype, offset=start)
    return flat.reshape(shape, order="F" if fortran == "True" else "C").copy()
