"""A puzzle as data: a position, a task, every right move, and the proof's figures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from hashlib import sha256
from typing import Any

ID_DIGITS = 8
LEVELS = (1, 2, 3, 4, 5)
VALUE_WORDS = {1: "win", 0: "draw", -1: "loss", None: "open"}


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
class Answer:
    """What a move comes to, for the side that plays it."""

    value: int | None  # 1, 0 or -1; None if nothing is forced as far as it was proven
    plies: int | None  # to the end, the move itself included, if they are known
    line: tuple[str, ...]  # best play that follows, as far as it is proven and shown

    def __str__(self) -> str:
        """`win 3: b1 c2`, which `parse` reads back."""
        plies = "" if self.plies is None else f" {self.plies}"
        return f"{VALUE_WORDS[self.value]}{plies}: {' '.join(self.line)}".rstrip()

    @classmethod
    def parse(cls, text: str) -> Answer:
        head, _, line = text.partition(":")
        word, _, plies = head.partition(" ")
        values = {word: value for value, word in VALUE_WORDS.items()}
        return cls(values[word], int(plies) if plies else None, tuple(line.split()))


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
    answers: Mapping[str, Answer] = field(default_factory=dict, hash=False)  # by every legal move

    @property
    def id(self) -> str:
        """The same position always has the same one."""
        return position_id(self.game, self.state)

    @property
    def finds_mistake(self) -> bool:
        """Whether the right answer is a bad move, which is named and not played."""
        return self.theme is Theme.MISTAKE

    def as_json(self) -> dict[str, Any]:
        answers = {move: str(answer) for move, answer in self.answers.items()}
        return {"id": self.id, **asdict(replace(self, answers={})), "answers": answers}

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> Puzzle:
        kept = {name: value for name, value in fields.items() if name != "id"}
        lists = {name: tuple(kept[name]) for name in ("solutions", "refutation")}
        answers = {move: Answer.parse(text) for move, text in kept["answers"].items()}
        return cls(**{**kept, **lists, "theme": Theme(kept["theme"]), "answers": answers})


def position_id(game: str, state: str) -> str:
    """The id of the puzzle of a position, if it is one."""
    return sha256(f"{game} {state}".encode()).hexdigest()[:ID_DIGITS]
