"""What the page of a position is given; the same rules as in `webapp.play.views`."""

from __future__ import annotations

from dataclasses import dataclass

from webapp.boards.editor import Editor
from webapp.boards.scene import Board
from webapp.play.views import MatchView
from webapp.web.forms import Choice
from webapp.web.messages import Message


@dataclass(frozen=True, slots=True)
class PositionView:
    """A position being set up (`play/_position.html`, whose root is `#match` as well: a match that
    has not begun, so that keys, focus and panels are those of a match)."""

    title: str
    game: str  # key
    game_title: str
    variant: str
    spec: str
    games: tuple[Choice, ...]  # `game`: every variant that has a name
    text: str
    example: str  # a position of this very game, to write another by
    path: str  # GET, with `game` and `state`
    carried: tuple[tuple[str, str], ...]  # fields of a form, so that the look goes on after it
    status: str
    message: Message | None
    editor: Editor | None
    brush: str
    brushes: tuple[tuple[str, str, bool], ...]  # what to place: its name, address, whether it is it
    board: Board | None  # where the game has no editor
    match: MatchView | None  # with what is thought of it; None where it is no position
    requested: str
    share_url: str  # absolute
    present: bool
    present_url: str
    play_url: str | None  # POST; None where there is nothing to play
    opponents: tuple[Choice, ...]
    seats: tuple[Choice, ...]
    ask_url: str | None  # the class, where there is one to be asked
