"""Messages on a page: refusals, notices, errors."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Tone(StrEnum):
    """How a message is meant."""

    NOTE = "note"
    WARNING = "warning"
    ERROR = "error"
    REFUSAL = "error refusal"  # of a move: a board says it where it says whose turn it is


@dataclass(frozen=True, slots=True)
class Message:
    """A refusal or a notice, shown as a state of the board."""

    tone: Tone
    text: str
