"""How a visitor looks at a match: which ply, what is picked, what is shown beside the board."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from urllib.parse import parse_qsl, quote_plus

from webapp.web.cookies import Actor

LONGEST_PICK = 16
LONGEST_AGENT = 500
LONGEST_SETTING = 24
LONGEST_PATH = 400
SWITCHES = ("hint", "values", "story", "present", "show", "aid")
SETTINGS = ("level", "depth", "simulations")  # of an analyst, that can be set beside it
BOARDS = ":,=/"  # and of what boards are
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
    show: bool = False  # with what only its technique has to show
    aid: bool = False  # with what helps to think, on a board that has such: Nim's binary digits
    settings: tuple[tuple[str, str], ...] = ()  # of the analyst, over those in its spec
    versus: str | None = None  # another analyst, beside the first
    part: str | None = None  # of what is shown: which side of it
    step: int | None = None  # and which of its steps
    open: tuple[int, ...] = ()  # and which path of a tree: the first answer is 0

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
            show=fields.get("show") == "1",
            aid=fields.get("aid") == "1",
            settings=tuple(
                (name, fields[name][:LONGEST_SETTING]) for name in SETTINGS if fields.get(name)
            ),
            versus=(fields.get("versus", "")[:LONGEST_AGENT] or None),
            part=(fields.get("part", "")[:LONGEST_PICK] or None),
            step=_ply(fields.get("step", "")),
            open=path_in(fields.get("open", "")) or (),
        )

    @property
    def going_on(self) -> Look:
        """After a change: the last ply, but what is shown beside it goes on as it was."""
        return Look(
            values=self.values,
            present=self.present,
            agent=self.agent,
            show=self.show,
            aid=self.aid,
            settings=self.settings,
        )

    @property
    def opens_who_moves(self) -> bool:
        """Whether the open head is that of whoever is to move, not of an analyst named here."""
        return self.show and self.agent is None and not self.settings

    @property
    def carried(self) -> tuple[tuple[str, str], ...]:
        """What a form must say so that the look goes on after it."""
        going_on = self.going_on
        shown = replace(going_on, hint=self.hint)  # a hint stays while a move is half made
        switches = tuple((name, "1") for name in SWITCHES if getattr(shown, name))
        agent = () if self.agent is None else (("agent", self.agent),)
        return (*switches, *agent, *self.settings)


def _ply(text: str) -> int | None:
    """A number as an address gives it; anything else counts as one that no match has."""
    if text == "":
        return None
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= 6 else -1


def path_in(text: str) -> tuple[int, ...] | None:
    """A path through a tree as an address gives it: `0.4.2`; None for anything else."""
    turns = text.split(".") if text else []
    if len(text) > LONGEST_PATH or not all(turn.isascii() and turn.isdecimal() for turn in turns):
        return None
    return tuple(map(int, turns))


def path_of(match_id: str) -> str:
    """The path of a match."""
    return f"/matches/{match_id}"


def position_path(game: str, state: str, brush: str | None = None) -> str:
    """The address of a position that is set up: it is all there is of it."""
    told = {"game": game, "state": state} | ({} if brush is None else {"place": brush})
    query = "&".join(f"{name}={quote_plus(text, safe=BOARDS)}" for name, text in told.items())
    return f"/positions?{query}"


def ask_address(game: str, start: str | None, moves: Iterable[str]) -> str:
    """Where a class is asked about a position."""
    told = {"game": game, "state": start or "", "moves": ",".join(moves)}
    query = "&".join(
        f"{name}={quote_plus(text, safe=BOARDS)}" for name, text in told.items() if text
    )
    return f"/class/ask?{query}"


def child_of(path: str, name: str) -> str:
    """The address of an action, or of another side of what stands there."""
    base, mark, query = path.partition("?")
    return f"{base}/{name}{mark}{query}"


def place_fields(path: str) -> tuple[tuple[str, str], ...]:
    """What a form has to say besides the path, since it replaces the path's own query."""
    return tuple(parse_qsl(path.partition("?")[2], keep_blank_values=True))


def with_query(path: str, look: Look) -> str:
    """The path, and of the look whatever is not the usual."""
    query = "&".join(f"{name}={quote_plus(text, safe=PLAIN)}" for name, text in fields_of(look))
    return f"{path}{'&' if '?' in path else '?'}{query}" if query else path


def fields_of(look: Look) -> Iterator[tuple[str, str]]:
    """Names and values, in an order that never changes: the same look has one address."""
    if look.ply is not None:
        yield "ply", str(look.ply)
    if look.pick is not None:
        yield "pick", look.pick
    for name in SWITCHES:
        if getattr(look, name):
            yield name, "1"
    texts = (("agent", look.agent), *look.settings, ("versus", look.versus), ("part", look.part))
    for name, text in texts:
        if text is not None:
            yield name, text
    if look.step is not None:
        yield "step", str(look.step)
    if look.open:
        yield "open", ".".join(map(str, look.open))


def at_ply(look: Look, ply: int | None) -> Look:
    """Another ply, nothing picked, no hint; a review stays while one steps through it."""
    return replace(look, ply=ply, pick=None, hint=False, part=None, step=None, open=())


@dataclass(frozen=True, slots=True)
class Visit:
    """One look of one visitor at a match. Made once a request; views know nothing else of it."""

    actor: Actor
    look: Look
    address: str  # that was asked for, as the browser wrote it but for the path's escapes
    site: str  # scheme and host, for links that are sent around
    games_met: frozenset[str] = frozenset()  # the keys of those this browser knows
    now: int = 0  # seconds since 1970
    place: str | None = None  # where what is looked at stands, unless it is a match of its own
