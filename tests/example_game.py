"""Chomp, as docs/adding-a-game.md writes it, where a test wants it."""

from __future__ import annotations

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
from tests.documented import register, write
from webapp.boards.plugins import _package_folder

PAGE = "adding-a-game.md"


def unpack(target: Path) -> Path:
    """What an installer would leave there, without the installer, which takes seconds."""
    write(PAGE, target)
    register(target, "chomp", "zermelo.games", chomp="chomp:CHOMP")
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
    register(target, "bare", "zermelo.games", bare="bare:BARE")


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
