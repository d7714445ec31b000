"""Two recordings side by side: which responses are gone or new, and what others say now."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

AROUND = 2  # lines of context


def differences(before: Path, after: Path) -> Iterator[str]:
    """A unified diff for each file that is not the same in both, in the order of their names."""
    old, new = _files(before), _files(after)
    for name in sorted(old.keys() | new.keys()):
        one, two = _lines(old.get(name)), _lines(new.get(name))
        if one != two:
            diff = difflib.unified_diff(
                one,
                two,
                str(old.get(name, "(not there)")),
                str(new.get(name, "(not there)")),
                lineterm="",
                n=AROUND,
            )
            yield "\n".join(diff)


def count_files(place: Path) -> int:
    return len(_files(place))


def _files(place: Path) -> dict[str, Path]:
    """By section and request, the numbers left out: what comes in between moves nothing else."""
    found: dict[str, Path] = {}
    seen: Counter[str] = Counter()
    for path in sorted(place.rglob("*.txt")):
        number, _, slug = path.stem.partition("-")
        name = str(path.relative_to(place).with_name(slug if number.isdecimal() else path.stem))
        seen[name] += 1
        found[f"{name} ({seen[name]})"] = path
    return found


def _lines(path: Path | None) -> list[str]:
    """Addresses are compared without their escapes: `%3D` and `=` name the same page."""
    return [] if path is None else unquote(path.read_text("utf-8")).splitlines()
