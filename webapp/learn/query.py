"""The query string of a lesson: the answers given and the state of each widget."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from webapp.learn.lesson import LessonText
from webapp.web.query import Pairs, Query, flag, number

MAX_STATE_CHARS = 400
PRESSED = "do"  # NAME:STATE, set by the pressed button
PRESENT, SLIDE = "present", "slide"


@dataclass(frozen=True)
class LessonQuery(Query):
    """The state of each block by its name, and whether this is a projector."""

    safe: ClassVar[str] = ":,=/!.-"

    present: bool = flag()
    slide: int = number(0)  # on a projector: which part of the lesson is shown
    states: Pairs = ()
    pressed: str = ""  # name of the block whose button was pressed

    @classmethod
    def of(cls, lesson: LessonText, sent: Mapping[str, str]) -> LessonQuery:
        """Read a query; what cannot be read is ignored."""
        found = {name: sent.get(name, "")[:MAX_STATE_CHARS] for name in lesson.names}
        name, _, state = sent.get(PRESSED, "")[:MAX_STATE_CHARS].partition(":")
        if name in found:
            found[name] = state
        given = {
            field: state if name == field else sent.get(field, "") for field in (PRESENT, SLIDE)
        }
        if name == PRESENT:
            given[SLIDE] = ""
        states = tuple((name, text) for name, text in found.items() if text)
        shown = cls.parse(given)
        return cls(shown.present, shown.slide, states, name if name in found else "")

    def __getitem__(self, name: str) -> str:
        return dict(self.states).get(name, "")

    def pairs(self, *left_out: str) -> Pairs:
        return (*self.states, *super().pairs(*left_out))
