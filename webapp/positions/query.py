"""A position as an address names it: read by the rules, or told why it cannot be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from engine import Game, Match, load_game
from engine.catalog import catalog, find_entry
from engine.errors import InvalidStateError, ZermeloError, quoted, tell_once
from webapp.boards.editor import BRUSHES, editor_for
from webapp.replays.models import NOBODY, PERSON, UNSTORED, Record
from webapp.replays.query import position_url

LONGEST = 200  # characters of a text that are shown again
USUAL = "quixo"


@dataclass(frozen=True)  # without slots: what follows from the fields is worked out once
class Draft:
    """What stands in the address: a game that there is, and any text."""

    game: Game[Any, Any]
    text: str
    brush: str = BRUSHES[0]

    @classmethod
    def of(cls, fields: Mapping[str, str]) -> Draft:
        """What these fields name; raises InvalidSpecError, or BrokenGameError."""
        spec = fields.get("game") or _usual()
        game = load_game(spec)
        text = " ".join(fields.get("state", "").split()) or str(game.start)
        brush = fields.get("place", "")
        return cls(game, text, brush if brush in BRUSHES else BRUSHES[0])

    @cached_property
    def state(self) -> Any:
        """The position that the text is; raises InvalidStateError."""
        try:
            state = self.game.parse_state(self.text)
            state.outcome(), str(state)
        except ZermeloError:
            raise
        except Exception as error:
            tell_once(__name__, f"{self.game.key} failed to read a state: {error!r}"[:500])
            why = f"{self.game.title} cannot read {quoted(self.text)}"
            raise InvalidStateError(self.text, why) from error
        return state

    @cached_property
    def wrong(self) -> ZermeloError | None:
        """What keeps the text from being a position."""
        try:
            self.state  # noqa: B018 - whether it can be read
        except ZermeloError as error:
            return error
        return None

    @cached_property
    def is_drawn(self) -> bool:
        """Whether the text is a board, though perhaps one that play cannot lead to."""
        return self.wrong is None or editor_for(self.game, self.text) is not None

    @property
    def out_of_reach(self) -> str | None:
        """Why no play leads there, as far as that is proven.

        Rules that refuse a board which can be drawn do so because nobody gets there.
        """
        if self.wrong is not None:
            return str(self.wrong) if self.is_drawn else None
        return find_entry(self.game.key).out_of_reach(self.game, self.state)

    @cached_property
    def shown(self) -> str:
        """The text for a page: short, and of characters that can be seen."""
        return "".join(c if c.isprintable() else "\ufffd" for c in self.text[:LONGEST])

    @cached_property
    def path(self) -> str:
        """The address of it, as it is shown."""
        text = self.shown if self.wrong else str(self.state)
        brush = None if self.brush == BRUSHES[0] else self.brush
        return position_url(self.game.spec, text, brush)

    @property
    def record(self) -> Record:
        """A match that begins there and that nobody has begun."""
        match = Match.begin(self.game, self.state)
        start = None if match.start is None else str(match.start)
        return Record(UNSTORED, "", self.game.spec, (PERSON, PERSON), NOBODY, start)


def _usual() -> str:
    """The game for whoever names none."""
    keys = [entry.key for entry in catalog()]
    return USUAL if USUAL in keys else keys[0]
