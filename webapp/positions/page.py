"""The page of a position: its board to press, what can be said of it, and the ways on from it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from engine import Game
from engine.catalog import all_variants, find_entry, variant_title
from engine.core import Seat
from engine.errors import sentence
from webapp.boards import board_for
from webapp.boards.editor import BRUSHES, Editor, editor_for
from webapp.boards.scene import Board
from webapp.matches.ladder import ladder
from webapp.positions.query import Draft
from webapp.replays.models import INVITED, PERSON
from webapp.replays.page import match_view
from webapp.replays.ply_view import Viewing
from webapp.replays.query import Look, Visit, ask_address, with_query
from webapp.replays.views import MatchView, Panel
from webapp.web.forms import Choice
from webapp.web.messages import Message, Tone


@dataclass(frozen=True, slots=True)
class PositionView:
    """A position being set up (`positions/_position.html`, whose root is `#match` as well: a match
    that has not begun, so that keys, focus and panels are those of a match)."""

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


EXAMPLE_PLIES = 3
FRIEND = "A friend, on this screen"
AWAY = "A friend, on another device"


def position_view(
    draft: Draft, visit: Visit, panel: Panel | None, message: Message | None = None
) -> PositionView:
    """All of it; a panel for what is a position, none for what is not."""
    game, look = draft.game, visit.look
    match = None if panel is None else match_view(Viewing(draft.record, visit), analysis=panel)
    board = None if match is None else match.board
    editor = editor_for(game, draft.text, draft.brush, board)
    if editor is None and match is None:  # nothing can be drawn of it: go on from the start
        editor = editor_for(game, str(game.start), draft.brush)
    over = match is not None and match.over
    return PositionView(
        title=f"{game.title}: set up a position",
        game=game.key,
        game_title=game.title,
        variant=variant_title(game.spec),
        spec=game.spec,
        games=_games(game.spec),
        text=draft.shown,
        example=_example(game),
        path="/positions",
        carried=(*_place(draft), *_carried(look)),
        status=_status(match),
        message=message or _message(draft, match),
        editor=editor,
        brush=draft.brush,
        brushes=tuple(
            (brush, with_query(replace_brush(draft, brush), look), brush == draft.brush)
            for brush in (editor.brushes if editor else ())
        ),
        board=None if editor else board or _start_board(draft),
        match=match,
        requested=visit.address,
        share_url=visit.site + replace(draft, brush=BRUSHES[0]).path,
        present=look.present,
        present_url=with_query(draft.path, replace(look, present=not look.present)),
        play_url=None if match is None or over else "/positions",
        opponents=_opponents(game.spec),
        seats=_seats(match),
        ask_url=_ask_url(draft) if match is not None and not over else None,
    )


def _example(game: Game[Any, Any]) -> str:
    """A text to write another by: a few moves into the game, so that there are pieces in it."""
    state = game.start
    for _ in range(EXAMPLE_PLIES):
        moves = state.legal_moves()
        after = state.play(moves[len(moves) // 2])
        if after.outcome() is not None:
            break
        state = after
    return str(state)


def replace_brush(draft: Draft, brush: str) -> str:
    """The address of the same position with something else in the hand."""
    return replace(draft, brush=brush).path


def _place(draft: Draft) -> tuple[tuple[str, str], ...]:
    return (("place", draft.brush),) if "&place=" in draft.path else ()


def _carried(look: Look) -> tuple[tuple[str, str], ...]:
    return replace(look, hint=False).carried


def _status(match: MatchView | None) -> str:
    if match is None:
        return "Not a position yet"
    if match.over or match.to_move is None:
        return "Over"
    return f"{match.to_move.mark} to move"


def _message(draft: Draft, match: MatchView | None) -> Message | None:
    """What has to be said of it: it is none, it is over, no play leads there."""
    if not draft.is_drawn:
        return Message(Tone.ERROR, sentence(str(draft.wrong)))
    reach = draft.out_of_reach
    told = [] if match is None or not match.over else [f"It is over already. {match.outcome}."]
    if reach is not None:
        told.append(f"No play can reach this: {reach}.")
    return Message(Tone.NOTE, " ".join(told)) if told else None


def _games(spec: str) -> tuple[Choice, ...]:
    """Every variant that has a name, and the one that is shown."""
    named = {
        game.spec: f"{find_entry(game.key).title} · {variant_title(game.spec)}"
        for game in all_variants()
    }
    shown = {spec: f"{find_entry(spec.partition(':')[0]).title} · {variant_title(spec)}"} | named
    return tuple(Choice(value, label, chosen=value == spec) for value, label in shown.items())


def _opponents(spec: str) -> tuple[Choice, ...]:
    """People first, then every machine, gentlest first."""
    rungs = ladder(spec)
    usual = rungs[len(rungs) // 2].spec if rungs else PERSON
    people = (Choice(PERSON, FRIEND, usual == PERSON), Choice(INVITED, AWAY, chosen=False))
    return (*people, *(Choice(rung.spec, rung.title, rung.spec == usual) for rung in rungs))


def _seats(match: MatchView | None) -> tuple[Choice, ...]:
    """Whoever plays on usually moves first."""
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
    """For a game without an editor, while what is written is no position of it."""
    start = replace(draft, text=str(draft.game.start))
    return board_for(start.record.match, ply=0, may_move=False)


def _ask_url(draft: Draft) -> str:
    """Where a class is asked about it."""
    return ask_address(draft.game.spec, str(draft.state), ())
