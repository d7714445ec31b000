"""The layers engine ← agents ← webapp and the packages in them, read off every import."""

import ast
import sys
from collections import defaultdict
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from engine.registry import DECLARES
from webapp import app

ROOT = Path(__file__).parent.parent
LAYERS = {
    "engine": {"engine"},
    "agents": {"engine", "agents"},
    "webapp": {"engine", "agents", "webapp"},
}
# The engine also does without a clock and without chance.
BARRED = {"random", "time", "secrets", "datetime"}
WEB = {"flask", "jinja2", "sqlalchemy", "alembic", "waitress", "werkzeug", "click"}
FEATURES = {
    *("lobby", "guide", "matches", "positions", "puzzles", "machines"),
    *("lab", "optimise", "learn", "classroom", "assignments", "bots", "embed"),
}
# Packages whose modules are imported by name, for the entries they declare.
DISCOVERED = {
    "agents.roster": ("rules", "search", "learning", "networks", "evolution", "perfect", "players"),
    "agents.optimisers.roster": ("optimisers.set_cover", "optimisers.black_box"),
}
# Runs in a player's process under another name, in any interpreter from Python 3.8 on.
GUEST = "agents.players.guest"
OPTIONAL_GUEST_IMPORTS = {"numpy", "zermelo_guest"}  # where the player's interpreter has it; itself
# What a feature has for others; a sub-feature's files count as the feature's.
OPEN = {"models", "rules", "store", "game_store"}
# Imports of anything else, each with its reason.
EXCEPTIONS = {
    # A match is begun in one way: counted, stored, the first agent asked, the visitor sent there.
    ("webapp.assignments", "webapp.matches.changes"),
    ("webapp.lab", "webapp.matches.changes"),
    ("webapp.lobby", "webapp.matches.changes"),
    ("webapp.machines", "webapp.matches.changes"),
    ("webapp.positions", "webapp.matches.changes"),
    # Puzzles of a match, and progress that goes with the file of one's games.
    ("webapp.matches", "webapp.puzzles.requests"),
    ("webapp.matches", "webapp.puzzles.forms"),
    # The cup of a class is an arena, and shows its table.
    ("webapp.classroom", "webapp.lab.arena.forms"),
    ("webapp.classroom", "webapp.lab.arena.page"),
    ("webapp.classroom", "webapp.lab.query"),
    # A bot's rating is that of its league's table.
    ("webapp.assignments", "webapp.bots.leagues.table"),
    # The check of an assignment knows which lessons there are.
    ("webapp.commands", "webapp.learn.models"),
}


@cache
def imported_modules(source: str) -> frozenset[str]:
    """Every module that a source imports, wherever in it."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level > 0:
            names.add(GUEST)  # the only package with relative imports, see below
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            names |= {_module(module, alias.name) for alias in node.names}
    return frozenset(names)


def _module(package: str, name: str) -> str:
    """`from a.b import c` is of the module a.b.c where there is one, else of a.b."""
    path = ROOT.joinpath(*package.split("."), name)
    return f"{package}.{name}" if path.with_suffix(".py").exists() or path.is_dir() else package


def package_of(module: str) -> str:
    """The package below the layer, or the module itself where it stands directly in the layer."""
    return ".".join(module.split(".")[:2])


def forbidden_imports(module: str, source: str) -> set[str]:
    """What a module of its layer imports and may not."""
    layer = module.partition(".")[0]
    names = imported_modules(source)
    tops = {name.partition(".")[0] for name in names}
    wrong = (tops & {*LAYERS, "tests", "benchmarks"}) - LAYERS[layer]
    if layer == "engine":
        wrong |= {top for top in tops if top not in sys.stdlib_module_names} - {"engine"}
        wrong |= tops & BARRED
    if layer == "agents":
        wrong |= tops & WEB
    return wrong


def cycles(graph: dict[str, set[str]]) -> set[str]:
    """The nodes that reach themselves."""
    return {node for node in list(graph) if node in _reached(graph, node)}


def _reached(graph: dict[str, set[str]], start: str) -> set[str]:
    found: set[str] = set()
    waiting = list(graph.get(start, ()))
    while waiting:
        node = waiting.pop()
        if node not in found:
            found.add(node)
            waiting += graph.get(node, ())
    return found


def name_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


SOURCES = {
    name_of(path): path.read_text(encoding="utf-8")
    for layer in LAYERS
    for path in sorted((ROOT / layer).rglob("*.py"))
}


def test_every_module_imports_only_from_its_layer_and_those_below() -> None:
    found = {module: forbidden_imports(module, source) for module, source in SOURCES.items()}
    assert {module: names for module, names in found.items() if names} == {}


def test_imports_are_absolute_but_in_the_package_that_runs_under_another_name() -> None:
    relative = {
        module
        for module, source in SOURCES.items()
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.ImportFrom) and node.level > 0
    }
    assert {module for module in relative if not module.startswith(f"{GUEST}.")} == set()


def test_the_guest_needs_the_standard_library_only() -> None:
    for module, source in SOURCES.items():
        if module.startswith(GUEST):
            ast.parse(source, feature_version=(3, 8))
            tops = {name.partition(".")[0] for name in imported_modules(source) - {GUEST}}
            assert tops - set(sys.stdlib_module_names) - OPTIONAL_GUEST_IMPORTS == set(), module


def import_graph(named: Callable[[str], str]) -> dict[str, set[str]]:
    """Who imports whom, lazy and TYPE_CHECKING imports included, under the names given to them."""
    graph: dict[str, set[str]] = defaultdict(set)
    for module, source in SOURCES.items():
        for name in imported_modules(source):
            one, other = named(module), named(name)
            # A layer's own __init__ is its public face: it gathers the packages.
            if (
                one != other
                and other.partition(".")[0] in LAYERS
                and {one, other}.isdisjoint(LAYERS)
            ):
                graph[one].add(other)
    for registry, packages in DISCOVERED.items():
        found = {named(module) for module in SOURCES if module.startswith(_prefixes(packages))}
        graph[named(registry)] |= found - {named(registry)}
    return graph


def _prefixes(packages: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f"agents.{package}." for package in packages)


def test_the_modules_that_declare_entries_are_those_of_the_discovered_packages() -> None:
    declaring = {
        module
        for module, source in SOURCES.items()
        if module.startswith("agents.") and DECLARES.search(source)
    }
    prefixes = tuple(each for packages in DISCOVERED.values() for each in _prefixes(packages))
    assert declaring
    assert {module for module in declaring if not module.startswith(prefixes)} == set()


def test_no_package_imports_one_that_imports_it() -> None:
    assert cycles(import_graph(package_of)) == set()


def test_no_module_imports_one_that_imports_it() -> None:
    assert cycles(import_graph(lambda module: module)) == set()


def feature_imports(module: str, source: str) -> set[tuple[str, str]]:
    """Imports of features by other packages, as (package, module), that are not open to them."""
    package = package_of(module)
    others = {
        name
        for name in imported_modules(source)
        if is_feature(package_of(name)) and package_of(name) != package
    }
    # `from a.b import c` counts as an import of a.b too, for the cycles; here only of a.b.c.
    others -= {package_of(name) for name in others if name != package_of(name)}
    if is_feature(package):
        others = {name for name in others if name.rpartition(".")[2] not in OPEN}
    elif package == "webapp.app":  # puts it all together
        others = set()
    return {(package, name) for name in others}


def is_feature(package: str) -> bool:
    return package.removeprefix("webapp.") in FEATURES


def test_features_are_those_of_the_app() -> None:
    assert set(app.FEATURES) == FEATURES


def test_shared_packages_know_no_feature_and_features_only_what_others_have_for_them() -> None:
    found = {each for module, source in SOURCES.items() for each in feature_imports(module, source)}
    assert found == EXCEPTIONS


@pytest.mark.parametrize(
    ("module", "source", "wrong"),
    [
        ("webapp.jobs.store", "import webapp.lab.routes", {"webapp.lab.routes"}),
        ("webapp.jobs.store", "from webapp.matches import store", {"webapp.matches.store"}),
        ("webapp.commands.play", "import webapp.lab.routes", {"webapp.lab.routes"}),
        ("webapp.lobby.page", "def f():\n    import webapp.lab.page", {"webapp.lab.page"}),
        ("webapp.lobby.page", "from webapp.lab.arena.models import Table", set()),
        ("webapp.lobby.page", "from webapp.matches.store import Store", set()),
        ("webapp.lobby.page", "from webapp.lobby.forms import read", set()),
        ("webapp.app", "from webapp.classroom.store import ClassStore", set()),
    ],
)
def test_an_import_of_a_feature_is_found(module: str, source: str, wrong: set[str]) -> None:
    assert {name for _, name in feature_imports(module, source)} == wrong


@pytest.mark.parametrize(
    ("module", "source", "wrong"),
    [
        ("engine.core", "import agents.core", {"agents"}),
        ("engine.core", "from webapp import cli", {"webapp"}),
        ("engine.core", "import numpy as np", {"numpy"}),
        ("engine.core", "def f():\n    from random import Random", {"random"}),
        ("engine.match", "from engine.core import Seat\nimport functools", set()),
        ("agents.core", "from webapp.matches.store import Store", {"webapp"}),
        ("agents.core", "import flask", {"flask"}),
        ("agents.core", "import numpy\nfrom engine import Match", set()),
        ("webapp.app", "from agents import load_agent\nimport flask", set()),
        ("webapp.app", "from benchmarks import load", {"benchmarks"}),
    ],
)
def test_an_import_from_another_layer_is_found(module: str, source: str, wrong: set[str]) -> None:
    assert forbidden_imports(module, source) == wrong


def test_a_cycle_is_found() -> None:
    assert cycles({"a": {"b"}, "b": {"c"}, "c": {"a", "d"}, "e": {"a"}}) == {"a", "b", "c"}
