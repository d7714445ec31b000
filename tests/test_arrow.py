"""The arrow engine ← agents ← webapp, and the rooms on each floor, read off the imports."""

import ast
import sys
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FLOORS = {
    "engine": {"engine"},
    "agents": {"engine", "agents"},
    "webapp": {"engine", "agents", "webapp"},
}
# The engine also does without a clock and without chance.
BARRED = {"random", "time", "secrets", "datetime"}
WEB = {"flask", "jinja2", "sqlalchemy", "alembic", "waitress", "werkzeug", "click"}

TECHNIQUES = {"rules", "perfect", "search", "learning", "evolution", "optimisers"}
# A technique may play with another: what it then asks is an agent, whole.
PLAYS_WITH = {
    ("agents.evolution.es_mix", "agents.rules.baselines"),
    ("agents.evolution.es_mix", "agents.rules.nim_expert"),
    ("agents.evolution.es_mix", "agents.rules.baselines"),
    ("agents.evolution.quixo_evolved", "agents.search.alphabeta"),
    ("agents.evolution.roster", "agents.search.alphabeta"),
}
SHELVES = {
    "web",
    "storage",
    "serving",
    "thinking",
    "boards",
    "exhibits",
    "charts",
    "jobs",
    "questions",
}
ROOMS = {"play", "lobby", "guide", "machines", "lab", "optimise", "learn", "classroom"}
# Whoever shows or begins a match does so through these parts of the room that owns it.
DOORS = {
    ("lobby", "webapp.replays.models"),
    ("lobby", "webapp.replays.seats"),
    ("lobby", "webapp.matches.changes"),
    ("machines", "webapp.replays.models"),
    ("machines", "webapp.matches.changes"),
    ("lab", "webapp.replays.models"),
    ("lab", "webapp.matches.changes"),
    ("lab", "webapp.matches.replays"),
    ("classroom", "webapp.replays.models"),
    ("classroom", "webapp.matches.rules"),
    ("classroom", "webapp.replays.review"),
    ("classroom", "webapp.replays.ply_view"),  # what a story is told of
    ("classroom", "webapp.replays.query"),
    ("classroom", "webapp.lab.arena.forms"),
    ("classroom", "webapp.lab.arena.page"),
    ("classroom", "webapp.lab.arena.page"),
}


@cache
def imported_modules(source: str) -> frozenset[str]:
    """Every module that a source imports, wherever in it."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            module = node.module or ""
            names |= {_module(module, alias.name) for alias in node.names}
    return frozenset(names)


def _module(package: str, name: str) -> str:
    """`from a.b import c` is of the module a.b.c where there is one, else of a.b."""
    path = ROOT.joinpath(*package.split("."), name)
    return f"{package}.{name}" if path.with_suffix(".py").exists() or path.is_dir() else package


def room_of(module: str) -> str:
    """The second part of a module's name, where that is a package."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 and ROOT.joinpath(*parts[:2]).is_dir() else ""


def against_the_arrow(module: str, source: str) -> set[str]:
    """What a module imports and may not."""
    floor, room = module.partition(".")[0], room_of(module)
    names = imported_modules(source)
    tops = {name.partition(".")[0] for name in names}
    wrong = (tops & set(FLOORS)) - FLOORS[floor]
    if floor == "engine":
        wrong |= {top for top in tops if top not in sys.stdlib_module_names} - {"engine"}
        wrong |= tops & BARRED
    if floor == "agents":
        wrong |= tops & WEB
    inside = {name for name in names if name.partition(".")[0] == floor}
    return wrong | {name for name in inside if not _may(floor, room, module, name)}


def _may(floor: str, room: str, module: str, name: str) -> bool:
    other = room_of(name)
    if other == room:
        return True
    if floor == "engine" and other == "problems":
        # Games know nothing of problems; the door of the floor shows both.
        return module == "engine"
    if floor == "agents" and other in TECHNIQUES:
        # The shelves of agents know no technique; the roster gathers them all.
        return room == "" or (room in TECHNIQUES and (module, name) in PLAYS_WITH)
    if floor == "webapp" and other in ROOMS:
        # The factory, the services and the command line put the rooms together.
        return room == "" or (room, name) in DOORS
    return not (floor == "webapp" and other == "commands" and room != "")


MODULES = [path for floor in FLOORS for path in sorted((ROOT / floor).rglob("*.py"))]


def name_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def test_every_module_imports_only_along_the_arrow() -> None:
    found = {
        name_of(path): against_the_arrow(name_of(path), path.read_text(encoding="utf-8"))
        for path in MODULES
    }
    assert {module: names for module, names in found.items() if names} == {}


@pytest.mark.parametrize("floor", ["engine", "agents", "webapp"])
def test_every_room_is_a_shelf_a_technique_or_a_room(floor: str) -> None:
    known = {"problems"}
    if floor == "agents":
        known = TECHNIQUES | {"arrays", "training", "contest", "compute", "brains_shipped"}
    if floor == "webapp":
        known = SHELVES | ROOMS | {"commands"}
    found = {room_of(name_of(path)) for path in (ROOT / floor).rglob("*.py")}
    assert found - {""} == known


def test_every_exception_is_used() -> None:
    edges = {
        (name_of(path), name)
        for path in MODULES
        for name in imported_modules(path.read_text(encoding="utf-8"))
    }
    rooms = {(room_of(module), name) for module, name in edges}
    assert edges >= PLAYS_WITH
    assert rooms >= DOORS


def test_a_class_has_a_name_of_its_own() -> None:
    names = [
        node.name
        for path in MODULES
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ClassDef)
    ]
    assert sorted(names) == sorted(set(names))


@pytest.mark.parametrize(
    ("module", "source", "wrong"),
    [
        ("engine.core", "import agents.core", {"agents"}),
        ("engine.core", "from webapp import cli", {"webapp"}),
        ("engine.core", "import numpy as np", {"numpy"}),
        ("engine.core", "def f():\n    from random import Random", {"random"}),
        ("engine.match", "from engine.core import Seat\nimport functools", set()),
        ("engine.catalog", "from engine.problems import catalog", {"engine.problems.catalog"}),
        ("engine.problems.catalog", "from engine.catalog import KEY", set()),
        ("engine.problems.rng", "import random", {"random"}),
        ("agents.core", "from webapp.matches.store import Store", {"webapp"}),
        ("agents.core", "import flask", {"flask"}),
        ("agents.core", "import numpy\nfrom engine import Match", set()),
        ("agents.rules.baselines", "from agents.search import mcts", {"agents.search.mcts"}),
        ("agents.tabular.tables", "import agents.rules.baselines", {"agents.rules.baselines"}),
        ("agents.search.mcts", "import agents.optimisers.runs", {"agents.optimisers.runs"}),
        ("agents.optimisers.runs", "from agents.search import mcts", {"agents.search.mcts"}),
        ("agents.contest.arena", "import agents.optimisers.runs", {"agents.optimisers.runs"}),
        ("agents.evolution.es_mix", "from agents.rules.nim_expert import NimExpert", set()),
        ("webapp.app", "from agents import load_agent\nimport flask", set()),
        ("webapp.matches.store", "from webapp.lobby import setup", {"webapp.lobby.forms"}),
        ("webapp.web.htmx", "import webapp.replays.models", {"webapp.replays.models"}),
        ("webapp.lobby.forms", "from webapp.replays.models import PERSON", set()),
    ],
)
def test_an_import_against_the_arrow_is_found(module: str, source: str, wrong: set[str]) -> None:
    assert against_the_arrow(module, source) == wrong
