"""A puzzle as data: a position, a task, every right move, and the proof's figures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from hashlib import sha256
from typing import Any

ID_DIGITS = 8
LEVELS = (1, 2, 3, 4, 5)


class Theme(StrEnum):
    """What a puzzle is about, and so which moves are right."""

    ONLY_MOVE = "only move"  # one move keeps the win
    HOLD = "hold the draw"  # one move keeps the draw
    WIN = "win in n"  # one move wins within so many moves of one's own
    THREATS = "two threats"  # the same, since no answer stops both threats
    PARRY = "stop the win"  # one move does not lose within the next few
    THEIR_LINE = "don't complete their line"  # and a tempting one does
    NIM_SUM = "leave nim-sum 0"
    MISERE = "misère turn"  # the nim-sum rule is wrong here
    MISTAKE = "which move is the mistake"  # the right answer is the one bad move


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position in which exactly one move, or several to the same position, is right."""

    game: str  # spec
    state: str
    theme: Theme
    task: str  # for people
    solutions: tuple[str, ...]  # every right move; all lead to the same position
    refutation: tuple[str, ...]  # the most tempting wrong move, or the mistake, and what follows
    value: int | None  # of the position for the side to move; None if only the task is proven
    plies: int | None  # to the end that the task speaks of, if it does
    source: str  # of the proof, for people
    level: int = 0  # 1 to 5; 0 before it is graded
    depth: int | None = None  # the least search depth that finds it; None: none that was tried
    missed: float | None = None  # the share of machines that miss it

    @property
    def id(self) -> str:
        """The same position always has the same one."""
        return sha256(f"{self.game} {self.state}".encode()).hexdigest()[:ID_DIGITS]

    @property
    def finds_mistake(self) -> bool:
        """Whether the right answer is a bad move, which is named and not played."""
        return self.theme is Theme.MISTAKE

    def as_json(self) -> dict[str, Any]:
        return {"id": self.id, **asdict(self)}

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> Puzzle:
        kept = {name: value for name, value in fields.items() if name != "id"}
        lists = {name: tuple(kept[name]) for name in ("solutions", "refutation")}
        return cls(**{**kept, **lists, "theme": Theme(kept["theme"])})
