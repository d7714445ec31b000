"""What a brain's header tells, read within bounds: every text short and printable, every number
finite, every curve of so many points.

A header may be anybody's, and pages, digests and charts are made of it. Each reader raises
ValueError or TypeError for what no training writes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NoReturn

from engine.core import Options, OptionValue

MAX_HEADER = 16 * 2**20  # bytes: the longest curves that learners of ours come to
MAX_STEPS = 2**40
MAX_SEED = 2**63 - 1
MAX_FIGURE = 1e15  # of what was measured, and of parameters
MAX_POINTS = 100_000
MAX_METRICS = 20  # at one point
MAX_FIGURES = 400_000  # in a whole curve
MAX_PARAMETERS = 60
MAX_NAME = 60  # characters
MAX_TEXT = 400  # characters: specs of games and opponents
MAX_LIST = 100


def parsed(text: bytes) -> Any:
    """The JSON in these bytes; raises ValueError, also for `NaN` and `Infinity`."""
    try:
        return json.loads(text, parse_constant=_no_number)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number")


def text(value: object, longest: int = MAX_TEXT) -> str:
    if not isinstance(value, str):
        raise TypeError("no text")
    if len(value) > longest or not value.isprintable():  # half characters are not printable either
        raise ValueError("a text that is too long, or cannot be shown")
    return value


def name(value: object) -> str:
    if not (told := text(value, MAX_NAME)):
        raise ValueError("a name of no letters")
    return told


def whole(value: object, low: int, high: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError("no whole number")
    if not low <= value <= high:
        raise ValueError(f"not from {low} to {high}")
    return value


def figure(value: object) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise TypeError("no number")
    if not -MAX_FIGURE <= value <= MAX_FIGURE:  # neither is NaN
        raise ValueError("a number that nothing measures")
    return float(value)


def parameters(value: object) -> Options:
    """As options of an agent are."""
    told = _mapping(value, MAX_PARAMETERS)
    return {name(key): _option(each) for key, each in told.items()}


def _option(value: object) -> OptionValue:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return text(value)
    if isinstance(value, list):
        return tuple(whole(each, -MAX_SEED, MAX_SEED) for each in _sequence(value, MAX_LIST))
    if isinstance(value, int):
        return whole(value, -MAX_SEED, MAX_SEED)
    return figure(value)


def curve(value: object) -> list[tuple[int, Mapping[str, float]]]:
    """(step, metrics) of each point, each step later than the one before."""
    points: list[tuple[int, Mapping[str, float]]] = []
    figures, last = 0, -1
    for each in _sequence(value, MAX_POINTS):
        told = _mapping(each, MAX_METRICS + 1)
        last = whole(told["step"], last + 1, MAX_STEPS)
        metrics = {name(key): figure(found) for key, found in told.items() if key != "step"}
        figures += len(metrics)
        if figures > MAX_FIGURES:
            raise ValueError("too many figures")
        points.append((last, metrics))
    return points


def _mapping(value: object, most: int) -> Mapping[object, object]:
    if not isinstance(value, dict):
        raise TypeError("no object")
    if len(value) > most:
        raise ValueError(f"more than {most} entries")
    return value


def _sequence(value: object, most: int) -> list[object]:
    if not isinstance(value, list):
        raise TypeError("no list")
    if len(value) > most:
        raise ValueError(f"more than {most} entries")
    return value
