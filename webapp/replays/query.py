"""The query strings of a match and of its tree, and addresses below a match."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self
from urllib.parse import parse_qsl, quote_plus

from agents.search.trace import Algorithm, Order
from agents.search.uct import MAX_GAMES
from engine.drawing import Theme
from webapp.analysis.panel import SETTINGS
from webapp.web.query import Pairs, Query, choice, flag, number, path, text

MAX_PICK_CHARS = 16
MAX_SPEC_CHARS = 500
MAX_SETTING_CHARS = 24
MAX_LESSON_CHARS = 48
TASK = re.compile(r"[A-Z]{4,8}\.\d{1,2}", re.ASCII)
LESSON = re.compile(r"[a-z][a-z0-9-]*\.[a-z][a-z0-9-]*")
MAX_DEPTH = 100  # of a search tree, in plies
STATE_SAFE = ":,=/"  # characters left unescaped in state texts


@dataclass(frozen=True)
class MatchQuery(Query):
    """What the address of a match holds beyond its id."""

    ply: int | None = number(unreadable=-1)  # None: the last; -1, which no match has: no number
    pick: str | None = text(MAX_PICK_CHARS)
    hint: bool = flag()
    why: bool = flag()  # with what the opponent said of its last move
    values: bool = flag()
    story: bool = flag()
    present: bool = flag()
    show: bool = flag()  # with the exhibit of the analyst's technique
    aid: bool = flag()  # with the board's thinking aid, such as Nim's binary digits
    agent: str | None = text(MAX_SPEC_CHARS)  # the analyst; None: the opponent
    level: str | None = text(MAX_SETTING_CHARS)
    depth: str | None = text(MAX_SETTING_CHARS)
    simulations: str | None = text(MAX_SETTING_CHARS)
    versus: str | None = text(MAX_SPEC_CHARS)  # a second analyst to compare with
    part: str | None = text(MAX_PICK_CHARS)  # the part of the exhibit
    step: int | None = number(unreadable=-1)  # the step of the exhibit
    open: tuple[int, ...] = path()  # the open path of the exhibit's tree, as indices of children
    lesson: str | None = text(MAX_LESSON_CHARS)  # where it was begun: `nim.beat-1`
    task: str | None = text(MAX_LESSON_CHARS)  # of an assignment, the same: `BCDFG.3`

    @property
    def lesson_url(self) -> str:
        """The address of the lesson in which the match was begun, at its machine to beat."""
        lesson, _, block = (self.lesson or "").partition(".")
        return f"/learn/{lesson}#{block}" if LESSON.fullmatch(self.lesson or "") else ""

    @property
    def task_url(self) -> str:
        """The address of the task of an assignment in which the match was begun."""
        code, _, number = (self.task or "").partition(".")
        return f"/a/{code}/{number}" if TASK.fullmatch(self.task or "") else ""

    @property
    def won_lesson_url(self) -> str:
        """The same, which then shows that the machine was beaten."""
        path, mark, block = self.lesson_url.partition("#")
        return f"{path}?{block}=won{mark}{block}" if path else ""

    @property
    def settings(self) -> Pairs:
        """Options of the analyst that override its spec."""
        return tuple(pair for pair in self.pairs() if pair[0] in SETTINGS)

    @property
    def after_change(self) -> MatchQuery:
        """The query after a change: the last ply, with the same panels."""
        return replace(self.at_ply(None), story=False, versus=None)

    @property
    def without_panels(self) -> MatchQuery:
        """The query of a page that shows an error: nothing that takes a worker."""
        return replace(self, hint=False, values=False, story=False, agent=None)

    @property
    def shows_mover(self) -> bool:
        """Whether the exhibit is that of the agent to move, not of an analyst named here."""
        return self.show and self.agent is None and not self.settings

    @property
    def form_fields(self) -> Pairs:
        """The hidden fields with which a form keeps the panels after a change."""
        return replace(self.after_change, hint=self.hint).pairs()  # while a move is half made

    def at_ply(self, ply: int | None) -> MatchQuery:
        """The query at another ply: nothing picked, no hint; the story stays open."""
        return replace(self, ply=ply, pick=None, hint=False, part=None, step=None, open=())

    def of_agent(self, spec: str) -> MatchQuery:
        """The query with another analyst, whose settings are in its spec."""
        return replace(self, agent=spec, level=None, depth=None, simulations=None, open=())


@dataclass(frozen=True)
class SearchQuery(Query):
    """What the address of a recorded search holds beyond the match: here, how it is written."""

    child: ClassVar[str]  # the last part of its path
    moment: ClassVar[str]  # the field that says how far the search has got; None: to its end

    def address(self, path: str) -> str:
        """The canonical address of this query below the path of its match."""
        return self.url(child_url(path, self.child))

    @property
    def following(self) -> Self:
        """The query with the path to the current moment open."""
        changes: dict[str, Any] = {"open": None}
        return replace(self, **changes)

    @property
    def restarted(self) -> Self:
        """The query of the whole search with no path open."""
        changes: dict[str, Any] = {"open": None, self.moment: None}
        return replace(self, **changes)


@dataclass(frozen=True)
class TreeQuery(SearchQuery):
    """What the address of a tree holds beyond the match; None stands for the default."""

    child = "tree"
    moment = "upto"

    ply: int | None = number(unreadable=-1)
    agent: str | None = text(MAX_SPEC_CHARS)  # whose depth and evaluation are the defaults
    algorithm: Algorithm | None = choice(Algorithm)
    depth: int | None = number(low=1, high=MAX_DEPTH)
    order: Order = choice(Order, Order.BOARD)
    upto: int | None = number()  # number of the current node; None: the last
    open: tuple[int, ...] | None = path(None)  # None: the path to the current node
    present: bool = flag()


@dataclass(frozen=True)
class UctQuery(SearchQuery):
    """What the address of a walk through UCT holds beyond the match."""

    child = "uct"
    moment = "step"

    ply: int | None = number(unreadable=-1)
    games: int = number(50, low=1, high=MAX_GAMES)
    exploration: int = number(120, high=500, name="c")  # in hundredths
    seed: int = number(1)
    step: int | None = number()  # four of them are a game; None: the last
    open: tuple[int, ...] | None = path(None)  # None: the path of the current game
    present: bool = flag()


@dataclass(frozen=True)
class PictureQuery(Query):
    """What the address of an image of a position holds beyond the position."""

    ply: int | None = number(unreadable=-1)  # of a match; None: the last
    theme: Theme | None = choice(Theme)  # None: that of the reader's system


def match_path(match_id: str) -> str:
    return f"/matches/{match_id}"


def position_url(game: str, state: str, brush: str | None = None) -> str:
    """The address of a position in the editor."""
    fields = {"game": game, "state": state} | ({} if brush is None else {"place": brush})
    return f"/positions?{_encoded(fields)}"


def picture_url(game: str, state: str) -> str:
    """The address of a position as an image."""
    return f"/positions.svg?{_encoded({'game': game, 'state': state})}"


def bot_rematch_url(match_id: str, wish: str = "rematch") -> str:
    """POST: the same match with its bots again, with sides changed if that is the wish."""
    return f"/bots/matches/{match_id}/{wish}"


def ask_class_url(game: str, start: str | None, moves: Iterable[str]) -> str:
    """The address of the form that asks a class about a position."""
    fields = {"game": game, "state": start or "", "moves": ",".join(moves)}
    return f"/class/ask?{_encoded({name: text for name, text in fields.items() if text})}"


def _encoded(fields: dict[str, str]) -> str:
    return "&".join(f"{name}={quote_plus(text, safe=STATE_SAFE)}" for name, text in fields.items())


def child_url(path: str, name: str) -> str:
    """The address of an action or sub-page, with the path's own query string kept."""
    base, mark, encoded = path.partition("?")
    return f"{base}/{name}{mark}{encoded}"


def path_fields(path: str) -> Pairs:
    """The query string of a path as hidden fields, since a GET form replaces it."""
    return tuple(parse_qsl(path.partition("?")[2], keep_blank_values=True))


def is_textbook_search(agent: str) -> bool:
    """Whether this agent is one of the textbook algorithms."""
    return agent.partition(":")[0] in list(Algorithm)


def agent_tree_url(path: str, ply: int, agent: str, *, present: bool) -> str:
    """The address of this agent's search, step by step; empty unless it is a textbook search."""
    if agent.partition(":")[0] == "mcts":
        return UctQuery(ply=ply, present=present).address(path)
    if not is_textbook_search(agent):
        return ""
    return TreeQuery(ply=ply, agent=agent, present=present).address(path)
