"""Files of endgames: trusted for what they are, never half of them, whatever was killed."""

import hashlib
import lzma
import os
import shutil
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from agents.perfect import endgame_builder as worked_out
from agents.perfect.endgame_builder import ensure, packed_path
from agents.quixo.endgame_tables import DIGESTS, SIZES, endgames, mapped, most_wanted, table_path
from tests.soak import lessened


@pytest.fixture
def copied(full_boards: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data directory of the test's own with copies of the files in it."""
    shutil.copytree(full_boards, tmp_path, dirs_exist_ok=True)
    monkeypatch.setenv("ZERMELO_DATA", str(tmp_path))
    return tmp_path


@pytest.fixture
def _never_solved(copied: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once they are there."""

    def solve(*_: object) -> None:
        raise AssertionError("it was solved again")

    monkeypatch.setattr(worked_out, "solve_layer", solve)


def changed(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


@pytest.mark.soak
@pytest.mark.parametrize(
    "spoil",
    [
        lambda path: path.write_bytes(path.read_bytes()[:-1]),
        lambda path: path.write_bytes(b"not a table"),
        lambda path: path.write_bytes(b""),
        changed,
    ],
    ids=["truncated", "foreign", "empty", "one byte changed"],
)
def test_a_table_that_is_not_what_was_written_is_not_trusted(copied: Path, spoil: Any) -> None:
    spoil(table_path(0))
    assert mapped(table_path(0)) is None
    assert endgames().blanks == -1


@pytest.mark.soak
@pytest.mark.usefixtures("_never_solved")
def test_a_table_that_was_damaged_is_unpacked_again(copied: Path) -> None:
    changed(table_path(0))
    assert ensure(0).blanks == 0
    assert endgames().blanks == 0


@pytest.mark.soak
@pytest.mark.parametrize(
    "spoilt",
    [
        lambda whole: b"",
        lambda whole: b"not a table",
        lambda whole: lzma.compress(b"\0" * SIZES[0], preset=0),
        lambda whole: whole[:-100],
    ],
    ids=["empty", "foreign", "another table", "truncated"],
)
def test_a_packed_file_that_is_not_what_was_written_is_not_trusted(
    copied: Path, spoilt: Any
) -> None:
    packed_path(0).write_bytes(spoilt(packed_path(0).read_bytes()))
    assert not worked_out.unpack(0, np.zeros(SIZES[0], np.uint8))


@pytest.mark.soak
@pytest.mark.usefixtures("_never_solved")
def test_what_a_killed_build_left_is_cleared_away(copied: Path) -> None:
    left = copied / ".quixo-5x5-0.table-abc"
    left.write_bytes(b"half of it")
    table_path(0).unlink()
    ensure(0)
    assert not left.exists()
    assert mapped(table_path(0)) is not None


WRITTEN = 2.0  # beyond every share: a file is on the disk, and has not got its name yet
BUILD = f"""
import os, sys
from agents.perfect.endgame_builder import ensure

os.fsync = lambda file: (print({WRITTEN}, flush=True), sys.stdin.read())
ensure(0, lambda share: print(share, flush=True))
"""


def kill_build(place: Path, share: float) -> None:
    """Kill a build of full boards once so much of it is done: nothing that it left is trusted."""
    build = subprocess.Popen(
        [sys.executable, "-c", BUILD],
        env=os.environ | {"ZERMELO_DATA": str(place)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert build.stdout is not None
    assert next(line for line in build.stdout if float(line) >= share)
    build.kill()
    build.communicate()
    assert endgames().blanks == -1
    assert list(place.glob("quixo-5x5-*")) == []


@pytest.fixture
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data directory without tables, which are wanted."""
    monkeypatch.setenv("ZERMELO_DATA", str(tmp_path))
    monkeypatch.setenv("ZERMELO_ENDGAMES", "1")
    assert endgames().blanks == -1
    return tmp_path


@pytest.mark.slow
def test_a_build_that_is_killed_leaves_nothing_that_is_trusted(empty: Path) -> None:
    kill_build(empty, 0.0)


@pytest.mark.soak
def test_a_build_killed_again_and_again_comes_out_whole(empty: Path) -> None:
    rng = Random(6)
    for share in (*(rng.random() for _ in range(lessened(19, 2))), WRITTEN):
        kill_build(empty, share)
    assert len(list(empty.glob(".quixo-5x5-*"))) == 1  # what the last one wrote
    ensure(0)
    assert hashlib.sha256(table_path(0).read_bytes()).hexdigest() == DIGESTS[0]
    assert endgames().blanks == 0
    assert list(empty.glob(".quixo-5x5-*")) == []


@pytest.mark.parametrize(
    ("said", "most"), [("", 2), ("1", 1), ("2", 2), ("0", -1), ("no", -1), ("yes", 2)]
)
def test_the_environment_says_up_to_how_many_blanks(
    monkeypatch: pytest.MonkeyPatch, said: str, most: int
) -> None:
    monkeypatch.setenv("ZERMELO_ENDGAMES", said)
    assert most_wanted() == most


@pytest.mark.soak
@pytest.mark.usefixtures("_never_solved")
def test_a_larger_table_begins_with_the_smaller_one(copied: Path) -> None:
    packed_path(0).unlink()
    with pytest.raises(AssertionError, match="solved again"):
        ensure(1)  # from the table alone: it is only what comes next that has to be solved
    assert mapped(table_path(0)) is not None
    assert not packed_path(0).exists()
