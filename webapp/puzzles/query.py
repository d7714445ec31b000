"""The query string of puzzles: which are wanted, and how one is looked at."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from agents.puzzles.models import LEVELS, Theme
from engine.catalog import find_entry
from engine.errors import ZermeloError
from webapp.puzzles.models import Selection
from webapp.web.query import Query, choice, flag, number, param, text

PATH = "/puzzles"
MAX_SPEC_CHARS = 200
MAX_ID_CHARS = 16
MAX_PICK_CHARS = 16
MAX_SET = 40
ID = re.compile(r"[0-9a-f]{8}")
LAST_SECOND = 10**11


def _game(sent: list[str]) -> str | None:
    """A spec whose game there is; raises ValueError."""
    spec = sent[0][:MAX_SPEC_CHARS]
    try:
        find_entry(spec.partition(":")[0])
    except ZermeloError as error:
        raise ValueError(spec) from error
    return spec


def _ids(sent: list[str]) -> tuple[str, ...]:
    """Ids of puzzles, with dots between them; raises ValueError."""
    ids = tuple(sent[0].split("."))
    if len(ids) > MAX_SET or not all(ID.fullmatch(each) for each in ids):
        raise ValueError(sent[0][:MAX_ID_CHARS])
    return ids


@dataclass(frozen=True)
class PuzzleQuery(Query):
    """What the address of a puzzle holds beyond its id."""

    game: str | None = param(None, _game, lambda value: (value,))
    theme: Theme | None = choice(Theme)
    level: int | None = number(low=LEVELS[0], high=LEVELS[-1])  # None: it follows the player
    mine: bool = flag()  # from the player's own matches
    missed: bool = flag()  # those that were missed, when they are due
    sprint: bool = flag()  # three minutes
    today: bool = flag()
    set: tuple[str, ...] = param((), _ids, lambda ids: (".".join(ids),))  # to go through in turn
    again: bool = flag()  # a fresh board, whatever was answered before
    since: int | None = number(high=LAST_SECOND)  # when the board was shown, in seconds since 1970
    pick: str | None = text(MAX_PICK_CHARS)
    step: int | None = number(high=20)  # of the line that is shown
    after: str | None = text(MAX_ID_CHARS)  # the puzzle before, which is not to come again
    present: bool = flag()

    @property
    def selection(self) -> Selection:
        return Selection(self.game, self.theme, self.level)

    def next_in_set(self, puzzle_id: str) -> str | None:
        """The puzzle after this one, of those to go through."""
        at = self.set.index(puzzle_id) + 1 if puzzle_id in self.set else len(self.set)
        return self.set[at] if at < len(self.set) else None

    @property
    def kept(self) -> PuzzleQuery:
        """What the next puzzle takes along."""
        return replace(self.here, today=False)

    @property
    def here(self) -> PuzzleQuery:
        """The same puzzle as it stands in the store."""
        return replace(self, again=False, since=None, pick=None, step=None, after=None)
