"""What the address of a lesson holds: what was answered, and how each widget stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from webapp.learn.parser import LessonText

LONGEST = 400
PRESSED = "do"  # NAME:HELD, by the button that was pressed
PRESENT = "present"


@dataclass(frozen=True, slots=True)
class HeldState:
    """By the name of a block, and whether this is a projector."""

    lesson: str
    by_name: tuple[tuple[str, str], ...]
    present: bool
    pressed: str = ""  # the block that changed just now

    @classmethod
    def of(cls, lesson: LessonText, fields: Mapping[str, str]) -> HeldState:
        """What can be read of these fields; the rest is left out, never an error."""
        found = {name: fields.get(name, "")[:LONGEST] for name in lesson.names}
        name, _, held = fields.get(PRESSED, "")[:LONGEST].partition(":")
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
        """The one address of this page as it stands."""
        fields = [*self.by_name, *([(PRESENT, "1")] if self.present else [])]
        query = urlencode(fields, safe=":,=/!.-")
        return f"/learn/{self.lesson}" + (f"?{query}" if query else "")
