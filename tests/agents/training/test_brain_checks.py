"""Files that promise little and unpack to much, or that are packed as no brain is."""

import struct
import tracemalloc
import zipfile

import numpy as np
import pytest

from agents.errors import UnreadableBrainError
from agents.training.brain_checks import MAX_MEMBERS, MAX_UNPACKED, array_in, unpacked
from tests.agents.training.zipping import npy, packed

LOCAL, LISTED = b"PK\x03\x04", b"PK\x01\x02"
MUCH = 40 << 20  # bytes


def tampered(data, field, value):
    """With another value in both headers of the first member: `size`, `method` or `flags`."""
    offset, shape = {"size": (22, "<I"), "method": (8, "<H"), "flags": (6, "<H")}[field]
    told = bytearray(data)
    for begins, further in ((LOCAL, 0), (LISTED, 2)):
        struct.pack_into(shape, told, told.index(begins) + offset + further, value)
    return bytes(told)


def refused(data):
    with pytest.raises(UnreadableBrainError) as refusal:
        unpacked(data, "the file")
    return str(refusal.value)


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA, zipfile.ZIP_DEFLATED])
def test_what_says_it_is_small_takes_little_memory(method):
    bomb = tampered(packed({"brain.json": bytes(MUCH)}, method), "size", 1000)
    tracemalloc.start()
    try:
        refused(bomb)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < MUCH / 20


HALF = bytes(MAX_UNPACKED // 2)
AB = packed({"a.npy": b"1", "b.npy": b"2"})


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (packed({"brain.json": b"{}"}, zipfile.ZIP_BZIP2), "than a brain is"),
        (packed({"brain.json": b"{}"}, zipfile.ZIP_LZMA), "than a brain is"),
        (tampered(packed({"a": b"b"}), "method", 97), "than a brain is"),
        (tampered(packed({"a": b"b"}), "flags", 1), "it is encrypted"),
        (packed({str(at): b"" for at in range(5000)}), f"has more than {MAX_MEMBERS} parts"),
        (AB.replace(b"b.npy", b"a.npy"), "two parts of it have one name"),
        (packed({"a": HALF, "b": HALF, "c": b"1"}), "more than 64 MB"),
        (packed({"ä.npy": b"1"}).replace("ä".encode(), b"\xff\xff"), "cannot be unpacked"),
        *(
            (tampered(packed({"a": b"12"}), "size", size), "cannot be unpacked")
            for size in (0, 1, 3, MAX_UNPACKED)
        ),
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)
def test_what_is_packed_as_no_brain_is_is_refused(data, why):
    assert refused(data).endswith(why)


def test_stored_and_deflated_members_are_unpacked_and_so_many_of_them():
    few = {str(number): b"" for number in range(MAX_MEMBERS)}
    assert unpacked(packed(few), "") == few
    assert unpacked(packed(few, zipfile.ZIP_STORED), "") == few


def with_header(text, data=b""):
    header = text.encode()
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + data


@pytest.mark.parametrize(
    "array",
    [
        np.arange(6, dtype="<f4").reshape(2, 3),
        np.asfortranarray(np.arange(6, dtype=">i8").reshape(2, 3)),
        np.array(2.5),
        np.zeros((0, 3), np.uint8),
        np.array([True, False]),
    ],
    ids=["plain", "by columns", "one number", "none", "truth values"],
)
def test_an_array_is_read_as_numpy_reads_it(array):
    name, found = array_in("q.npy", npy(array), "the file")
    assert name == "q"
    np.testing.assert_array_equal(found, array)
    assert (found.dtype, found.shape) == (array.dtype, array.shape)


ONE = "{'descr': '<f8', 'fortran_order': False, 'shape': (%s), }\n"


@pytest.mark.parametrize(
    "data",
    [
        with_header(ONE % ("9" * 400 + ",")),
        with_header(ONE % ("9" * 400 + ", 0")),
        with_header(ONE % "9999999999, 0"),
        with_header(ONE % "-1, -1", bytes(8)),
        with_header(ONE % ", ".join(["1"] * 40), bytes(8)),
        with_header(ONE % "2,", bytes(8)),
        with_header(ONE % "1,", bytes(16)),
        with_header("-" * 9000 + "1"),
        with_header("(" * 9000),
        with_header("{'descr': '|O', 'fortran_order': False, 'shape': (1,), }\n", bytes(8)),
        with_header("{'descr': '<U9', 'fortran_order': False, 'shape': (1,), }\n", bytes(36)),
        with_header("{'descr': '<f16', 'fortran_order': False, 'shape': (1,), }\n", bytes(16)),
        with_header("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1,), }\n"),
        b"\x93NUMPY\x01\x00",
        b"\x93NUMPY\x01\x00\xff\xff{}",
        b"\x93NUMPY\x02\x00" + bytes(80),
        b"",
    ],
)
def test_what_is_no_plain_array_is_refused(data):
    with pytest.raises(UnreadableBrainError, match=r"'q\.npy' in it is no array"):
        array_in("q.npy", data, "the file")


@pytest.mark.parametrize("name", ["q", ".npy", "../q.npy", "q\ud800.npy", "q" * 61 + ".npy"])
def test_a_name_that_no_array_has_is_refused(name):
    with pytest.raises(UnreadableBrainError, match="is no array"):
        array_in(name, npy(np.ones(1)), "the file")
