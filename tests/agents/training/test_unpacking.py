"""Files that promise little and unpack to much, or that are packed as no brain is."""

import io
import struct
import tracemalloc
import zipfile

import numpy as np
import pytest

from agents.errors import UnreadableBrainError
from agents.training.archive import MAX_MEMBERS, MAX_UNPACKED, array_in, unpacked

LOCAL, LISTED = b"PK\x03\x04", b"PK\x01\x02"
MUCH = 40 << 20  # bytes


def packed(members, method=zipfile.ZIP_DEFLATED):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return file.getvalue()


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


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_only_stored_and_deflated_members_are_unpacked(method):
    assert refused(packed({"brain.json": b"{}"}, method)).endswith("than a brain is")
    assert unpacked(packed({"brain.json": b"{}"}, zipfile.ZIP_STORED), "") == {"brain.json": b"{}"}


def test_an_unknown_method_is_refused():
    assert refused(tampered(packed({"a": b"b"}), "method", 97)).endswith("than a brain is")


def test_an_encrypted_member_is_refused():
    assert refused(tampered(packed({"a": b"b"}), "flags", 1)).endswith("it is encrypted")


def test_a_file_of_many_members_is_refused():
    few, many = ({str(number): b"" for number in range(most)} for most in (MAX_MEMBERS, 5000))
    assert unpacked(packed(few), "") == few
    assert refused(packed(many)) == f"the file has more than {MAX_MEMBERS} parts"


def test_two_members_of_one_name_are_refused():
    twice = packed({"a.npy": b"1", "b.npy": b"2"}).replace(b"b.npy", b"a.npy")
    assert refused(twice).endswith("two parts of it have one name")


def test_members_that_are_too_much_together_are_refused():
    half = bytes(MAX_UNPACKED // 2)
    assert refused(packed({"a": half, "b": half, "c": b"1"})).endswith("more than 64 MB")


def test_names_that_are_no_text_are_refused():
    data = packed({"ä.npy": b"1"})
    assert refused(data.replace("ä".encode(), b"\xff\xff")).endswith("cannot be unpacked")


@pytest.mark.parametrize("size", [0, 1, 3, MAX_UNPACKED])
def test_a_member_of_another_size_than_it_says_is_refused(size):
    assert refused(tampered(packed({"a": b"12"}), "size", size)).endswith("cannot be unpacked")


def npy(array):
    file = io.BytesIO()
    np.lib.format.write_array(file, array, version=(1, 0))
    return file.getvalue()


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
