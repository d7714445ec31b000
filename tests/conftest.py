"""Settings for every test."""

import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Time is measured in benchmarks, never in a test: the machines are shared and noisy.
settings.register_profile("steady", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("steady")

AGENTS = Path(__file__).parent / "agents"


def pytest_configure() -> None:
    """Let Ctrl-C through: a background job ignores it, and so would all that tests start."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    # Whether this machine has Quixo's endgames changes nothing here; their own tests ask for them.
    os.environ["ZERMELO_ENDGAMES"] = "0"


@pytest.hookimpl(tryfirst=True)  # before xdist reads the groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A room of agents stays with one process, and so do its kernels, tables and brains.

    What soaks is left to whoever is free: it takes minutes, and shares nothing.
    """
    for item in items:
        room = Path(item.path).parent
        alone = item.get_closest_marker("soak") or item.get_closest_marker("xdist_group")
        if room.parent == AGENTS and not alone:
            item.add_marker(pytest.mark.xdist_group(room.name))


@pytest.fixture(scope="session")
def endgame_files(tmp_path_factory: pytest.TempPathFactory) -> Callable[[int], Path]:
    """A directory with the endgames of so many blanks, shared by all processes of this run."""
    base = tmp_path_factory.getbasetemp()
    shared = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "endgames"

    def files(blanks: int) -> Path:
        place = shared / str(blanks)
        place.mkdir(parents=True, exist_ok=True)
        from agents.perfect.endgames import ensure  # slow to import, and wanted by few

        with pytest.MonkeyPatch.context() as patched:
            patched.setenv("ZERMELO_DATA", str(place))
            ensure(blanks)
        return place

    return files


@pytest.fixture
def full_boards(endgame_files: Callable[[int], Path], monkeypatch: pytest.MonkeyPatch) -> Path:
    """This test looks up boards without a blank."""
    return _looked_up(endgame_files(0), monkeypatch)


@pytest.fixture
def one_blank(endgame_files: Callable[[int], Path], monkeypatch: pytest.MonkeyPatch) -> Path:
    """This test looks up boards with at most one blank, which take minutes to work out."""
    return _looked_up(endgame_files(1), monkeypatch)


def _looked_up(place: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ZERMELO_DATA", str(place))
    monkeypatch.setenv("ZERMELO_ENDGAMES", "1")
    return place
