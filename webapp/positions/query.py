"""The query string of the position editor: a game and a text that may be one of its states."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from engine import Game, Match, load_game
from engine.catalog import catalog, find_entry
from engine.errors import InvalidStateError, ZermeloError, quoted, warn_once
from webapp.boards.editor import BRUSHES, editor_for
from webapp.replays.models import NOBODY, PERSON, UNSTORED, Record, ReplayPlace
from webapp.replays.query import position_url

MAX_SHOWN_CHARS = 200  # of a text that is shown again
DEFAULT_GAME = "quixo"


@dataclass(frozen=True)  # no slots: cached properties
class Draft:
    """A valid game and any text, which may be a state of it."""

    game: Game[Any, Any]
    text: str
    brush: str = BRUSHES[0]

    @classmethod
    def parse(cls, fields: Mapping[str, str]) -> Draft:
        """Read these fields; raises InvalidSpecError or BrokenGameError."""
        spec = fields.get("game") or _default_game()
        game = load_game(spec)
        text = " ".join(fields.get("state", "").split()) or str(game.start)
        brush = fields.get("place", "")
        return cls(game, text, brush if brush in BRUSHES else BRUSHES[0])

    @cached_property
    def state(self) -> Any:
        """Parse the text as a state; raises InvalidStateError."""
        try:
            state = self.game.parse_state(self.text)
            state.outcome(), str(state)
        except ZermeloError:
            raise
        except Exception as error:
            warn_once(__name__, f"{self.game.key} failed to read a state: {error!r}"[:500])
            why = f"{self.game.title} cannot read {quoted(self.text)}"
            raise InvalidStateError(self.text, why) from error
        return state

    @cached_property
    def error(self) -> ZermeloError | None:
        """Why the text is not a valid state; None if it is one."""
        try:
            self.state  # noqa: B018 - whether it can be parsed
        except ZermeloError as error:
            return error
        return None

    @cached_property
    def is_drawn(self) -> bool:
        """Whether the text can be drawn as a board, even one that play cannot reach."""
        return self.error is None or editor_for(self.game, self.text) is not None

    @property
    def out_of_reach(self) -> str | None:
        """Why play cannot reach the position, as far as that is proven.

        Rules that refuse a board which can be drawn do so because it cannot be reached.
        """
        if self.error is not None:
            return str(self.error) if self.is_drawn else None
        return find_entry(self.game.key).out_of_reach(self.game, self.state)

    @cached_property
    def shown_text(self) -> str:
        """The text, truncated and with printable characters only."""
        return "".join(c if c.isprintable() else "\ufffd" for c in self.text[:MAX_SHOWN_CHARS])

    @cached_property
    def path(self) -> str:
        """The canonical address of the position."""
        text = self.shown_text if self.error else str(self.state)
        brush = None if self.brush == BRUSHES[0] else self.brush
        return position_url(self.game.spec, text, brush)

    @cached_property
    def record(self) -> Record:
        """An unstored match that starts from the position."""
        match = Match.begin(self.game, self.state)
        start = None if match.start is None else str(match.start)
        seats, place = (PERSON, PERSON), ReplayPlace(self.path, name="position")
        return Record(UNSTORED, "", self.game.spec, seats, NOBODY, start, place=place)


def _default_game() -> str:
    """The game where the query names none."""
    keys = [entry.key for entry in catalog()]
    return DEFAULT_GAME if DEFAULT_GAME in keys else keys[0]
