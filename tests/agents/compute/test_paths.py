"""Where data goes."""

from pathlib import Path

import pytest

from agents.compute.paths import data_dir


def test_the_environment_names_the_directory_and_it_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ZERMELO_DATA", str(tmp_path / "deep" / "data"))
    assert data_dir() == tmp_path / "deep" / "data"
    assert data_dir().is_dir()


def test_without_a_name_it_is_a_directory_of_this_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ZERMELO_DATA", raising=False)
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert data_dir() == tmp_path / "zermelo"
