"""A match as one visitor sees it: everything decided that the template prints."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from agents import Candidate
from engine import Match, Outcome, Seat, load_game
from engine.catalog import variant_title
from webapp.boards import board_for
from webapp.boards.board import Board
from webapp.play import referee
from webapp.play.look import Look, Visit, at_ply, path_of, with_query
from webapp.play.records import Record
from webapp.play.seats import (
    Player,
    PlayerKind,
    ending_text,
    match_title,
    players_of,
    result_text,
    says,
)
from webapp.play.views import (
    Actions,
    Hint,
    MatchView,
    Navigation,
    Panel,
    Ply,
    Reply,
    StoryView,
    Turn,
)
from webapp.web.messages import Message, Tone

SOON = "load delay:500ms, every 600ms"  # after the move's animation, then until it is there


@dataclass(frozen=True)  # without slots: what follows from the fields is worked out once
class Viewing:
    """A record at the ply that is looked at, by one visitor."""

    record: Record
    visit: Visit

    @property
    def match(self) -> Match[Any, Any]:
        return self.record.match

    @property
    def look(self) -> Look:
        return self.visit.look

    @cached_property
    def ply(self) -> int:
        return referee.check_ply(self.record, self.look.ply)

    @cached_property
    def players(self) -> tuple[Player, Player]:
        return players_of(self.record, self.ply, self.visit.actor)

    @cached_property
    def path(self) -> str:
        return path_of(self.record.id)

    @property
    def live(self) -> bool:
        return self.ply == self.match.ply

    @property
    def outcome(self) -> Outcome | None:
        """How it ended, when the end is what is shown."""
        return self.record.outcome if self.live else None

    @cached_property
    def may_change(self) -> bool:
        return referee.may_change(self.record, self.visit.actor)

    @cached_property
    def may_move(self) -> bool:
        return self.live and referee.may_move(self.record, self.visit.actor)

    @cached_property
    def awaits_reply(self) -> bool:
        """Whether an agent owes a move that this visitor may ask for."""
        return self.may_change and self.live and referee.agent_is_to_move(self.record)

    @cached_property
    def latest(self) -> str:
        """The address of the last ply, the look kept."""
        return with_query(self.path, at_ply(self.look, None))

    def url(self, ply: int) -> str:
        """The address of another ply, the look kept."""
        if ply == self.match.ply:
            return self.latest
        rest = self.latest[len(self.path) + 1 :]
        return f"{self.path}?ply={ply}&{rest}" if rest else f"{self.path}?ply={ply}"

    def child(self, name: str) -> str:
        """The address of an action."""
        return f"{self.path}/{name}"


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
    board = _board(viewing, analysis.values, hint)
    outcome = viewing.outcome
    result = None
    if outcome is not None:
        why = board.why or ending_text(match, outcome, viewing.players)
        result = result_text(outcome, viewing.players, why)
    status = result or _status(viewing, board, warming=warming)
    game = load_game(record.game)
    return MatchView(
        id=record.id,
        path=viewing.path,
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
        announcement=_announcement(viewing, status),
        over=outcome is not None,
        winner=None if outcome is None else outcome.winner,
        outcome=result,
        board=board,
        moves_url=viewing.child("moves"),
        reply=_reply(viewing),
        actions=_actions(viewing),
        navigation=_navigation(viewing),
        turns=_turns(viewing),
        last_move=str(match.moves[viewing.ply - 1]) if viewing.ply else None,
        message=message or _note(viewing),
        hint=hint,
        analysis=analysis,
        story=story,
        values=look.values,
        values_url=with_query(viewing.path, replace(look, values=not look.values)),
        present=look.present,
        present_url=with_query(viewing.path, replace(look, present=not look.present)),
        share_url=viewing.visit.site + with_query(viewing.path, Look(ply=viewing.ply)),
        json_url=f"{viewing.path}.json",
        text_url=f"{viewing.path}.txt",
    )


def _board(viewing: Viewing, values: Mapping[str, Candidate[Any]], hint: Hint | None) -> Board:
    return board_for(
        viewing.match,
        ply=viewing.ply,
        may_move=viewing.may_move,
        pick=viewing.look.pick if viewing.may_move else None,
        last_move=viewing.match.moves[viewing.ply - 1] if viewing.ply else None,
        outcome=viewing.outcome,
        values=values,
        hint=hint.move if hint else None,
    )


def _status(viewing: Viewing, board: Board, *, warming: bool) -> str:
    if not viewing.live:
        return f"After {viewing.ply} of {viewing.match.ply} moves"
    if board.prompt:
        return board.prompt
    mover = next(player for player in viewing.players if player.to_move)
    if mover.kind is PlayerKind.YOU:
        return "Your move"
    if mover.kind is PlayerKind.AGENT and viewing.record.people and viewing.may_change:
        return f"{mover.title} is {'warming up' if warming else 'thinking'}"
    return f"{mover.title} to move"


def _announcement(viewing: Viewing, status: str) -> str:
    if not viewing.ply:
        return f"{status}."
    mover = viewing.players[viewing.match.states[viewing.ply - 1].to_move]
    verb = "played" if mover.kind is PlayerKind.YOU else "plays"
    return f"{mover.title} {verb} {viewing.match.moves[viewing.ply - 1]}. {status}."


def _reply(viewing: Viewing) -> Reply | None:
    if not viewing.awaits_reply:
        return None
    mover = next(player for player in viewing.players if player.to_move)
    automatic = bool(viewing.record.people)
    return Reply(viewing.child("reply"), mover.title, automatic, SOON)


def _actions(viewing: Viewing) -> Actions:
    record = viewing.record
    over = record.outcome is not None
    open_here = viewing.match.states[viewing.ply].outcome() is None
    going_on = viewing.may_change and viewing.live and not over
    play_on = viewing.child("play-on") if open_here and not going_on else None
    story = None
    if over and viewing.match.ply and not viewing.look.story:
        story = with_query(viewing.path, replace(viewing.look, story=True, hint=False, pick=None))
    if not viewing.may_change:
        return Actions(play_on=play_on, story=story)
    actor = viewing.visit.actor
    one_each = len(record.people) == 1
    return Actions(
        undo=viewing.child("undo") if referee.last_own_turn(record, actor) is not None else None,
        hint=with_query(viewing.child("hint"), replace(viewing.look, hint=False, pick=None))
        if viewing.may_move
        else None,
        resign=viewing.child("resign") if record.held_by(actor) and not over else None,
        rematch=viewing.child("rematch") if over else None,
        swap=viewing.child("swap") if one_each or over else None,
        play_on=play_on,
        story=story,
    )


def _navigation(viewing: Viewing) -> Navigation:
    ply, last = viewing.ply, viewing.match.ply
    awaited = viewing.awaits_reply and not viewing.record.people
    return Navigation(
        first=viewing.url(0) if ply > 0 else None,
        previous=viewing.url(ply - 1) if ply > 0 else None,
        next=viewing.url(ply + 1) if ply < last else None,
        last=viewing.url(last) if ply < last else None,
        reply=viewing.child("reply") if awaited else None,
    )


def _turns(viewing: Viewing) -> tuple[Turn, ...]:
    """Two plies a line, what first played on the left, also where second began."""
    match = viewing.match
    plies: list[Ply | None] = [
        Ply(number, str(move), viewing.url(number), shown=number == viewing.ply)
        for number, move in enumerate(match.moves, start=1)
    ]
    if plies and match.states[0].to_move is Seat.SECOND:
        plies.insert(0, None)
    if len(plies) % 2:
        plies.append(None)
    return tuple(Turn(at // 2 + 1, (plies[at], plies[at + 1])) for at in range(0, len(plies), 2))


def _note(viewing: Viewing) -> Message | None:
    """Where a substitute had to move, the board says so."""
    note = viewing.record.plies[viewing.ply - 1].note if viewing.ply else None
    if note is None:
        return None
    mover = viewing.players[viewing.match.states[viewing.ply - 1].to_move]
    return Message(Tone.WARNING, f"{says(mover, 'fail')} to answer: {note}.")
