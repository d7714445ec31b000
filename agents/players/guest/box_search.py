"""A student's search in its own process: a function of the course's black-box problem.

The box stays in the parent: every call of the problem is a question to it, so that calls are
counted where nobody can miscount them.
"""

from __future__ import annotations

import inspect
import json
import os
import random
import sys
import traceback
from multiprocessing.connection import Connection
from types import ModuleType
from typing import Any, Dict, List, Optional

from .constructor import parse_arguments
from .errors import UnplayableError
from .source import Definitions, import_file, top_level_names

PROBLEMS = {"problem", "fitness", "box", "f", "fn", "func", "fit", "prob", "p"}
LIBRARY = "lab9_lib"  # where the course's files import make_problem from
SEARCH = "search"  # the function that is taken without a name


class Problem:
    """The black box as the course's code sees it: call it with a genome, and it counts."""

    def __init__(self, channel: Connection, bits: int, groups: int) -> None:
        self._channel = channel
        self._bits = bits
        self._calls = 0
        self.x = groups

    @property
    def calls(self) -> int:
        return self._calls

    def __call__(self, genome: Any) -> float:
        """The value of a sequence of bits."""
        if len(genome) != self._bits:
            raise ValueError("the box takes {} bits, not {}".format(self._bits, len(genome)))
        self._calls += 1
        bits = "".join("1" if gene else "0" for gene in genome)
        self._channel.send_bytes("{:x}".format(int(bits, 2)).encode())
        return float(self._channel.recv_bytes())


def main() -> None:
    """Read what is to be run, run it, and say how it ended."""
    channel = Connection(os.dup(0))
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    request = json.loads(channel.recv_bytes())
    end: Dict[str, Any] = {"end": True}
    try:
        _run(request, channel)
    except EOFError:  # the parent has heard enough
        return
    except BaseException as error:  # whatever it raises is its author's to read
        traceback.print_exc()
        end = {"error": "{}: {}".format(type(error).__name__, error), "place": _place(error)}
    sys.stdout.flush()
    channel.send_bytes(json.dumps(end).encode())


def _run(request: Any, channel: Connection) -> None:
    path, name, args = request["path"], request["name"], request["args"]
    if not os.path.isfile(path) or not path.endswith((".py", ".ipynb")):
        raise UnplayableError("{} is no Python file and no notebook".format(path))
    os.chdir(os.path.dirname(path))
    random.seed(request["seed"])
    try:
        import numpy
    except ImportError:
        pass
    else:
        numpy.random.seed(request["seed"])
    problem = Problem(channel, request["bits"], request["groups"])
    library = ModuleType(LIBRARY)
    library.make_problem = lambda a: problem  # type: ignore[attr-defined]
    sys.modules.setdefault(LIBRARY, library)
    definitions: Optional[Definitions] = None
    if path.endswith(".py") and SEARCH in top_level_names(path):
        module = import_file(path)
    else:
        definitions = Definitions(path, {"make_problem": library.make_problem})
        module = definitions.module
    name = name or _only_search(module)
    if definitions is not None:
        definitions.complete(name)
    search = getattr(module, name, None)
    if not callable(search):
        raise UnplayableError("there is no function {}".format(name))
    told, named = parse_arguments(args, 0) if args is not None else ([], {})
    search(problem, *told, **named)


def _only_search(module: ModuleType) -> str:
    """`search`, or the only function whose one required argument is the problem."""
    if callable(getattr(module, SEARCH, None)):
        return SEARCH
    found: List[str] = []
    for name, value in vars(module).items():
        if inspect.isfunction(value) and value.__module__ == module.__name__:
            parameters = list(inspect.signature(value).parameters.values())
            required = [each.name for each in parameters if each.default is each.empty]
            if len(required) == 1 and required[0] == parameters[0].name and required[0] in PROBLEMS:
                found.append(name)
    if len(found) == 1:
        return found[0]
    if not found:
        raise UnplayableError("there is no search(problem)")
    raise UnplayableError("say which of {} searches".format(", ".join(found)))


def _place(error: BaseException) -> str:
    """The last line of the error that is not ours: `search.py line 3`."""
    here = os.path.dirname(os.path.abspath(__file__))
    frames = traceback.extract_tb(error.__traceback__)
    own = [each for each in frames if os.path.dirname(each.filename) != here]
    if not own:
        return ""
    return "{} line {}".format(os.path.basename(own[-1].filename), own[-1].lineno)
