"""What a match says in words: the status line, what is read aloud, and notes."""

from __future__ import annotations

from webapp.boards import refusal_for
from webapp.boards.scene import Board
from webapp.play import permissions
from webapp.play.seats import PlayerKind, says
from webapp.play.viewing import Viewing
from webapp.web.messages import Message, Tone


def refused_for(viewing: Viewing, board: Board, message: Message | None) -> str | None:
    """Why what was pressed, or sent, is no move: said where it says whose move it is."""
    if not viewing.may_move:
        return None
    if message is not None and message.tone is Tone.REFUSAL:
        return message.text
    return refusal_for(viewing.match, board, viewing.look.pick)


def status_line(viewing: Viewing, board: Board, *, warming: bool, waits: bool) -> str:
    """Whose move it is, or what is waited for."""
    if not viewing.live:
        return f"After {viewing.ply} of {viewing.match.ply} moves"
    if board.prompt:
        return board.prompt
    mover = next(player for player in viewing.players if player.to_move)
    if mover.kind is PlayerKind.YOU:
        return "Your move"
    if viewing.record.is_shared and viewing.record.holders[mover.seat] is None:
        return "Waiting for a friend"
    if (
        mover.kind is PlayerKind.AGENT
        and viewing.record.people
        and viewing.may_change
        and not waits
    ):
        return f"{mover.title} is {'warming up' if warming else 'thinking'}"
    return f"{mover.title} to move"


def announcement_of(viewing: Viewing, status: str) -> str:
    """What a screen reader says after each change: the move, and the status."""
    if not viewing.ply:
        return f"{status}."
    mover = viewing.players[viewing.match.states[viewing.ply - 1].to_move]
    verb = "played" if mover.kind is PlayerKind.YOU else "plays"
    return f"{mover.title} {verb} {viewing.match.moves[viewing.ply - 1]}. {status}."


def note_on(viewing: Viewing) -> Message | None:
    """Where a substitute had to move, or one broke, the board says so."""
    if viewing.live and viewing.record.place and viewing.record.place.ending:
        return Message(Tone.WARNING, viewing.record.place.ending)
    note = viewing.record.plies[viewing.ply - 1].note if viewing.ply else None
    if note is None:
        return None
    mover = viewing.players[viewing.match.states[viewing.ply - 1].to_move]
    return Message(Tone.WARNING, f"{says(mover, 'fail')} to answer: {note}.")


def is_new_to(viewing: Viewing) -> bool:
    """Whether someone is to make their first move in a game they have not met."""
    met = viewing.match.game.key in viewing.visit.games_met
    own = permissions.last_own_turn(viewing.record, viewing.visit.actor)
    return viewing.may_move and not met and own is None
