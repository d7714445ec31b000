"""Stands for libraries that are not installed here, so that a player that only names them plays.

Progress bars, plots and networks are imported by many players that never use them in a game.
"""

from __future__ import annotations

import ast
import sys
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, Callable, Iterator, Optional, Set, Tuple, TypeVar

PROGRESS_BARS = {"tqdm", "trange", "tqdm_notebook"}  # of the library tqdm
CALLS = ("call", "getitem", "setitem", "enter", "exit")  # allowed while a file is read
USES = (
    *("float", "index", "int", "iter", "len", "contains", "neg"),
    *("add", "radd", "sub", "rsub", "mul", "rmul", "truediv", "rtruediv"),
    *("eq", "ne", "lt", "le", "gt", "ge"),
)

T = TypeVar("T")


class Missing:
    """Stands for what could not be imported; using it raises the ImportError."""

    reading = False  # whether a file is being read, whose calls then give nothing of use

    def __init__(self, error: ImportError) -> None:
        self._error = error

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def _call(self, *_: Any, **__: Any) -> Any:
        if Missing.reading:
            return self
        raise self._error

    def _use(self, *_: Any) -> Any:
        raise self._error

    def __bool__(self) -> bool:
        if Missing.reading:
            return False
        raise self._error

    def __mro_entries__(self, _: Any) -> Tuple[type, ...]:
        return ()  # a class of networks is defined, and fails when it is used

    def __or__(self, _: Any) -> Any:
        return self  # in an annotation

    __ror__ = __or__
    __hash__ = object.__hash__


for names, method in ((CALLS, Missing._call), (USES, Missing._use)):
    for each in names:
        setattr(Missing, "__{}__".format(each), method)


class ProgressBar:
    """tqdm, as far as it gives what it is given."""

    def __init__(self, iterable: Any = (), *_: Any, **__: Any) -> None:
        self._iterable = iterable

    def __iter__(self) -> Iterator[Any]:
        return iter(self._iterable)

    def __len__(self) -> int:
        return len(self._iterable)

    def __enter__(self) -> ProgressBar:
        return self

    def __exit__(self, *_: Any) -> None:
        return None

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return _nothing


def progress_range(*bounds: int, **_: Any) -> ProgressBar:
    """tqdm's trange."""
    return ProgressBar(range(*bounds))


class StandIn(ModuleType):
    """A module whose every name can be imported."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.__path__: Any = []  # so that it has modules of its own

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return _named(self.__name__, name)


class StandInFinder:
    """Asked last of all: finds modules of the libraries that are known to be missing."""

    def __init__(self) -> None:
        self.missing: Set[str] = set()

    def find_spec(self, name: str, *_: Any) -> Optional[ModuleSpec]:
        known = name.partition(".")[0] in self.missing
        return ModuleSpec(name, self, is_package=True) if known else None  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return StandIn(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Nothing is run."""


def load_without(load: Callable[[], T], forget: Callable[[], None]) -> T:
    """What `load` gives, with stand-ins for the libraries that it misses, one after another.

    `forget` unloads the player's modules before it is loaded again. Where that does not help, the
    first import that failed is raised.
    """
    finder = StandInFinder()
    sys.meta_path.append(finder)
    first: Optional[ImportError] = None
    while True:
        Missing.reading = True
        try:
            return load()
        except ImportError as error:
            name = (error.name or "").partition(".")[0]
            first = first or error
            missing = isinstance(error, ModuleNotFoundError) and name not in ("", "game", "numpy")
            if not missing or name in finder.missing:
                sys.meta_path.remove(finder)
                raise first from None
            print("{}: it plays without, as long as it does not use it.".format(error))
        finally:
            Missing.reading = False
        finder.missing.add(name)
        forget()


def stand_in(statement: ast.stmt, alias: ast.alias, error: ImportError) -> Any:
    """What stands for one name of an import that failed."""
    if isinstance(error, ModuleNotFoundError) and error.name:
        library = error.name.partition(".")[0]
        whole = isinstance(statement, ast.Import)
        return StandIn(library) if whole else _named(library, alias.name)
    return Missing(error)


def _named(module: str, name: str) -> Any:
    """A name of a module that is missing."""
    library = module.partition(".")[0]
    if library == "tqdm" and name in PROGRESS_BARS:
        return progress_range if name == "trange" else ProgressBar
    return Missing(ModuleNotFoundError("No module named {!r}".format(library), name=library))


def _nothing(*_: Any, **__: Any) -> None:
    """What a method of a progress bar does."""
