"""Chomp, as docs/adding-a-game.md writes it: its blocks as files, installed where a test wants."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import invalidate_caches
from pathlib import Path

from agents.perfect.oracles import _solve
from agents.tabular.graph import graph_of
from agents.tabular.tables import _tabulate
from engine.catalog import catalog, load_game, variant_title
from engine.transcript import _replay

ROOT = Path(__file__).parents[1]
DOC = ROOT / "docs" / "adding-a-game.md"


def files() -> dict[str, str]:
    """The named blocks of the document, by the name above each."""
    found = re.findall(
        r"^`([^`\n]+)`\n\n```\w+\n(.*?)^```", DOC.read_text("utf-8"), re.MULTILINE | re.DOTALL
    )
    return dict(found)


def install(source: Path, target: Path, without: tuple[str, ...] = ()) -> Path:
    """Install the package into the target, or what is left of it without some of its files."""
    for name, text in files().items():
        if name not in without:
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            (source / name).write_text(text, encoding="utf-8")
    command = ["-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run(
        [sys.executable, *command, "--target", str(target), str(source)], check=True, timeout=300
    )
    return target


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
    info = target / "bare-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: bare\nVersion: 1.0\n", "utf-8")
    (info / "entry_points.txt").write_text("[zermelo.games]\nbare = bare:BARE\n", "utf-8")


@contextmanager
def importable(target: Path) -> Iterator[None]:
    """This process has what is installed there too, until the block ends."""
    sys.path.insert(0, str(target))
    _forget()
    try:
        yield
    finally:
        sys.path.remove(str(target))
        for name in ("chomp", "bare"):
            sys.modules.pop(name, None)
        _forget()


def _forget() -> None:
    """What was worked out of its classes, which are others when it is imported again."""
    invalidate_caches()
    for known in (catalog, load_game, variant_title, _tabulate, _solve, graph_of, _replay):
        known.cache_clear()
