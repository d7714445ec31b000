"""Stored figures of all lessons, computed by `python -m webapp.learn.computation`.

They ship as `figures.json`, so that no page waits for one; a test computes each again.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any

from webapp.learn.parser import UnknownFigureError

FILE = "figures.json"


@cache
def stored() -> dict[str, Any]:
    """Every figure by its name."""
    return dict(json.loads((files("webapp.learn") / FILE).read_text(encoding="utf-8")))


def told(spec: str) -> Any:
    """The figure of that name; raises UnknownFigureError if it is not stored."""
    try:
        return stored()[spec]
    except KeyError:
        why = "it was not computed yet: run `python -m webapp.learn.computation`"
        raise UnknownFigureError(spec, why) from None
