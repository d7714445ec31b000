"""The page of the position editor: board, messages, analysis, and how to play on from there."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from agents.contest.ladder import ladder
from engine import Game
from engine.catalog import all_variants, find_entry, variant_title
from engine.core import Seat
from engine.errors import sentence
from webapp.boards import board_for
from webapp.boards.editor import BRUSHES, Editor, editor_for
from webapp.boards.scene import Board
from webapp.positions.query import Draft
from webapp.replays.models import INVITED, PERSON
from webapp.replays.page import match_view
from webapp.replays.ply_view import Viewing
from webapp.replays.query import Visit, ask_class_url, with_query
from webapp.replays.views import MatchView, Panel
from webapp.web.forms import Choice
from webapp.web.messages import Message, Tone

EXAMPLE_PLIES = 3
FRIEND_HERE = "A friend, on this screen"
FRIEND_REMOTE = "A friend, on another device"


@dataclass(frozen=True, slots=True)
class PositionView:
    """A position being edited (`positions/_position.html`).

    Its root element is `#match` too, so that keys, focus and panels work as in a match.
    """

    title: str
    game: str  # key
    game_title: str
    variant: str
    spec: str
    games: tuple[Choice, ...]  # field `game`: every variant with a preset
    text: str
    example: str  # a position of this game
    path: str  # GET with `game` and `state`
    carried: tuple[tuple[str, str], ...]  # hidden fields that keep the panels after a change
    status: str
    message: Message | None
    editor: Editor | None
    brush: str
    brushes: tuple[tuple[str, str, bool], ...]  # what to place: name, address, chosen
    board: Board | None  # for a game without an editor
    match: MatchView | None  # with its panels; None for an invalid position
    requested: str
    share_url: str  # absolute
    present: bool
    present_url: str
    play_url: str | None  # POST; None where the game is over
    opponents: tuple[Choice, ...]
    seats: tuple[Choice, ...]
    ask_url: str | None  # asks a class about it


def position_view(
    draft: Draft, visit: Visit, panel: Panel | None, message: Message | None = None
) -> PositionView:
    """Build the page; `panel` is None for an invalid position."""
    game, query = draft.game, visit.query
    match = None if panel is None else match_view(Viewing(draft.record, visit), analysis=panel)
    board = None if match is None else match.board
    editor = editor_for(game, draft.text, draft.brush, board)
    if editor is None and match is None:  # the text cannot be drawn: show the start
        editor = editor_for(game, str(game.start), draft.brush)
    over = match is not None and match.over
    return PositionView(
        title=f"{game.title}: set up a position",
        game=game.key,
        game_title=game.title,
        variant=variant_title(game.spec),
        spec=game.spec,
        games=_games(game.spec),
        text=draft.shown_text,
        example=_example(game),
        path="/positions",
        carried=(*_brush_field(draft), *replace(query, hint=False).form_fields),
        status=_status(match),
        message=message or _message(draft, match),
        editor=editor,
        brush=draft.brush,
        brushes=tuple(
            (brush, with_query(replace(draft, brush=brush).path, query), brush == draft.brush)
            for brush in (editor.brushes if editor else ())
        ),
        board=None if editor else board or _start_board(draft),
        match=match,
        requested=visit.address,
        share_url=visit.site + replace(draft, brush=BRUSHES[0]).path,
        present=query.present,
        present_url=with_query(draft.path, replace(query, present=not query.present)),
        play_url=None if match is None or over else "/positions",
        opponents=_opponents(game.spec),
        seats=_seats(match),
        ask_url=ask_class_url(game.spec, str(draft.state), ())
        if match is not None and not over
        else None,
    )


def _example(game: Game[Any, Any]) -> str:
    """The text of a position a few moves into the game, so that there are pieces in it."""
    state = game.start
    for _ in range(EXAMPLE_PLIES):
        moves = state.legal_moves()
        after = state.play(moves[len(moves) // 2])
        if after.outcome() is not None:
            break
        state = after
    return str(state)


def _brush_field(draft: Draft) -> tuple[tuple[str, str], ...]:
    return (("place", draft.brush),) if "&place=" in draft.path else ()


def _status(match: MatchView | None) -> str:
    if match is None:
        return "Not a position yet"
    if match.over or match.to_move is None:
        return "Over"
    return f"{match.to_move.mark} to move"


def _message(draft: Draft, match: MatchView | None) -> Message | None:
    """A message if the position is invalid, over, or unreachable by play."""
    if not draft.is_drawn:
        return Message(Tone.ERROR, sentence(str(draft.error)))
    reach = draft.out_of_reach
    notes = [] if match is None or not match.over else [f"It is over already. {match.outcome}."]
    if reach is not None:
        notes.append(f"No play can reach this: {reach}.")
    return Message(Tone.NOTE, " ".join(notes)) if notes else None


def _games(spec: str) -> tuple[Choice, ...]:
    """Every variant with a preset, and the shown one."""
    named = {
        game.spec: f"{find_entry(game.key).title} · {variant_title(game.spec)}"
        for game in all_variants()
    }
    shown = {spec: f"{find_entry(spec.partition(':')[0]).title} · {variant_title(spec)}"} | named
    return tuple(Choice(value, label, chosen=value == spec) for value, label in shown.items())


def _opponents(spec: str) -> tuple[Choice, ...]:
    """People first, then every machine, weakest first."""
    rungs = ladder(spec)
    usual = rungs[len(rungs) // 2].spec if rungs else PERSON
    people = (
        Choice(PERSON, FRIEND_HERE, usual == PERSON),
        Choice(INVITED, FRIEND_REMOTE, chosen=False),
    )
    return (*people, *(Choice(rung.spec, rung.title, rung.spec == usual) for rung in rungs))


def _seats(match: MatchView | None) -> tuple[Choice, ...]:
    """The seats to choose from; the mover's is the default."""
    mover = Seat.FIRST if match is None or match.to_move is None else match.to_move
    return tuple(
        Choice(
            seat.mark,
            f"{seat.mark}, {'to move' if seat is mover else 'moving second'}",
            chosen=seat is mover,
        )
        for seat in Seat
    )


def _start_board(draft: Draft) -> Board:
    """The start of a game without an editor, while the text is not a position of it."""
    start = replace(draft, text=str(draft.game.start))
    return board_for(start.record.match, ply=0, may_move=False)
