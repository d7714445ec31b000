"""The results that the course's students published for their two searches, by groups."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Published:
    """The published result of one search on one box."""

    best: str  # as they wrote it
    calls: int

    def __str__(self) -> str:
        return f"{self.best} in {self.calls:,} calls"


FIRST = {
    1: Published("0.971", 84_305),
    2: Published("0.476", 18_050),
    5: Published("0.193", 11_900),
    10: Published("0.290", 28_450),
}
SECOND = {
    1: Published("1.0", 1_217),
    2: Published("1.0", 6_302),
    5: Published("0.6", 30_010),
    10: Published("0.38", 30_010),
}
PUBLISHED = {"course-first": FIRST, "course-second": SECOND}  # for boxes that are not sealed
