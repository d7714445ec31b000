"""Compiled kernels: kept on disk, and compiled anew whenever anything they share is edited."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import numba
import pytest

from agents.compute import kernels

ROOT = Path(__file__).parents[3]
SHARED = """from agents.compute.kernels import kernel


@kernel
def fee(amount):
    return amount + 1
"""
CALLER = """from agents.tabular.fees import fee
from agents.compute.kernels import kernel


@kernel
def price(amount):
    return 10 * fee(amount)
"""
ASK = """
from agents.rules.prices import price
print(price(3), sum(price.stats.cache_hits.values()), price.stats.cache_path)
"""


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    """A package with what compiles kernels, and two of them in two files."""
    files = {
        "__init__.py": "",
        "tabular/__init__.py": "",
        "rules/__init__.py": "",
        "compute/__init__.py": "",
        "compute/kernels.py": Path(kernels.__file__).read_text(encoding="utf-8"),
        "compute/paths.py": (ROOT / "agents/compute/paths.py").read_text(encoding="utf-8"),
        "tabular/fees.py": SHARED,
        "rules/prices.py": CALLER,
        "rules/other.py": "",
    }
    for name, text in files.items():
        path = tmp_path / "agents" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path / "agents"


def ask(sources: Path, **environment: str) -> tuple[int, int, Path]:
    """The price of 3, how often it was found compiled, and where it is kept: a new process."""
    done = subprocess.run(
        [sys.executable, "-c", ASK],
        check=True,
        capture_output=True,
        text=True,
        timeout=300,
        cwd=sources.parent,
        env={**os.environ, "PYTHONPATH": str(sources.parent), **environment},
    )
    price, hits, path = done.stdout.split()
    return int(price), int(hits), Path(path)


@pytest.mark.soak
def test_an_edit_to_what_kernels_share_is_seen_in_another_file_and_no_other_edit(
    sources: Path,
) -> None:
    before = ask(sources)[:2]
    (sources / "rules" / "other.py").write_text("ANSWER = 42\n", encoding="utf-8")
    again = ask(sources)[:2]
    (sources / "tabular" / "fees.py").write_text(SHARED.replace("+ 1", "+ 2"), encoding="utf-8")
    assert (before, again, ask(sources)[:2]) == ((40, 0), (40, 1), (50, 0))


WITH_KERNELS = [
    path
    for path in sorted(ROOT.glob("agents/**/*.py"))
    if any(mark in path.read_bytes() for mark in kernels.MARKS)
]


def read_by_kernels(source: str) -> set[str]:
    """The modules from which a kernel of this source takes a function or a constant."""
    tree = ast.parse(source)
    origin = {
        alias.asname or alias.name: node.module or ""
        for node in tree.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    return {
        origin[name.id]
        for node in tree.body
        if isinstance(node, ast.FunctionDef)
        and any(ast.unparse(each) in ("kernel", "inner", "inlined") for each in node.decorator_list)
        for statement in node.body
        for name in ast.walk(statement)
        if isinstance(name, ast.Name) and name.id in origin
    }


def test_what_a_kernel_reads_is_found() -> None:
    source = """from agents.formats import counted
from agents.tabular.graph import Edges, after
@kernel
def best(board: Edges):
    return after(board)
def told():
    return counted(1)
"""
    assert read_by_kernels(source) == {"agents.tabular.graph"}


@pytest.mark.parametrize("path", WITH_KERNELS, ids=lambda path: path.stem)
def test_what_a_kernel_reads_stands_where_an_edit_is_seen(path: Path) -> None:
    names = {name for name in read_by_kernels(path.read_text("utf-8")) if name[:7] == "agents."}
    sources = {name: ROOT.joinpath(*name.split(".")).with_suffix(".py") for name in names}
    unseen = {
        name
        for name, source in sources.items()
        if source not in WITH_KERNELS
        and not str(source).startswith(kernels.SHARED, len(str(kernels.SOURCES)))
    }
    assert unseen == set()


@pytest.mark.slow
def test_they_are_kept_beside_their_sources_unless_numba_is_told_otherwise(
    sources: Path, tmp_path: Path
) -> None:
    chosen = tmp_path / "chosen"
    assert ask(sources)[2].is_relative_to(sources / "__pycache__")
    assert ask(sources, NUMBA_CACHE_DIR=str(chosen))[2].is_relative_to(chosen)


@pytest.mark.soak
def test_where_sources_cannot_be_written_to_they_are_kept_among_the_users_caches(
    sources: Path, tmp_path: Path
) -> None:
    (sources / "__pycache__").write_text("in the way")  # root may write to what is read-only
    home = tmp_path / "caches"
    environment = {"XDG_CACHE_HOME": str(home), "PYTHONDONTWRITEBYTECODE": "1"}
    first, second = (ask(sources, **environment) for _ in range(2))
    assert first[2].is_relative_to(home / "zermelo")
    assert (first[:2], second[:2]) == ((40, 0), (40, 1))


@pytest.mark.slow
def test_where_nothing_can_be_written_they_work_all_the_same(sources: Path) -> None:
    (sources / "__pycache__").write_text("in the way")
    (sources / "file").write_text("in the way")
    environment = {"XDG_CACHE_HOME": str(sources / "file"), "PYTHONDONTWRITEBYTECODE": "1"}
    assert ask(sources, **environment) == (40, 0, Path("None"))


def test_the_kernels_of_others_are_kept_where_they_were() -> None:
    before = numba.config.CACHE_DIR
    kernels.kernel(lambda: 1)
    assert before == numba.config.CACHE_DIR


def test_only_the_directories_used_last_are_left(tmp_path: Path) -> None:
    places = [tmp_path / f"kernels-{number}" for number in range(6)]
    [place.mkdir() for place in places]
    [os.utime(place, (number, number)) for number, place in enumerate(places)]
    (tmp_path / "something-else").mkdir()
    kernels.remove_old(tmp_path, kept=2)
    assert {place.name for place in tmp_path.iterdir()} == {
        "kernels-4",
        "kernels-5",
        "something-else",
    }
