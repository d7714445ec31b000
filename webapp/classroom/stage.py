"""What the screen of a class shows instead of the votes: an exhibit, a line of play, or a page."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from enum import StrEnum

from webapp.classroom.models import ClassRecord

MAX_LINE_PLIES = 12
COMMANDS = ("first", "previous", "next", "last", "play", "up", "down")  # to a page on the screen


class StageKind(StrEnum):
    """What is shown."""

    EXHIBIT = "exhibit"  # what the machine of the question shows
    LINE = "line"  # a move played out on the board of the question
    PAGE = "page"  # a page of this site


@dataclass(frozen=True, slots=True)
class Stage:
    """What is shown, and how far it has got."""

    kind: StageKind
    path: str = ""  # of the page
    moves: tuple[str, ...] = ()  # of the line, from the position of the question on
    wanted: int = 0  # plies of the line; the last may still be worked out
    command: str = ""  # the last one to the page
    serial: int = 0  # number of commands so far

    @property
    def pending(self) -> bool:
        """Whether the next move of the line is being worked out."""
        return self.kind is StageKind.LINE and self.wanted > len(self.moves)

    def ordered(self, command: str) -> Stage:
        """The stage after a press of the control."""
        if self.kind is StageKind.PAGE:
            return replace(self, command=command, serial=self.serial + 1)
        if self.kind is not StageKind.LINE:
            return self
        if command == "next":
            return replace(self, wanted=min(len(self.moves) + 1, MAX_LINE_PLIES))
        if command == "previous" and len(self.moves) > 1:
            return replace(self, moves=self.moves[:-1], wanted=len(self.moves) - 1)
        return self

    def to_json(self) -> str:
        return json.dumps(asdict(self))


def stage_of(record: ClassRecord) -> Stage | None:
    """What the screen shows instead of the votes, if anything."""
    if record.shown is None or record.is_over:
        return None
    values = json.loads(record.shown)
    return Stage(**values | {"kind": StageKind(values["kind"]), "moves": tuple(values["moves"])})
