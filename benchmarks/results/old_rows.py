"""The rows of a page that was written before, for those that have not been measured again yet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

MARK = " †"  # at the name of a row that stays as it was
UNKNOWN = "not measured yet"


@dataclass
class OldRows:
    """The tables of a page in Markdown, by heading and the first cells of a row."""

    text: str
    used: int = 0  # rows taken from it
    _tables: dict[str, list[list[str]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        heading = ""
        for line in self.text.splitlines():
            if line.startswith("#"):
                heading = line.strip("# ").strip()
            elif line.startswith("| ") and not line.startswith("| ---"):
                cells = line.removeprefix("| ").removesuffix(" |").split(" | ")
                self._tables.setdefault(heading, []).append(cells)

    def row(
        self, heading: str, names: Sequence[str], others: Sequence[str], width: int
    ) -> Sequence[str]:
        """The row with these names, marked; without figures if there is none.

        `others` are the next cells, which are of other people's figures and not measured.
        """
        self.used += 1
        begun = len(names) + len(others)
        rest = [UNKNOWN] * (width - begun)
        for cells in self._tables.get(heading, ()):
            known = [cells[0].removesuffix(MARK), *cells[1 : len(names)]]
            if known == list(names) and len(cells) == width:
                rest = cells[begun:]
        return [f"{names[0]}{MARK}", *names[1:], *others, *rest]

    def table(self, heading: str) -> list[list[str]]:
        """All rows under a heading, the first of names marked."""
        self.used += 1
        return self._tables.get(heading, [])
