"""Files that are nearly brains: one with a few of its parts changed, by chance from a seed."""

import io
import json
import struct
import zipfile
from random import Random

from agents.training.brains import HEADER

LOCAL, LISTED = b"PK\x03\x04", b"PK\x01\x02"
STORED, DEFLATED, BZIP2, LZMA = 0, 8, 12, 14
# JSON as it stands in a file: Python reads more than there ought to be.
VALUES = (
    "NaN",
    "Infinity",
    "-Infinity",
    "1e999",
    "-1e308",
    "1" * 400,
    "1" * 5000,
    "-1",
    "0",
    "1e-320",
    "2" + "0" * 18,
    "1.5",
    "true",
    "null",
    "[]",
    "{}",
    "[1, 2, 3]",
    "[[[[]]]]",
    "[" * 2000 + "]" * 2000,
    '""',
    '"\\ud800"',
    '"\\u0000"',
    '"\\u202e\\n<b>"',
    '"' + "x" * 100_000 + '"',
    '{"x": "' + "y" * 100_000 + '"}',
    "[" + ", ".join(["9"] * 50_000) + "]",
    '{"' + '": 1, "'.join(map(str, range(20_000))) + '": 1}',
    '[{"step": 1, "wins": 1e308}, {"step": 2, "wins": -1e308}]',
    '[{"step": 0, "wins": 0.5}, {"step": 0, "wins": 0.5}]',
    '[{"step": 5, "wins": 0.5}, {"step": 1, "wins": 0.5}]',
    '[{"step": 1, "wins": NaN}, {"step": 2, "wins": Infinity}]',
    '[{"step": 1, "\\udc80": 1.0}, {"step": 2, "\\udc80": 2.0}]',
    '[{"step": 1, "' + "z" * 50_000 + '": 1.0}, {"step": 2, "' + "z" * 50_000 + '": 2.0}]',
    "[" + ", ".join(f'{{"step": {step}, "wins": 0.5}}' for step in range(1, 4000)) + "]",
    '"qlearning"',
    '"nim"',
    '"nim:heaps=50-50-50-50-50-50-50-50-50-50"',
    '"random:by=heap"',
)
DESCRIBED = (
    b"(" + b"9" * 400 + b",)",
    b"(" + b"9" * 400 + b", 0)",
    b"(-1,)",
    b"(" + b"1, " * 60 + b")",
    b"()",
    b"(True,)",
    b"(10**9,)",
    b"((((",
)
KINDS = (b"|O", b"<U9", b"<c16", b"<f16", b"<M8", b">i4", b"<f8", b"|V4")


def mutant(data, number):
    """The mutant of a brain's file that has this number."""
    rng = Random(number)
    change = rng.choice((_header, _header, _header, _array, _members, _directory, _bytes))
    return change(data, rng)


def _parts(data):
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def _packed(parts, method=DEFLATED):
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", method) as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    return made.getvalue()


def _header(data, rng):
    """One to three values of the header, of a parameter or of a point are others."""
    parts = _parts(data)
    header = json.loads(parts[HEADER])
    marks = {}
    for _ in range(rng.randint(1, 3)):
        where = rng.choice((header, header, header["parameters"], rng.choice(header["curve"])))
        if not isinstance(where, dict):
            continue
        key = rng.choice((*where, "new"))
        mark = f"@{len(marks)}@"
        marks[mark] = rng.choice(VALUES)
        where[key] = mark
        if rng.random() < 0.2:
            del where[key]
        if rng.random() < 0.1:
            where["k" * 30_000] = 1
        if not isinstance(header.get("parameters"), dict) or not isinstance(
            header.get("curve"), list
        ):
            break
    text = json.dumps(header)
    for mark, value in marks.items():
        text = text.replace(f'"{mark}"', value)
    return _packed(parts | {HEADER: text.encode()})


def _array(data, rng):
    """An array with another header, or with fewer or other bytes."""
    parts = _parts(data)
    name = rng.choice([name for name in parts if name != HEADER])
    array = bytearray(parts[name])
    size = struct.unpack_from("<H", array, 8)[0]
    header, rest = bytes(array[10 : 10 + size]), bytes(array[10 + size :])
    match rng.randrange(4):
        case 0:
            begin, end = header.index(b"("), header.index(b")") + 1
            header = header[:begin] + rng.choice(DESCRIBED) + header[end:]
        case 1:
            begin = header.index(b"'descr': '") + 10
            header = header[:begin] + rng.choice(KINDS) + header[header.index(b"'", begin) :]
        case 2:
            rest = rest[: rng.randrange(len(rest))]
        case _:
            rest = rng.randbytes(len(rest))
    told = bytes(array[:8]) + struct.pack("<H", len(header)) + header
    return _packed(parts | {name: told + rest})


def _members(data, rng):
    """More members, members of other names, or packed otherwise."""
    parts = _parts(data)
    match rng.randrange(5):
        case 0:
            parts |= {f"{number}.npy": b"" for number in range(rng.randint(1, 400))}
        case 1:
            parts[rng.choice(("ä.npy", "../x.npy", "x", ".npy", "n" * 5000))] = parts[HEADER]
        case 2:
            del parts[rng.choice(list(parts))]
        case 3:
            return _packed(parts, rng.choice((STORED, BZIP2, LZMA)))
        case _:
            parts["zeros.npy"] = bytes(rng.choice((1 << 10, 20 << 20, 65 << 20)))
    return _packed(parts)


def _directory(data, rng):
    """What the zip says of a member is not so: its flags, its method, its size, its checksum."""
    told = bytearray(data)
    offset, shape, most = rng.choice(
        ((6, "<H", 16), (8, "<H", 7), (14, "<I", 32), (18, "<I", 32), (22, "<I", 32))
    )
    value = rng.getrandbits(rng.randint(1, most))
    for begins, further in ((LOCAL, 0), (LISTED, 2)):
        if rng.random() < 0.9:
            struct.pack_into(shape, told, told.index(begins) + offset + further, value)
    return bytes(told)


def _bytes(data, rng):
    """Bytes are others, missing or too many."""
    told = bytearray(data)
    for _ in range(rng.randint(1, 8)):
        told[rng.randrange(len(told))] = rng.randrange(256)
    if rng.random() < 0.3:
        del told[rng.randrange(len(told)) :]
    return bytes(told)
