"""How a visitor looks at a match: which ply, what is picked, what is shown beside the board."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from urllib.parse import quote_plus

from webapp.web.players import Actor

LONGEST_PICK = 16
LONGEST_AGENT = 500
SWITCHES = ("hint", "values", "story", "present")
PLAIN = ":,="  # of what specs are made; the browser would leave them as they are too


@dataclass(frozen=True, slots=True)
class Look:
    """What the address of a match says beyond its id."""

    ply: int | None = None  # None: the last
    pick: str | None = None
    hint: bool = False
    values: bool = False
    story: bool = False
    present: bool = False
    agent: str | None = None  # whose values; None: the opponent's

    @classmethod
    def of(cls, fields: Mapping[str, str]) -> Look:
        """What can be read of these fields; the rest is left out, never an error."""
        return cls(
            ply=_ply(fields.get("ply", "")),
            pick=(fields.get("pick", "")[:LONGEST_PICK] or None),
            hint=fields.get("hint") == "1",
            values=fields.get("values") == "1",
            story=fields.get("story") == "1",
            present=fields.get("present") == "1",
            agent=(fields.get("agent", "")[:LONGEST_AGENT] or None),
        )

    @property
    def going_on(self) -> Look:
        """After a change: the last ply, but presenting and showing values go on as they were."""
        return Look(values=self.values, present=self.present, agent=self.agent)


def _ply(text: str) -> int | None:
    """A number as an address gives it; anything else counts as one that no match has."""
    if text == "":
        return None
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= 6 else -1


def path_of(match_id: str) -> str:
    """The path of a match."""
    return f"/matches/{match_id}"


def with_query(path: str, look: Look) -> str:
    """The path, and of the look whatever is not the usual."""
    query = "&".join(_parts(look))
    return f"{path}?{query}" if query else path


def _parts(look: Look) -> Iterator[str]:
    """`name=value`, in an order that never changes: the same look has one address."""
    if look.ply is not None:
        yield f"ply={look.ply}"
    if look.pick is not None:
        yield f"pick={quote_plus(look.pick, safe=PLAIN)}"
    for name in SWITCHES:
        if getattr(look, name):
            yield f"{name}=1"
    if look.agent is not None:
        yield f"agent={quote_plus(look.agent, safe=PLAIN)}"


def at_ply(look: Look, ply: int | None) -> Look:
    """Another ply, nothing picked, no hint; a review stays while one steps through it."""
    return replace(look, ply=ply, pick=None, hint=False)


@dataclass(frozen=True, slots=True)
class Visit:
    """One look of one visitor at a match. Made once a request; views know nothing else of it."""

    actor: Actor
    look: Look
    address: str  # that was asked for, as the browser wrote it but for the path's escapes
    site: str  # scheme and host, for links that are sent around
