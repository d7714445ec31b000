"""Chomp, as docs/adding-a-game.md writes it: its blocks as files, installed where a test wants."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import invalidate_caches
from pathlib import Path

from agents.contest.strength import strongest_agent
from agents.perfect.oracles import _solve
from agents.tabular.graph import graph_of
from agents.tabular.tables import _tabulate
from engine.catalog import catalog, load_game, variant_title
from engine.transcript import _replay
from webapp.boards.plugins import _package_folder

ROOT = Path(__file__).parents[1]
DOC = ROOT / "docs" / "adding-a-game.md"


def files() -> dict[str, str]:
    """The named blocks of the document, by the name above each."""
    found = re.findall(
        r"^`([^`\n]+)`\n\n```\w+\n(.*?)^```", DOC.read_text("utf-8"), re.MULTILINE | re.DOTALL
    )
    return dict(found)


def install(source: Path, target: Path) -> Path:
    """Install the package into the target, as anyone would."""
    _write(source)
    command = ["-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run(
        [sys.executable, *command, "--target", str(target), str(source)], check=True, timeout=300
    )
    return target


def unpack(target: Path) -> Path:
    """What an installer would leave there, without the installer, which takes seconds."""
    _write(target)
    _register(target, "chomp", "chomp:CHOMP")
    return target


def _write(place: Path) -> None:
    for name, text in files().items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(text, encoding="utf-8")


def _register(target: Path, name: str, points_to: str) -> None:
    info = target / f"{name}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", "utf-8")
    (info / "entry_points.txt").write_text(f"[zermelo.games]\n{name} = {points_to}\n", "utf-8")


# The same game without a board, from a lone module: what the plain board is for.
BARE = """
from dataclasses import replace

from chomp import CHOMP


def make(spec, options):
    return replace(CHOMP.make(spec, options), key="bare", title="Bare")


BARE = replace(CHOMP, key="bare", title="Bare", make=make)
"""


def install_bare(target: Path) -> None:
    """Put it beside Chomp, as an installer would."""
    (target / "bare.py").write_text(BARE, encoding="utf-8")
    _register(target, "bare", "bare:BARE")


@contextmanager
def importable(target: Path) -> Iterator[None]:
    """This process has what is installed there too, until the block ends."""
    sys.path.insert(0, str(target))
    forget()
    try:
        yield
    finally:
        sys.path.remove(str(target))
        for name in ("chomp", "bare"):
            sys.modules.pop(name, None)
        forget()


def forget() -> None:
    """What was worked out of its classes, which are others when it is imported again."""
    invalidate_caches()
    for known in (catalog, load_game, variant_title, _tabulate, _solve, graph_of, _replay):
        known.cache_clear()
    strongest_agent.cache_clear()
    _package_folder.cache_clear()
