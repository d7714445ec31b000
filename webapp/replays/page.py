"""What a match says in words: the status line, what is read aloud, and notes."""

from __future__ import annotations

from dataclasses import replace

from agents.roster import find_agent
from engine import Match, load_game
from engine.catalog import variant_title
from engine.errors import sentence
from webapp.boards import board_for, refusal_for
from webapp.boards.scene import Board
from webapp.exhibits.lines import LineStep
from webapp.replays import permissions
from webapp.replays.links import (
    LET_IT_MOVE,
    actions_of,
    ask_url,
    navigation_of,
    pages_of,
    reply_owed,
    tree_url,
    turns_of,
    values_turned,
)
from webapp.replays.ply_view import Viewing
from webapp.replays.query import Look, place_fields, position_path, with_query
from webapp.replays.seats import PlayerKind, ending_text, match_title, result_text, says
from webapp.replays.views import Hint, MatchView, Panel, StoryView
from webapp.web.messages import Message, Tone
from webapp.web.navigation import keys_address, rules_address


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


def match_view(
    viewing: Viewing,
    *,
    analysis: Panel,
    hint: Hint | None = None,
    story: StoryView | None = None,
    message: Message | None = None,
    warming: bool = False,
) -> MatchView:
    """All of it."""
    record, match, look = viewing.record, viewing.match, viewing.look
    board = _board(viewing, analysis, hint)
    outcome = viewing.outcome
    result = None
    if outcome is not None:
        why = board.why or ending_text(match, outcome, viewing.players)
        result = result_text(outcome, viewing.players, why)
    press = _press(viewing, analysis)
    refused = refused_for(viewing, board, message)
    status = (
        result or refused or status_line(viewing, board, warming=warming, waits=press is not None)
    )
    if analysis.line is not None:
        status = analysis.line.told or status
    game = load_game(record.game)
    return MatchView(
        id=record.id,
        path=viewing.path.partition("?")[0],
        fields=place_fields(viewing.path),
        url=viewing.latest,
        requested=viewing.visit.address,
        game=game.key,
        game_title=game.title,
        spec=game.spec,
        variant=variant_title(record.game),
        title=match_title(viewing.players),
        players=viewing.players,
        ply=viewing.ply,
        last_ply=match.ply,
        revision=record.revision,
        live=viewing.live,
        may_move=viewing.may_move,
        read_only=not viewing.may_change,
        watching=not record.people,
        to_move=next((player.seat for player in viewing.players if player.to_move), None),
        status=status,
        refused=refused is not None,
        announcement=refused or announcement_of(viewing, status),
        over=outcome is not None,
        winner=None if outcome is None else outcome.winner,
        outcome=result,
        board=board,
        moves_url=viewing.child("moves"),
        reply=reply_owed(viewing, press),
        actions=actions_of(viewing),
        navigation=navigation_of(viewing),
        turns=turns_of(viewing),
        pages=pages_of(viewing),
        last_move=str(match.moves[viewing.ply - 1]) if viewing.ply else None,
        message=note_on(viewing) if refused or message is None else message,
        hint=hint,
        analysis=analysis,
        comparison=None,
        company=None,
        carried=look.carried,
        aid_url=with_query(viewing.path, replace(look, aid=not look.aid)),
        story=story,
        values=look.values,
        values_url=with_query(viewing.path, values_turned(look)),
        present=look.present,
        present_url=with_query(viewing.path, replace(look, present=not look.present)),
        share_url=viewing.visit.site + with_query(viewing.path, Look(ply=viewing.ply)),
        setup_url=position_path(game.spec, str(match.states[viewing.ply])),
        json_url=f"{viewing.path}.json",
        text_url=f"{viewing.path}.txt",
        ask_url=ask_url(viewing),
        rules_url=rules_address(game.spec, with_query(viewing.path, look)),
        keys_url=keys_address(with_query(viewing.path, look)),
        tree_url=tree_url(viewing),
        unadvised=sentence(viewing.unadvised) if viewing.unadvised else None,
        offers_rules=is_new_to(viewing),
        place=record.place,
    )


def _board(viewing: Viewing, analysis: Panel, hint: Hint | None) -> Board:
    if analysis.line is not None and analysis.line.shown is not None:
        return _foreseen(viewing, analysis.line.shown)
    return board_for(
        viewing.match,
        ply=viewing.ply,
        may_move=viewing.may_move,
        pick=viewing.look.pick if viewing.may_move else None,
        last_move=viewing.match.moves[viewing.ply - 1] if viewing.ply else None,
        outcome=viewing.outcome,
        values=analysis.values,
        tallies=analysis.tallies,
        hint=hint.move if hint else None,
        aid=viewing.look.aid,
    )


def _foreseen(viewing: Viewing, step: LineStep) -> Board:
    """A position that nobody has played yet: to look at, not to move in."""
    return board_for(
        Match.begin(viewing.match.game, step.state),
        ply=0,
        may_move=False,
        last_move=step.move,
        outcome=step.state.outcome(),
        aid=viewing.look.aid,
    )


def _press(viewing: Viewing, analysis: Panel) -> str | None:
    """What the agent's move is called where it waits for a press, because its head is open."""
    if not (viewing.look.show and viewing.awaits_reply and viewing.record.people):
        return None
    if viewing.record.seats[viewing.match.state.to_move] != analysis.agent:
        return None
    if analysis.exhibit is not None:
        return analysis.exhibit.press
    opening = analysis.pending and find_agent(analysis.agent.partition(":")[0]).lessons
    return LET_IT_MOVE if opening else None
