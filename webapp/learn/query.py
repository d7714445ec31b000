"""The query string of a lesson: the answers given and the state of each widget."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from webapp.learn.parser import LessonText

MAX_STATE_CHARS = 400
PRESSED = "do"  # NAME:STATE, set by the pressed button
PRESENT = "present"


@dataclass(frozen=True, slots=True)
class LessonQuery:
    """The state of each block by its name, and whether this is a projector."""

    lesson: str
    by_name: tuple[tuple[str, str], ...]
    present: bool
    pressed: str = ""  # name of the block whose button was pressed

    @classmethod
    def of(cls, lesson: LessonText, fields: Mapping[str, str]) -> LessonQuery:
        """Read a query; what cannot be read is ignored."""
        found = {name: fields.get(name, "")[:MAX_STATE_CHARS] for name in lesson.names}
        name, _, held = fields.get(PRESSED, "")[:MAX_STATE_CHARS].partition(":")
        pressed = name if name in found else ""
        if pressed:
            found[pressed] = held
        kept = tuple((name, text) for name, text in found.items() if text)
        present = held if name == PRESENT else fields.get(PRESENT)
        return cls(lesson.slug, kept, present == "1", pressed)

    def __getitem__(self, name: str) -> str:
        return dict(self.by_name).get(name, "")

    @property
    def url(self) -> str:
        """The canonical URL of the page in this state."""
        fields = [*self.by_name, *([(PRESENT, "1")] if self.present else [])]
        query = urlencode(fields, safe=":,=/!.-")
        return f"/learn/{self.lesson}" + (f"?{query}" if query else "")
