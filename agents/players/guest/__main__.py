"""The process of one player: reads a start message and turns, writes answers, as lines of JSON.

Run by the parent as `python .../guest/__main__.py REPLIES [DIRECTORY]`, the descriptor of the
replies. Requests come on standard input; before the player's code is loaded they are moved out of
its reach, standard input is empty, and what it prints goes to standard error, its log.
"""

from __future__ import annotations

import faulthandler
import importlib.util
import json
import os
import random
import signal
import sys
import traceback
from itertools import dropwhile
from time import perf_counter
from typing import Any, Dict, Iterator, Tuple

PACKAGE = "zermelo_guest"  # the name of this package here, where it stands alone
HERE = os.path.dirname(os.path.abspath(__file__))
LIBRARY = os.path.dirname(os.__file__)  # whose parser reads a player's file
DUMP_AFTER = 0.5  # of the grace after a turn's seconds
GRACE_S = 1.0  # where a turn does not say it
START_S = 27.0  # to load the player, where a start does not say it
MAX_TRACEBACK_CHARS = 4000
MAX_REASON_CHARS = 1000
MAX_ANSWER_CHARS = 80
MAX_VALUES = 500
LARGEST_SEED = 2**32 - 1  # of numpy


def main() -> None:
    """Answer until the parent closes the channel."""
    requests, replies = _channel(int(sys.argv[1]))
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent's affair
    faulthandler.enable(2)  # a crash in C writes its line into the log
    package = _import_package()
    guest, path = None, ""
    for message in _messages(requests):
        try:
            if message["type"] == "start":
                path = message["path"]
                package.guards.guard(
                    message.get("processes"), (requests.fileno(), replies.fileno())
                )
                guest, reply = _start(package, message)
            else:
                reply = _answer(package, guest, message)
        except BaseException as error:  # whatever a player raises is its answer
            reply = _failure(error, path, guest)
            package.guards.note(reply["traceback"])
            reply["unplayable"] = type(error).__name__ == "UnplayableError"
        _flush()
        replies.write(json.dumps(reply, default=str).encode("ascii", "backslashreplace") + b"\n")
        replies.flush()
        faulthandler.cancel_dump_traceback_later()


def _channel(descriptor: int) -> Tuple[Any, Any]:
    """(requests, replies); neither is inherited by what the player starts."""
    requests = os.fdopen(os.dup(0), "rb")
    os.set_inheritable(requests.fileno(), False)
    os.set_inheritable(descriptor, False)
    empty = os.open(os.devnull, os.O_RDONLY)
    os.dup2(empty, 0)
    os.dup2(2, 1)
    return requests, os.fdopen(descriptor, "wb")


def _import_package() -> Any:
    """This directory as a package under its own name, whatever the player's modules are called."""
    place = os.path.join(HERE, "__init__.py")
    spec = importlib.util.spec_from_file_location(PACKAGE, place, submodule_search_locations=[HERE])
    assert spec is not None
    assert spec.loader is not None
    package = importlib.util.module_from_spec(spec)
    sys.modules[PACKAGE] = package
    spec.loader.exec_module(package)
    if os.path.abspath(sys.path[0] or ".") == HERE:
        del sys.path[0]
    for module in ("guards", "loader", "turn"):
        importlib.import_module(PACKAGE + "." + module)
    return package


def _messages(requests: Any) -> Iterator[Dict[str, Any]]:
    for line in requests:
        yield json.loads(line)


def _start(package: Any, message: Dict[str, Any]) -> Tuple[Any, Dict[str, Any]]:
    begun = perf_counter()
    _dump_after(float(message.get("seconds", START_S)))
    _import_numpy(message["path"])
    _seed(int(message["seed"]))
    guest = package.loader.load(
        message["path"], message.get("name"), message.get("args"), message["game"], message["seat"]
    )
    plays = getattr(guest, "plays", None)
    ready = {
        "ready": True,
        "stateful": bool(guest.stateful),
        "plays": None if plays is None else [str(each) for each in plays],
        "seconds": perf_counter() - begun,
    }
    return guest, ready


def _answer(package: Any, guest: Any, message: Dict[str, Any]) -> Dict[str, Any]:
    _seed(int(message["seed"]))
    turn = package.turn.Turn(message)
    begun = perf_counter()
    _dump_after(turn.seconds + DUMP_AFTER * float(message.get("grace", GRACE_S)))
    answer = guest.choose(turn)
    seconds = perf_counter() - begun
    return dict(_read(answer), seconds=seconds, **_function_place(guest))


def _dump_after(seconds: float) -> None:
    """Write into the log where it hangs, even in C: by a thread that needs no interpreter lock."""
    faulthandler.dump_traceback_later(seconds, file=2)


def _read(answer: Any) -> Dict[str, Any]:
    """A move, (move, values) or (move, values, reason), as JSON values."""
    values, reason = None, None
    if isinstance(answer, (tuple, list)) and 2 <= len(answer) <= 3:
        reason = answer[2] if len(answer) == 3 else None
        answer, values = answer[0], answer[1]
    if not isinstance(answer, str):  # refused, and shown as Python would
        return {"move": None, "answer": repr(answer)[:MAX_ANSWER_CHARS]}
    return {
        "move": str(answer),
        "values": None if values is None else _values(values),
        "reason": None if reason is None else str(reason)[:MAX_REASON_CHARS],
    }


def _values(values: Any) -> Dict[str, float]:
    """Those that are numbers; raises TypeError for what holds none."""
    try:
        pairs = list(dict(values).items())[:MAX_VALUES]
    except (TypeError, ValueError):
        shown = repr(values)[:MAX_ANSWER_CHARS]
        why = "its values are {}: return a dict from moves to numbers".format(shown)
        raise TypeError(why) from None
    return {str(move): _number(value) for move, value in pairs if value is not None}


def _number(value: Any) -> float:
    """NaN, which is shown nowhere, where it is none."""
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return float("nan")


def _seed(seed: int) -> None:
    random.seed(seed)
    numpy: Any = sys.modules.get("numpy")
    if numpy is not None:
        numpy.random.seed(seed % LARGEST_SEED)


def _import_numpy(path: str) -> None:
    """Import numpy before a file that names it, so that it is seeded when the file draws."""
    try:
        with open(path, "rb") as file:
            if b"numpy" in file.read():
                importlib.import_module("numpy")
    except Exception:  # there is none here, or one that does not work: the player will say so
        return


def _failure(error: BaseException, path: str, guest: Any) -> Dict[str, Any]:
    """The error with the deepest line of the player's own file, and the traceback without ours.

    Where nothing of the player's ran, the line is that of its function.
    """
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if os.path.dirname(frame.filename) != HERE]
    own = [frame for frame in own if not frame.filename.startswith("<frozen ")]
    own = list(dropwhile(lambda frame: os.path.dirname(frame.filename) == LIBRARY, own))
    place = _function_place(guest)
    file, line = place.get("file", os.path.basename(path)), place.get("line")
    if own:
        first = [frame for frame in own if frame.filename == own[0].filename][-1]
        file, line = os.path.basename(first.filename), first.lineno
    if isinstance(error, SyntaxError) and error.filename:
        file, line = os.path.basename(error.filename), error.lineno
    try:
        told = "".join(traceback.format_exception_only(type(error), error))
        # of a wrong line its place is told apart
        shown = error.msg if isinstance(error, SyntaxError) else str(error)
        message = " ".join(str(shown).split())
    except Exception:  # an error may fail to say what it is
        told = message = ""
    text = "Traceback (most recent call last):\n" + "".join(traceback.format_list(own[-20:])) + told
    kind = type(error).__name__
    return {
        "error": (kind + ": " + message if message else kind)[:MAX_REASON_CHARS],
        "message": message[:MAX_REASON_CHARS],
        "file": file,
        "line": line,
        "traceback": text[-MAX_TRACEBACK_CHARS:],
    }


def _function_place(guest: Any) -> Dict[str, Any]:
    """File and line of the player's function, which an adapter of ours names as `asked`."""
    function = getattr(guest, "choose", None)
    code = getattr(function, "__code__", None)
    if code is not None and os.path.dirname(code.co_filename) == HERE:
        function = getattr(getattr(function, "__self__", None), "asked", None)
        code = getattr(function, "__code__", None)
    if code is None:
        return {}
    return {"file": os.path.basename(code.co_filename), "line": code.co_firstlineno}


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except Exception:  # the player may have closed or replaced it
            continue


if __name__ == "__main__":
    main()
