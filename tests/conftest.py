"""Settings for every test."""

import os
import re
import signal
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from xdist.scheduler import LoadScopeScheduling

from engine.errors import warn_once

# Time is measured in benchmarks, never in a test: the machines are shared and noisy.
settings.register_profile("steady", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("steady")


def pytest_configure() -> None:
    """Let Ctrl-C through: a background job ignores it, and so would all that tests start."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    # Whether this machine has Quixo's endgames changes nothing here; their own tests ask for them.
    os.environ["ZERMELO_ENDGAMES"] = "0"


def pytest_addoption(parser: pytest.Parser) -> None:
    """For `make quick`."""
    parser.addoption("--each-once", action="store_true", help="of many cases of a test, take one")


class ByRoom(LoadScopeScheduling):
    """Which of the processes a test runs in: what shares what it makes stays together."""

    def _split_scope(self, nodeid: str) -> str:
        return kept_together(nodeid)


def kept_together(nodeid: str) -> str:
    """The name of those that one process runs; whoever is free takes a test of its own name."""
    path, _, name = nodeid.partition("::")
    if "postgresql" in name:
        return "postgresql"  # one server for them all
    if path.endswith(("/test_example_game.py", "/test_workshop.py", "/test_imports.py")):
        return path  # installs packages; compiles what its pages ask for; reads every source
    if path.startswith("tests/agents/") or path in OF_AGENTS:
        return _maker(path, name)
    return nodeid


# What is asked of each agent in every game it plays, and kept by the process that asked.
OF_AGENTS = (
    "tests/agents/test_roster_laws.py",
    "tests/webapp/replays/test_rows.py",
)


def _maker(path: str, name: str) -> str:
    """A room of agents has kernels, tables and brains; an agent, what it said under a law."""
    if path in OF_AGENTS and "[" in name:
        return re.sub(r".*\[|(-\d+)?\]$", "", name)
    return str(Path(path).parent)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Of those that whoever is free takes, begin with what is slow: nobody waits for it at the end.

    Among many processes only, since it parts the tests of a module; else the order stays random.
    """
    if config.getoption("each_once"):
        _take_one_of_each(config, items)
    if "PYTEST_XDIST_WORKER" in os.environ:
        items.sort(key=lambda item: not _slow_alone(item))


def _take_one_of_each(config: pytest.Config, items: list[pytest.Item]) -> None:
    """The case that every process would take, whatever the order."""
    first: dict[str, str] = {}
    for nodeid in sorted(item.nodeid for item in items):
        first.setdefault(nodeid.partition("[")[0], nodeid)
    taken = set(first.values())
    config.hook.pytest_deselected(items=[item for item in items if item.nodeid not in taken])
    items[:] = [item for item in items if item.nodeid in taken]


def _slow_alone(item: pytest.Item) -> bool:
    slow = "tests/e2e/" in item.nodeid or item.get_closest_marker("slow") is not None
    return slow and kept_together(item.nodeid) == item.nodeid


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> ByRoom | None:
    """For `--dist loadscope`. Marks of xdist_group are lost: pytest 9.2 keeps ids elsewhere."""
    return ByRoom(config, log) if config.getoption("dist") == "loadscope" else None


@pytest.fixture(autouse=True)
def _nothing_told_yet() -> None:
    """A fault is told once in a process; each test is to hear of its own."""
    warn_once.cache_clear()


@pytest.fixture
def own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data directory of the test's own, with no brain or table in it."""
    monkeypatch.setenv("ZERMELO_DATA", str(tmp_path))
    return tmp_path


@pytest.fixture(scope="session")
def endgame_files(tmp_path_factory: pytest.TempPathFactory) -> Callable[[int], Path]:
    """A directory with the endgames of so many blanks, shared by all processes of this run."""
    base = tmp_path_factory.getbasetemp()
    shared = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "endgames"

    def files(blanks: int) -> Path:
        place = shared / str(blanks)
        place.mkdir(parents=True, exist_ok=True)
        from agents.perfect.endgame_builder import ensure  # slow to import, and wanted by few

        for packed in files(blanks - 1).glob("*.xz") if blanks else ():  # not solved again
            with suppress(FileExistsError):
                os.link(packed, place / packed.name)
        with pytest.MonkeyPatch.context() as patched:
            patched.setenv("ZERMELO_DATA", str(place))
            ensure(blanks)
        return place

    return files


def _endgames(blanks: int) -> Any:
    """A fixture: this test looks up boards with at most so many blanks, which take minutes."""

    @pytest.fixture
    def looked_up(endgame_files: Callable[[int], Path], monkeypatch: pytest.MonkeyPatch) -> Path:
        place = endgame_files(blanks)
        monkeypatch.setenv("ZERMELO_DATA", str(place))
        monkeypatch.setenv("ZERMELO_ENDGAMES", "2")
        return place

    return looked_up


full_boards, one_blank, two_blanks = map(_endgames, range(3))


@pytest.fixture
def install_agents() -> Iterator[Callable[..., None]]:
    """Puts agents on the roster, beside ours or alone, until the test ends."""
    from agents import roster
    from agents.contest.arena import _pinned_agent
    from agents.contest.strength import strongest_agent

    def forget() -> None:
        for cached in (roster.roster, roster._agent_name, strongest_agent, _pinned_agent):
            cached.cache_clear()

    with pytest.MonkeyPatch.context() as patched:

        def install(*entries: Any, ours: tuple[Any, ...] = roster.BUILT_IN) -> None:
            patched.setattr(roster.roster, "built_in", (*ours, *entries))
            forget()

        yield install
    forget()
