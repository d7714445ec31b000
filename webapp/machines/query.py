"""The query strings of the gallery and of a machine's page."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from webapp.web.query import Query, choice, flag, number, text

MAX_SPEC_CHARS = 500
MAX_PART_CHARS = 16


class GalleryOrder(StrEnum):
    """In which order the machines of a technique stand."""

    WEAKEST = "weakest"
    STRONGEST = "strongest"


@dataclass(frozen=True, slots=True)
class GalleryQuery(Query):
    """Which machines the gallery shows, in which order."""

    game: str | None = text(MAX_SPEC_CHARS)  # its key; None: all
    order: GalleryOrder = choice(GalleryOrder, GalleryOrder.WEAKEST)
    present: bool = flag()


@dataclass(frozen=True, slots=True)
class MachineQuery(Query):
    """The variant, the machine's settings, and what of its exhibit is selected."""

    game: str | None = text(MAX_SPEC_CHARS)  # a spec or a key
    agent: str | None = text(MAX_SPEC_CHARS)  # its spec; None: the defaults
    part: str | None = text(MAX_PART_CHARS)
    step: int | None = number()
    present: bool = flag()
