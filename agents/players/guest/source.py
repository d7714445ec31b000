"""A player's file as a module: imported as it is, or only its definitions.

A course's notebooks, and some of its files, train, play and draw as they are run. Of those only
imports, definitions and simple assignments are run, then the assignments that the player needs.
"""

from __future__ import annotations

import ast
import builtins
import importlib
import importlib.util
import json
import linecache
import os
import sys
from importlib.util import decode_source
from types import ModuleType
from typing import Any, Callable, Collection, Dict, List, Set

from .stand_ins import stand_in

MODULE = "player"  # the name of a file's module where its own is taken
# Calls that make a type or an empty container, so that an assignment with them is simple.
SIMPLE_CALLS = {
    *("namedtuple", "NamedTuple", "NewType", "TypeVar", "Enum", "IntEnum"),
    *("dict", "list", "set", "tuple", "frozenset", "range", "float", "int", "str", "bool"),
    *("defaultdict", "deque", "Counter", "OrderedDict", "getLogger", "Path", "Random", "len"),
}
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)


def import_file(path: str) -> ModuleType:
    """The module of a file, with the file's directory first on the path, as if it were run."""
    name = _prepare(path)
    tree = ast.parse(_text(path), path)
    if any(isinstance(node, ast.ImportFrom) and node.level for node in ast.walk(tree)):
        package = os.path.basename(os.path.dirname(os.path.abspath(path)))
        return importlib.import_module("{}.{}".format(package, name))
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    _register(module)
    spec.loader.exec_module(module)
    return module


class Cell:
    """The statements of a file or of one cell of a notebook, to be run one by one."""

    def __init__(self, name: str, source: str) -> None:
        self.name = name
        self.statements = ast.parse(source, name).body
        # By this tracebacks show the lines of a cell, which is no file.
        lines = [line + "\n" for line in source.split("\n")]
        linecache.cache[name] = (len(source), None, lines, name)

    def run(self, statement: ast.stmt, module: ModuleType) -> bool:
        """Run a statement; one that fails is left out, and said to be."""
        try:
            self._run(statement, module)
        except Exception as error:
            place = "{} line {}".format(os.path.basename(self.name), statement.lineno)
            print("{} is left out: {}: {}".format(place, type(error).__name__, error))
            return False
        return True

    def run_import(self, statement: Any, module: ModuleType, imports: Dict[str, Any]) -> None:
        """Run an import; what is missing is replaced, or raises when it is used."""
        try:
            self._run(statement, module)
        except ImportError as error:
            print("{}: {}".format(os.path.basename(self.name), error))
            for alias in statement.names:
                name = (alias.asname or alias.name).partition(".")[0]
                setattr(module, name, imports.get(alias.name) or stand_in(statement, alias, error))

    def _run(self, statement: ast.stmt, module: ModuleType) -> None:
        tree = ast.Module(body=[statement], type_ignores=[])
        exec(compile(tree, self.name, "exec"), vars(module))


class Definitions:
    """A notebook's or a file's imports, definitions and simple assignments, as a module."""

    def __init__(self, path: str, imports: Dict[str, Any]) -> None:
        """`imports` replace what cannot be imported."""
        self.path = path
        self.cells = read_cells(path)
        self.statements = [each for cell in self.cells for each in cell.statements]
        self.module = ModuleType(_prepare(path))
        self.module.__file__ = path
        self.done: Set[ast.stmt] = set()
        _register(self.module)
        for cell in self.cells:
            for statement in cell.statements:
                if isinstance(statement, (ast.Import, ast.ImportFrom)):
                    cell.run_import(statement, self.module, imports)
                elif _is_definition(statement) and cell.run(statement, self.module):
                    self.done.add(statement)

    def complete(self, name: str) -> None:
        """Run the assignments left out so far that the definition of this name needs."""
        needed = {name}
        waiting = [name]
        while waiting:
            word = waiting.pop()
            for statement in self.statements:
                if word in _bound(statement):
                    waiting += _globals_read(statement) - needed
                    needed |= _globals_read(statement)
        for cell in self.cells:
            for statement in cell.statements:
                assigns = isinstance(statement, (ast.Assign, ast.AnnAssign))
                if assigns and _bound(statement) & needed and statement not in self.done:
                    cell.run(statement, self.module)


def top_level_names(path: str) -> Set[str]:
    """What a file defines or imports by name, found without running it."""
    found: Set[str] = set()
    for cell in read_cells(path):
        for statement in cell.statements:
            found |= _bound(statement)
    return found


def forget_modules(directory: str, known: Collection[str]) -> None:
    """Unload the modules of a directory but those that are known, to import them anew."""
    inside = os.path.join(os.path.abspath(directory), "")
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        own = file and os.path.abspath(file).startswith(inside) and "site-packages" not in file
        if own and name not in known:
            del sys.modules[name]


def _prepare(path: str) -> str:
    """Put the file's directory first and its parent last on the path; the module's name."""
    directory = os.path.dirname(os.path.abspath(path))
    if directory not in sys.path:
        sys.path.insert(0, directory)
    if os.path.dirname(directory) not in sys.path:
        sys.path.append(os.path.dirname(directory))
    name = os.path.splitext(os.path.basename(path))[0]
    taken = name in sys.modules and getattr(sys.modules[name], "__file__", "") != path
    return MODULE if taken or not name.isidentifier() else name


def _register(module: ModuleType) -> None:
    """Make it importable, also as `__main__`, by which pickles of its classes know it."""
    sys.modules[module.__name__] = module
    sys.modules["__main__"] = module


def _text(path: str) -> str:
    """Raises SyntaxError for what is in another encoding than it says."""
    with open(path, "rb") as file:
        data = file.read()
    try:
        return data.decode("utf-8-sig") if path.endswith(".ipynb") else decode_source(data)
    except (UnicodeDecodeError, SyntaxError) as error:
        line = data.count(b"\n", 0, getattr(error, "start", 0)) + 1
        why = "its encoding is not the one it names, or UTF-8"
        raise SyntaxError(why, (path, line, None, None)) from None


def read_cells(path: str, tell: Callable[[str], None] = print) -> List[Cell]:
    """A file, or the code cells of a notebook that can be read, counted from 1."""
    if not path.endswith(".ipynb"):
        return [Cell(path, _text(path))]
    sources = _code_of_notebook(path)
    found: List[Cell] = []
    for number, source in enumerate(sources, 1):
        try:
            found.append(Cell("{} cell {}".format(path, number), _without_magics(source)))
        except SyntaxError as error:
            place = "{} cell {}".format(os.path.basename(path), number)
            tell("{} is left out: {}".format(place, error.msg))
    return found


def _code_of_notebook(path: str) -> List[str]:
    """The sources of its code cells; raises SyntaxError for what is no notebook."""
    try:
        cells = json.loads(_text(path)).get("cells", [])
        return ["".join(each.get("source", "")) for each in cells if each["cell_type"] == "code"]
    except (ValueError, AttributeError, KeyError, TypeError) as error:
        line = getattr(error, "lineno", 1)
        raise SyntaxError("it is no notebook", (path, line, None, None)) from None


def _without_magics(source: str) -> str:
    """The source with lines such as `%matplotlib inline` and `!pip install` blanked."""
    lines = source.split("\n")
    if lines[0].startswith("%%") and lines[0].split()[0] not in ("%%time", "%%timeit", "%%capture"):
        return "\n" * (len(lines) - 1)
    return "\n".join("" if line.lstrip()[:1] in ("%", "!", "?") else line for line in lines)


def _is_definition(statement: ast.stmt) -> bool:
    """Whether running it defines something and does nothing else to speak of."""
    if isinstance(statement, DEFINITIONS):
        return True
    if isinstance(statement, (ast.Assign, ast.AnnAssign)):
        return statement.value is None or _is_simple(statement.value)
    if isinstance(statement, ast.Try):
        return all(_is_definition(each) for each in statement.body)
    return False


def _is_simple(value: ast.expr) -> bool:
    """Whether an expression calls nothing but what makes types and containers."""
    for node in ast.walk(value):
        if isinstance(node, ast.Call):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else None
            called = node.func.id if isinstance(node.func, ast.Name) else called
            if called not in SIMPLE_CALLS:
                return False
        if isinstance(node, (ast.Await, ast.Yield, ast.YieldFrom)):
            return False
    return True


def _bound(statement: ast.stmt) -> Set[str]:
    """The names that a statement defines, imports or assigns."""
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return {statement.name}
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        return {(each.asname or each.name).partition(".")[0] for each in statement.names}
    if isinstance(statement, ast.Assign):
        targets: List[ast.expr] = statement.targets
    elif isinstance(statement, ast.AnnAssign):
        targets = [statement.target]
    elif isinstance(statement, ast.Try):
        return set().union(*(_bound(each) for each in statement.body))
    else:
        targets = []
    return {
        node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name)
    }


def _globals_read(statement: ast.stmt) -> Set[str]:
    """The names read within a statement that are not its own: locals and built-in ones."""
    names = [node for node in ast.walk(statement) if isinstance(node, ast.Name)]
    read = {node.id for node in names if isinstance(node.ctx, ast.Load)}
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
        shared = {
            name
            for node in ast.walk(statement)
            if isinstance(node, ast.Global)
            for name in node.names
        }
        stored = {node.id for node in names if not isinstance(node.ctx, ast.Load)}
        taken = {node.arg for node in ast.walk(statement) if isinstance(node, ast.arg)}
        read -= (stored | taken) - shared
    return {name for name in read if not hasattr(builtins, name)}
