"""The query string of a match page, the visit it belongs to, and addresses built from both."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from urllib.parse import parse_qsl, quote_plus

from webapp.web.cookies import Actor

MAX_PICK_CHARS = 16
MAX_SPEC_CHARS = 500
MAX_SETTING_CHARS = 24
MAX_PATH_CHARS = 400
SWITCHES = ("hint", "values", "story", "present", "show", "aid")
SETTINGS = ("level", "depth", "simulations")  # options of an analyst that the panel can change
STATE_SAFE = ":,=/"  # characters left unescaped in state texts
SPEC_SAFE = ":,="  # characters left unescaped in specs, as browsers do


@dataclass(frozen=True, slots=True)
class Look:
    """What the address of a match holds beyond its id."""

    ply: int | None = None  # None: the last
    pick: str | None = None
    hint: bool = False
    values: bool = False
    story: bool = False
    present: bool = False
    agent: str | None = None  # the analyst; None: the opponent
    show: bool = False  # with the exhibit of the analyst's technique
    aid: bool = False  # with the board's thinking aid, such as Nim's binary digits
    settings: tuple[tuple[str, str], ...] = ()  # options of the analyst that override its spec
    versus: str | None = None  # a second analyst to compare with
    part: str | None = None  # the part of the exhibit
    step: int | None = None  # the step of the exhibit
    open: tuple[int, ...] = ()  # the open path of the exhibit's tree, as indices of children

    @classmethod
    def parse(cls, fields: Mapping[str, str]) -> Look:
        """Read these fields; what cannot be read is left out, never an error."""
        return cls(
            ply=_parse_number(fields.get("ply", "")),
            pick=(fields.get("pick", "")[:MAX_PICK_CHARS] or None),
            hint=fields.get("hint") == "1",
            values=fields.get("values") == "1",
            story=fields.get("story") == "1",
            present=fields.get("present") == "1",
            agent=(fields.get("agent", "")[:MAX_SPEC_CHARS] or None),
            show=fields.get("show") == "1",
            aid=fields.get("aid") == "1",
            settings=tuple(
                (name, fields[name][:MAX_SETTING_CHARS]) for name in SETTINGS if fields.get(name)
            ),
            versus=(fields.get("versus", "")[:MAX_SPEC_CHARS] or None),
            part=(fields.get("part", "")[:MAX_PICK_CHARS] or None),
            step=_parse_number(fields.get("step", "")),
            open=parse_path(fields.get("open", "")) or (),
        )

    @property
    def after_change(self) -> Look:
        """The query after a change: the last ply, with the same panels."""
        return Look(
            values=self.values,
            present=self.present,
            agent=self.agent,
            show=self.show,
            aid=self.aid,
            settings=self.settings,
        )

    @property
    def shows_mover(self) -> bool:
        """Whether the exhibit is that of the agent to move, not of an analyst named here."""
        return self.show and self.agent is None and not self.settings

    @property
    def form_fields(self) -> tuple[tuple[str, str], ...]:
        """The hidden fields with which a form keeps the panels after a change."""
        kept = replace(self.after_change, hint=self.hint)  # a hint stays while a move is half made
        switches = tuple((name, "1") for name in SWITCHES if getattr(kept, name))
        agent = () if self.agent is None else (("agent", self.agent),)
        return (*switches, *agent, *self.settings)


def _parse_number(text: str) -> int | None:
    """Parse a ply or step; -1, which no match has, for anything that is no number."""
    if text == "":
        return None
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= 6 else -1


def parse_path(text: str) -> tuple[int, ...] | None:
    """Parse a path through a tree such as `0.4.2`; None for anything else."""
    turns = text.split(".") if text else []
    if len(text) > MAX_PATH_CHARS or not all(turn.isascii() and turn.isdecimal() for turn in turns):
        return None
    return tuple(map(int, turns))


def match_path(match_id: str) -> str:
    return f"/matches/{match_id}"


def position_url(game: str, state: str, brush: str | None = None) -> str:
    """The address of a position in the editor."""
    fields = {"game": game, "state": state} | ({} if brush is None else {"place": brush})
    encoded = "&".join(
        f"{name}={quote_plus(text, safe=STATE_SAFE)}" for name, text in fields.items()
    )
    return f"/positions?{encoded}"


def ask_class_url(game: str, start: str | None, moves: Iterable[str]) -> str:
    """The address of the form that asks a class about a position."""
    fields = {"game": game, "state": start or "", "moves": ",".join(moves)}
    encoded = "&".join(
        f"{name}={quote_plus(text, safe=STATE_SAFE)}" for name, text in fields.items() if text
    )
    return f"/class/ask?{encoded}"


def child_url(path: str, name: str) -> str:
    """The address of an action or sub-page, with the path's own query string kept."""
    base, mark, encoded = path.partition("?")
    return f"{base}/{name}{mark}{encoded}"


def path_fields(path: str) -> tuple[tuple[str, str], ...]:
    """The query string of a path as hidden fields, since a GET form replaces it."""
    return tuple(parse_qsl(path.partition("?")[2], keep_blank_values=True))


def with_query(path: str, query: Look) -> str:
    """The path with every field of the query that is not the default."""
    encoded = "&".join(
        f"{name}={quote_plus(text, safe=SPEC_SAFE)}" for name, text in query_fields(query)
    )
    return f"{path}{'&' if '?' in path else '?'}{encoded}" if encoded else path


def query_fields(query: Look) -> Iterator[tuple[str, str]]:
    """Names and values in a fixed order, so that equal queries have one address."""
    if query.ply is not None:
        yield "ply", str(query.ply)
    if query.pick is not None:
        yield "pick", query.pick
    for name in SWITCHES:
        if getattr(query, name):
            yield name, "1"
    texts = (
        ("agent", query.agent),
        *query.settings,
        ("versus", query.versus),
        ("part", query.part),
    )
    for name, text in texts:
        if text is not None:
            yield name, text
    if query.step is not None:
        yield "step", str(query.step)
    if query.open:
        yield "open", ".".join(map(str, query.open))


def at_ply(query: Look, ply: int | None) -> Look:
    """The query at another ply: nothing picked, no hint; the story stays open."""
    return replace(query, ply=ply, pick=None, hint=False, part=None, step=None, open=())


@dataclass(frozen=True, slots=True)
class Visit:
    """What a page needs of the request: who asks, for what, when, and by which address."""

    actor: Actor
    query: Look
    address: str  # as requested, except for escapes in the path
    site: str  # scheme and host, for absolute links
    games_met: frozenset[str] = frozenset()  # keys of the games this browser has played
    now: int = 0  # seconds since 1970
    place: str | None = None  # the path, unless it is the record's own
