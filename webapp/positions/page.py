"""The page of the position editor: board, messages, analysis, and how to play on from there."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

from agents.contest.ladder import ladder
from agents.roster import agent_title
from engine import Game, Match
from engine.catalog import all_variants, find_entry, variant_title
from engine.core import Seat
from engine.errors import sentence
from webapp.boards import board_for
from webapp.boards.editor import BRUSHES, Editor, editor_for
from webapp.boards.grid import Board
from webapp.positions.query import Draft
from webapp.replays.models import INVITED, PERSON
from webapp.replays.page import MatchPage
from webapp.replays.query import MatchQuery, ask_class_url, picture_url
from webapp.replays.view import Visit
from webapp.web.forms import Choice
from webapp.web.messages import Message, Tone
from webapp.web.query import Pairs

EXAMPLE_PLIES = 3
FRIEND_HERE = "A friend, on this screen"
FRIEND_REMOTE = "A friend, on another device"


@dataclass(frozen=True)  # no slots: cached properties
class PositionPage:
    """What `positions/_position.html` reads.

    Its root element is `#match` too, so that keys, focus and panels work as in a match.
    """

    draft: Draft
    visit: Visit
    match: MatchPage | None  # with its panels; None for an invalid position
    error: Message | None = None  # why this request failed

    path: ClassVar[str] = "/positions"  # GET with `game` and `state`, POST to play on

    @property
    def game(self) -> Game[Any, Any]:
        return self.draft.game

    @property
    def brush(self) -> str:
        return self.draft.brush

    @property
    def query(self) -> MatchQuery:
        return self.visit.query

    @property
    def title(self) -> str:
        return f"{self.game.title}: set up a position"

    @property
    def playable(self) -> bool:
        """Whether a match can start from it."""
        return self.match is not None and not self.match.over

    @property
    def status(self) -> str:
        if self.match is None:
            return "Not a position yet"
        mover = self.match.mover
        return "Over" if mover is None else f"{mover.mark} to move"

    @cached_property
    def message(self) -> Message | None:
        """The error, or that the position is invalid, over, or unreachable by play."""
        if self.error is not None:
            return self.error
        if not self.draft.is_drawn:
            return Message(Tone.ERROR, sentence(str(self.draft.error)))
        notes = []
        if self.match is not None and self.match.over:
            notes.append(f"It is over already. {self.match.result}.")
        if (reach := self.draft.out_of_reach) is not None:
            notes.append(f"This cannot happen: {reach}.")
        return Message(Tone.NOTE, " ".join(notes)) if notes else None

    @cached_property
    def editor(self) -> Editor | None:
        drawn = None if self.match is None else self.match.board
        editor = editor_for(self.game, self.draft.text, self.brush, drawn)
        if editor is None and self.match is None:  # the text cannot be drawn: show the start
            return editor_for(self.game, str(self.game.start), self.brush)
        return editor

    @property
    def board(self) -> Board:
        """For a game without an editor; its start, while the text is not a position."""
        if self.match is not None:
            return self.match.board
        return board_for(Match.begin(self.game), ply=0, may_move=False)

    @property
    def brushes(self) -> tuple[tuple[str, str, bool], ...]:
        """What to place: name, address, chosen."""
        return tuple(
            (brush, self.query.url(replace(self.draft, brush=brush).path), brush == self.brush)
            for brush in (self.editor.brushes if self.editor else ())
        )

    @property
    def carried(self) -> Pairs:
        """Hidden fields that keep brush and panels after a change."""
        brush = () if self.brush == BRUSHES[0] else (("place", self.brush),)
        return (*brush, *replace(self.query, hint=False).form_fields)

    @property
    def games(self) -> tuple[Choice, ...]:
        """Field `game`: every variant with a preset, and the shown one."""
        shown = self.game.spec
        specs = {shown: self.game.key} | {game.spec: game.key for game in all_variants()}
        return tuple(
            Choice(spec, f"{find_entry(key).title} · {variant_title(spec)}", chosen=spec == shown)
            for spec, key in specs.items()
        )

    @property
    def example(self) -> str:
        """The text of a position a few moves into the game, so that there are pieces in it."""
        state = self.game.start
        for _ in range(EXAMPLE_PLIES):
            moves = state.legal_moves()
            after = state.play(moves[len(moves) // 2])
            if after.outcome() is not None:
                break
            state = after
        return str(state)

    @property
    def share_url(self) -> str:
        return self.visit.site + replace(self.draft, brush=BRUSHES[0]).path

    @property
    def present_url(self) -> str:
        return self.query.url(self.draft.path, present=not self.query.present)

    @property
    def picture_url(self) -> str | None:
        """The position as an image; None if it is none."""
        if self.draft.error is not None:
            return None
        return picture_url(self.game.spec, str(self.draft.state))

    @property
    def ask_url(self) -> str:
        """Asks a class about it."""
        return ask_class_url(self.game.spec, str(self.draft.state), ())

    @property
    def opponents(self) -> tuple[Choice, ...]:
        """People first, then every machine, weakest first, and the one whose head is open."""
        rungs = ladder(self.game.spec)
        usual = self._opened or (rungs[len(rungs) // 2].spec if rungs else PERSON)
        offered = {rung.spec: rung.title for rung in rungs}
        if self._opened:
            offered.setdefault(usual, agent_title(usual, self.game.spec))
        people = (
            Choice(PERSON, FRIEND_HERE, usual == PERSON),
            Choice(INVITED, FRIEND_REMOTE, chosen=False),
        )
        machines = (Choice(spec, title, spec == usual) for spec, title in offered.items())
        return (*people, *machines)

    @property
    def _opened(self) -> str | None:
        """The machine whose head is open, if the address names it: the move here is its own."""
        panel = None if self.match is None else self.match.analysis
        named = panel is not None and panel.opened and self.query.agent is not None
        return panel.agent if panel is not None and named else None

    @property
    def seats(self) -> tuple[Choice, ...]:
        """The seats to choose from; the mover's is the default, unless a machine is to show it."""
        player = None if self.match is None else self.match.mover
        mover = Seat.FIRST if player is None else player.seat
        own = mover.other if self._opened else mover
        return tuple(
            Choice(
                seat.mark,
                f"{seat.mark}, {'to move' if seat is mover else 'moving second'}",
                chosen=seat is own,
            )
            for seat in Seat
        )
