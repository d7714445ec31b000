"""The rooms' arrow, engine ← agents ← webapp, read off the imports."""

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ROOMS = {
    "engine": {"engine"},
    "agents": {"engine", "agents"},
    "webapp": {"engine", "agents", "webapp"},
}
# The engine also does without a clock and without chance.
BARRED = {"random", "time", "secrets", "datetime"}
WEB = {"flask", "jinja2", "sqlalchemy", "alembic", "waitress", "werkzeug", "click"}


def imported(source: str) -> set[str]:
    """The top-level names a module imports, wherever in it."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            names.add((node.module or "").partition(".")[0])
    return names


def against_the_arrow(room: str, source: str) -> set[str]:
    """What a module of this room imports and may not."""
    names = imported(source)
    wrong = (names & set(ROOMS)) - ROOMS[room]
    if room == "engine":
        wrong |= {name for name in names if name not in sys.stdlib_module_names} - {"engine"}
        wrong |= names & BARRED
    if room == "agents":
        wrong |= names & WEB
    return wrong


MODULES = [path for room in ROOMS for path in sorted((ROOT / room).rglob("*.py"))]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_module_imports_only_along_the_arrow(path: Path) -> None:
    room = path.relative_to(ROOT).parts[0]
    assert against_the_arrow(room, path.read_text(encoding="utf-8")) == set()


@pytest.mark.parametrize(
    ("room", "source", "wrong"),
    [
        ("engine", "import agents.core", {"agents"}),
        ("engine", "from webapp import cli", {"webapp"}),
        ("engine", "import numpy as np", {"numpy"}),
        ("engine", "def f():\n    from random import Random", {"random"}),
        ("engine", "from engine.core import Seat\nimport functools", set()),
        ("agents", "from webapp.play.store import matches", {"webapp"}),
        ("agents", "import flask", {"flask"}),
        ("agents", "import numpy\nfrom engine import Match", set()),
        ("webapp", "from agents import load_agent\nimport flask", set()),
    ],
)
def test_an_import_against_the_arrow_is_found(room: str, source: str, wrong: set[str]) -> None:
    assert against_the_arrow(room, source) == wrong
