"""Measured rows on disk, so that a run can be stopped and goes on where it was.

A row is one JSON file with the fingerprint of what it was measured from: the specs, the sources
that its agents and its game import, and the shipped brains. A row whose fingerprint has changed is
measured again.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from functools import lru_cache
from hashlib import sha256
from math import inf
from pathlib import Path
from time import perf_counter
from typing import Any, TypeVar

from agents.compute.paths import keep
from agents.entry import Entry
from agents.optimisers.entry import SearchEntry
from agents.optimisers.roster import searches
from agents.roster import roster
from agents.training.shipped import SHIPPED_FILES
from webapp.storage.rows import from_json

ROOT = Path(__file__).parent.parent.parent
DEFAULT_ROWS = Path(".results")
MEASURING = (
    "benchmarks.results.figures",
    "benchmarks.results.trials",
    "agents.tabular.exact",
    "engine.match",
)
# Modules that import every agent or every claim: with them each row would hang on all others.
EVERYTHING = {
    "agents.roster",
    "agents.contest.arena",
    "agents.contest.series",
    "agents.optimisers.roster",
    "benchmarks.results.claims",
}

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows in a folder; `again`: measure them all anew."""

    folder: Path
    again: bool = False
    deadline: float = inf  # by the clock of `perf_counter`: no row is begun after it

    def row(self, kind: type[T], name: str, fingerprint: str, measure: Callable[[], T]) -> T | None:
        """The dataclass stored under this name and fingerprint, else what is measured now.

        None where there was no time to begin.
        """
        path = self.folder / f"{sha256(name.encode()).hexdigest()[:16]}.json"
        if not self.again and (found := _read(path, fingerprint)) is not None:
            return from_json(kind, found)
        if perf_counter() >= self.deadline:
            return None
        row = measure()
        document = {"name": name, "fingerprint": fingerprint, "row": asdict(row)}  # type: ignore[call-overload]
        self.folder.mkdir(parents=True, exist_ok=True)
        keep(json.dumps(document, indent=1).encode(), path)
        return row


def _read(path: Path, fingerprint: str) -> dict[str, Any] | None:
    try:
        document = json.loads(path.read_bytes())
        return document["row"] if document["fingerprint"] == fingerprint else None
    except (OSError, ValueError, KeyError, TypeError):  # none yet, or not written by us
        return None


def fingerprint(*texts: object, specs: Iterable[str]) -> str:
    """Of texts, and of what the named agents, searches and games are made of."""
    words = {word for spec in specs for word in re.split(r"[:=,+>]", spec)}
    entries = [entry for entry in (*roster(), *searches()) if entry.key in words]
    modules = {*MEASURING, *map(_home, entries)}
    found = sha256(repr(texts).encode())
    for name in sorted(_imported(frozenset(modules))):
        found.update(_sources()[name].encode())
    for file in sorted(SHIPPED_FILES.iterdir(), key=lambda each: each.name):
        if file.name.partition(".")[0] in words:
            found.update(file.read_bytes())
    return found.hexdigest()


def _home(entry: Entry | SearchEntry) -> str:
    """The module that declares an agent or a search."""
    if isinstance(entry, SearchEntry):
        declared = f'key="{entry.key}"'
        return next(name for name, source in _sources().items() if declared in source)
    learner = getattr(entry.train, "__self__", None)
    return str(entry.make.__module__ if learner is None else type(learner).__module__)


@lru_cache(maxsize=1)
def _sources() -> dict[str, str]:
    """Every module that can be measured or measures, by name."""
    return {
        ".".join(path.relative_to(ROOT).with_suffix("").parts): path.read_text(encoding="utf-8")
        for folder in ("engine", "agents", "benchmarks/results")
        for path in sorted((ROOT / folder).rglob("*.py"))
    }


@lru_cache(maxsize=64)
def _imported(modules: frozenset[str]) -> frozenset[str]:
    """These modules and all of ours that they import, except EVERYTHING."""
    found: set[str] = set()
    waiting = list(modules)
    while waiting:
        name = waiting.pop()
        if name not in found and name in _sources():
            found.add(name)
            waiting += [each for each in _imports(name) if each not in EVERYTHING]
    return frozenset(found)


@lru_cache(maxsize=1024)
def _imports(module: str) -> frozenset[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(_sources()[module])):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return frozenset(names)
