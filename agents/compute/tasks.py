"""A task done in some process: its result, or what it raised, packed for whoever asked."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

LONGEST = 500  # letters of an error that does not cross


def done(function: Callable[..., Any], arguments: tuple[Any, ...]) -> bytes:
    """(False, result) or (True, error), pickled."""
    try:
        return pickle.dumps((False, function(*arguments)))
    except Exception as error:  # noqa: BLE001 - whatever a task raises is its result
        return failed(error)


def failed(error: Exception) -> bytes:
    """(True, error), pickled; one that could not be read back as what it is told as."""
    try:
        packed = pickle.dumps((True, error))
        pickle.loads(packed)  # noqa: S301 - our own
    except Exception:  # noqa: BLE001 - some errors are made of what cannot cross
        packed = pickle.dumps((True, RuntimeError(repr(error)[:LONGEST])))
    return packed
