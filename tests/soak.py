"""How long to soak. By hand `make soak` takes full counts; `.ci/run` asks for its short form."""

import os
from collections.abc import Mapping
from typing import Any, TypeVar

import pytest

Count = TypeVar("Count")

SHORT = os.environ.get("SOAK") == "short"


def lessened(full: Count, short: Count) -> Count:
    """The full count, or the lesser one of the short form: what is held is the same."""
    return short if SHORT else full


def sampled(cases: Mapping[str, Any], *now: str) -> list[Any]:
    """Cases by name for `parametrize`: `make test` looks at these, `make soak` at the others."""
    assert set(now) <= set(cases)
    marks = {name: () if name in now else (pytest.mark.soak,) for name in cases}
    return [pytest.param(case, id=name, marks=marks[name]) for name, case in cases.items()]
