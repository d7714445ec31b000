"""The page of a match at one ply: board, status, announcement, notes and links."""

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
    allowed_actions,
    ask_url,
    move_list,
    move_pages,
    pending_reply,
    ply_navigation,
    toggle_values,
    tree_url,
)
from webapp.replays.ply_view import Viewing
from webapp.replays.query import Look, path_fields, position_url, with_query
from webapp.replays.seats import PlayerKind, ending_text, match_title, result_text, with_verb
from webapp.replays.views import Hint, MatchView, Panel, StoryView
from webapp.web.messages import Message, Tone
from webapp.web.navigation import keys_address, rules_address


def match_view(
    viewing: Viewing,
    *,
    analysis: Panel,
    hint: Hint | None = None,
    story: StoryView | None = None,
    message: Message | None = None,
    warming: bool = False,
) -> MatchView:
    """Build the page of a match at the requested ply."""
    record, match, query = viewing.record, viewing.match, viewing.query
    board = _board(viewing, analysis, hint)
    outcome = viewing.outcome
    result = None
    if outcome is not None:
        why = board.why or ending_text(match, outcome, viewing.players)
        result = result_text(outcome, viewing.players, why)
    label = _reply_label(viewing, analysis)
    refused = _refusal(viewing, board, message)
    status = result or refused or _status(viewing, board, warming=warming, waits=label is not None)
    if analysis.line is not None:
        status = analysis.line.status_text or status
    game = load_game(record.game)
    return MatchView(
        id=record.id,
        path=viewing.path.partition("?")[0],
        fields=path_fields(viewing.path),
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
        announcement=refused or _announcement(viewing, status),
        over=outcome is not None,
        winner=None if outcome is None else outcome.winner,
        outcome=result,
        board=board,
        moves_url=viewing.child("moves"),
        reply=pending_reply(viewing, label),
        actions=allowed_actions(viewing),
        navigation=ply_navigation(viewing),
        turns=move_list(viewing),
        pages=move_pages(viewing),
        last_move=str(match.moves[viewing.ply - 1]) if viewing.ply else None,
        message=_note(viewing) if refused or message is None else message,
        hint=hint,
        analysis=analysis,
        comparison=None,
        company=None,
        carried=query.form_fields,
        aid_url=with_query(viewing.path, replace(query, aid=not query.aid)),
        story=story,
        values=query.values,
        values_url=with_query(viewing.path, toggle_values(query)),
        present=query.present,
        present_url=with_query(viewing.path, replace(query, present=not query.present)),
        share_url=viewing.visit.site + with_query(viewing.path, Look(ply=viewing.ply)),
        setup_url=position_url(game.spec, str(match.states[viewing.ply])),
        json_url=f"{viewing.path}.json",
        text_url=f"{viewing.path}.txt",
        ask_url=ask_url(viewing),
        rules_url=rules_address(game.spec, with_query(viewing.path, query)),
        keys_url=keys_address(with_query(viewing.path, query)),
        tree_url=tree_url(viewing),
        unadvised=sentence(viewing.advice_refusal) if viewing.advice_refusal else None,
        offers_rules=_offers_rules(viewing),
        place=record.place,
    )


def _refusal(viewing: Viewing, board: Board, message: Message | None) -> str | None:
    """Why the picked or submitted move was refused; it replaces the status."""
    if not viewing.may_move:
        return None
    if message is not None and message.tone is Tone.REFUSAL:
        return message.text
    return refusal_for(viewing.match, board, viewing.query.pick)


def _status(viewing: Viewing, board: Board, *, warming: bool, waits: bool) -> str:
    """Whose move it is, or what the match waits for."""
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


def _announcement(viewing: Viewing, status: str) -> str:
    """The text of the live region: the last move and the status."""
    if not viewing.ply:
        return f"{status}."
    mover = viewing.players[viewing.match.states[viewing.ply - 1].to_move]
    verb = "played" if mover.kind is PlayerKind.YOU else "plays"
    return f"{mover.title} {verb} {viewing.match.moves[viewing.ply - 1]}. {status}."


def _note(viewing: Viewing) -> Message | None:
    """A warning where an agent failed and a substitute moved, or the game ended by it."""
    if viewing.live and viewing.record.place and viewing.record.place.ending:
        return Message(Tone.WARNING, viewing.record.place.ending)
    note = viewing.record.plies[viewing.ply - 1].note if viewing.ply else None
    if note is None:
        return None
    mover = viewing.players[viewing.match.states[viewing.ply - 1].to_move]
    return Message(Tone.WARNING, f"{with_verb(mover, 'fail')} to answer: {note}.")


def _offers_rules(viewing: Viewing) -> bool:
    """Whether the visitor is about to make their first move in a game new to this browser."""
    met = viewing.match.game.key in viewing.visit.games_met
    own = permissions.last_own_turn(viewing.record, viewing.visit.actor)
    return viewing.may_move and not met and own is None


def _board(viewing: Viewing, analysis: Panel, hint: Hint | None) -> Board:
    if analysis.line is not None and analysis.line.shown is not None:
        return _line_board(viewing, analysis.line.shown)
    return board_for(
        viewing.match,
        ply=viewing.ply,
        may_move=viewing.may_move,
        pick=viewing.query.pick if viewing.may_move else None,
        last_move=viewing.match.moves[viewing.ply - 1] if viewing.ply else None,
        outcome=viewing.outcome,
        values=analysis.values,
        tallies=analysis.tallies,
        hint=hint.move if hint else None,
        aid=viewing.query.aid,
    )


def _line_board(viewing: Viewing, step: LineStep) -> Board:
    """The board after a step of an expected line, read-only."""
    return board_for(
        Match.begin(viewing.match.game, step.state),
        ply=0,
        may_move=False,
        last_move=step.move,
        outcome=step.state.outcome(),
        aid=viewing.query.aid,
    )


def _reply_label(viewing: Viewing, analysis: Panel) -> str | None:
    """The label of the reply button where the agent's exhibit is open; None: reply at once."""
    if not (viewing.query.show and viewing.awaits_reply and viewing.record.people):
        return None
    if viewing.record.seats[viewing.match.state.to_move] != analysis.agent:
        return None
    if analysis.exhibit is not None:
        return analysis.exhibit.press
    opening = analysis.pending and find_agent(analysis.agent.partition(":")[0]).lessons
    return LET_IT_MOVE if opening else None
