"""Where data goes."""

from pathlib import Path

import pytest

from agents.compute.paths import cache_dir, data_dir


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


def test_a_user_without_a_home_has_caches_where_they_are_named_or_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As a service's may be: its kernels are kept in XDG_CACHE_HOME, or by no process."""

    def nowhere() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", nowhere)
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    assert not cache_dir().parent.is_dir()
    monkeypatch.setenv("XDG_CACHE_HOME", "/var/cache")
    assert cache_dir() == Path("/var/cache/zermelo")
