"""Brain files taken apart within bounds: their members and arrays, and what the header tells.

Files may be uploaded by anyone, and pages, digests and charts are made of them. Declared sizes are
checked against the unpacked bytes; every text is short and printable, every number finite, every
curve of so many points. Readers of the header raise ValueError or TypeError for what no training
writes.
"""

from __future__ import annotations

import io
import json
import re
import struct
import zipfile
import zlib
from collections.abc import Mapping
from math import prod
from typing import Any, NoReturn, TypeVar

import numpy as np
from numpy.typing import NDArray

from agents.errors import UnreadableBrainError
from engine.core import Options, OptionValue
from engine.errors import quoted

C = TypeVar("C", dict[Any, Any], list[Any])

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


MAX_HEADER = 16 * 2**20  # bytes: the longest curves that learners of ours come to
MAX_STEPS = 2**40
MAX_SEED = 2**63 - 1
MAX_FIGURE = 1e15  # of what was measured, and of parameters
MAX_POINTS = 100_000
MAX_METRICS = 20  # at one point
MAX_FIGURES = 400_000  # in a whole curve
MAX_PARAMETERS = 60
MAX_NAME = 60  # characters
MAX_TEXT = 400  # characters: specs of games and opponents
MAX_LIST = 100


def parsed(text: bytes) -> Any:
    """The JSON in these bytes; raises ValueError, also for `NaN` and `Infinity`."""
    try:
        return json.loads(text, parse_constant=_no_number)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number")


def text(value: object, longest: int = MAX_TEXT) -> str:
    if not isinstance(value, str):
        raise TypeError("no text")
    if len(value) > longest or not value.isprintable():  # half characters are not printable either
        raise ValueError("a text that is too long, or cannot be shown")
    return value


def name(value: object) -> str:
    if not (checked := text(value, MAX_NAME)):
        raise ValueError("a name of no letters")
    return checked


def whole(value: object, low: int, high: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError("no whole number")
    if not low <= value <= high:
        raise ValueError(f"not from {low} to {high}")
    return value


def figure(value: object) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise TypeError("no number")
    if not -MAX_FIGURE <= value <= MAX_FIGURE:  # neither is NaN
        raise ValueError("a number that nothing measures")
    return float(value)


def parameters(value: object) -> Options:
    """As options of an agent are."""
    given = _collection(value, dict, MAX_PARAMETERS)
    return {name(key): _option(each) for key, each in given.items()}


def _option(value: object) -> OptionValue:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return text(value)
    if isinstance(value, list):
        return tuple(
            whole(each, -MAX_SEED, MAX_SEED) for each in _collection(value, list, MAX_LIST)
        )
    if isinstance(value, int):
        return whole(value, -MAX_SEED, MAX_SEED)
    return figure(value)


def curve(value: object) -> list[tuple[int, Mapping[str, float]]]:
    """(step, metrics) of each point, each step later than the one before."""
    points: list[tuple[int, Mapping[str, float]]] = []
    figures, last = 0, -1
    for each in _collection(value, list, MAX_POINTS):
        point = _collection(each, dict, MAX_METRICS + 1)
        last = whole(point["step"], last + 1, MAX_STEPS)
        metrics = {name(key): figure(found) for key, found in point.items() if key != "step"}
        figures += len(metrics)
        if figures > MAX_FIGURES:
            raise ValueError("too many figures")
        points.append((last, metrics))
    return points


def _collection(value: object, kind: type[C], most: int) -> C:
    if not isinstance(value, kind):
        raise TypeError(f"no {kind.__name__}")
    if len(value) > most:
        raise ValueError(f"more than {most} entries")
    return value
