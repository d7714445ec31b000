"""How long to soak. By hand `make soak` takes full counts; `.ci/run` asks for its short form."""

import os
from typing import TypeVar

Count = TypeVar("Count")

SHORT = os.environ.get("SOAK") == "short"


def lessened(full: Count, short: Count) -> Count:
    """The full count, or the lesser one of the short form: what is held is the same."""
    return short if SHORT else full
