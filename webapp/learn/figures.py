"""The figures of all lessons, computed beforehand: `python -m webapp.learn.figures` does it again,
with `--missing` only those that are not there yet.

They ship as `figures.json`, so that no page waits for one; a test computes each anew and fails
where it differs.
"""

from __future__ import annotations

import json
import sys
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from webapp.learn.parser import UnknownFigureError

FILE = "figures.json"


@cache
def stored() -> dict[str, Any]:
    """Every figure by its name."""
    return dict(json.loads((files("webapp.learn") / FILE).read_text(encoding="utf-8")))


def told(spec: str) -> Any:
    """The figure of that name; raises UnknownFigureError where it was not computed."""
    try:
        return stored()[spec]
    except KeyError:
        why = "it was not computed yet: run `python -m webapp.learn.figures`"
        raise UnknownFigureError(spec, why) from None


def main() -> None:
    """Compute what the lessons name, and nothing that they no longer do."""
    from webapp.learn.catalogue import figures_of, lessons
    from webapp.learn.computation import compute

    names = sorted({name for lesson in lessons() for name in figures_of(lesson)})
    known = stored() if "--missing" in sys.argv else {}
    found = {name: known[name] if name in known else compute(name) for name in names}
    lines = [f"{json.dumps(name)}: {json.dumps(found[name])}" for name in names]
    text = "{\n" + ",\n".join(lines) + "\n}\n"
    Path(str(files("webapp.learn") / FILE)).write_text(text, encoding="utf-8")
    print(f"{len(names)} figures")  # noqa: T201 - a command


if __name__ == "__main__":
    main()
