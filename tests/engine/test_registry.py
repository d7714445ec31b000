"""Entries that the modules of a package declare."""

from pathlib import Path

import pytest

from engine.registry import declared_entries


def test_modules_that_declare_entries_are_imported_and_no_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "declaring"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "a.py").write_text("ENTRIES = (1, 2)\n")
    (package / "b.py").write_text("def entry(more):\n    return more\n")
    (package / "slow.py").write_text("raise ImportError('it was imported')\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert list(declared_entries("declaring", 3)) == [1, 2, 3]
