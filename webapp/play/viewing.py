"""A match as one visitor sees it: everything decided that the template prints."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from flask import request, url_for

from agents import Candidate
from engine import Match, Outcome, load_game
from engine.catalog import variant_title
from webapp.boards import board_for
from webapp.boards.board import Board
from webapp.play import referee
from webapp.play.look import Look, at_ply, requested, with_query
from webapp.play.records import Record
from webapp.play.seats import ending_text, match_title, players_of, result_text, says
from webapp.play.views import (
    Actions,
    AnalysisView,
    Hint,
    MatchView,
    Navigation,
    Player,
    PlayerKind,
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
    match: Match[Any, Any]
    look: Look
    ply: int
    is_owner: bool
    players: tuple[Player, Player]
    path: str

    @property
    def live(self) -> bool:
        return self.ply == self.match.ply

    @property
    def outcome(self) -> Outcome | None:
        """How it ended, when the end is what is shown."""
        return self.record.outcome if self.live else None

    @cached_property
    def may_move(self) -> bool:
        due = self.record.outcome is None and not referee.agent_is_to_move(self.record)
        return self.is_owner and self.live and due

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


def scene_of(record: Record, player: str | None, look: Look) -> Viewing:
    """The scene; the ply must be one of the match."""
    match = record.match
    ply = match.ply if look.ply is None else look.ply
    is_owner = record.owner == player
    players = players_of(record, match, ply, is_owner=is_owner)
    path = url_for("matches.show", match_id=record.id)
    return Viewing(record, match, look, ply, is_owner, players, path)


def match_view(
    scene: Viewing,
    *,
    analysis: AnalysisView,
    values: Mapping[str, Candidate[Any]] | None = None,
    hint: Hint | None = None,
    story: StoryView | None = None,
    message: Message | None = None,
    warming: bool = False,
) -> MatchView:
    """All of it."""
    record, match, look = scene.record, scene.match, scene.look
    board = _board(scene, values, hint)
    outcome = scene.outcome
    result = None
    if outcome is not None:
        why = board.why or ending_text(match, outcome, scene.players)
        result = result_text(outcome, scene.players, why)
    status = result or _status(scene, board, warming=warming)
    game = load_game(record.game)
    return MatchView(
        id=record.id,
        path=scene.path,
        url=scene.latest,
        here=scene.url(scene.ply),
        requested=requested(),
        game=game.key,
        game_title=game.title,
        spec=game.spec,
        variant=variant_title(record.game),
        title=match_title(scene.players),
        players=scene.players,
        ply=scene.ply,
        last_ply=match.ply,
        revision=record.revision,
        live=scene.live,
        may_move=scene.may_move,
        read_only=not scene.is_owner,
        watching=not record.people,
        to_move=next((player.seat for player in scene.players if player.to_move), None),
        status=status,
        announcement=_announcement(scene, status),
        over=outcome is not None,
        winner=None if outcome is None else outcome.winner,
        outcome=result,
        board=board,
        moves_url=scene.child("moves"),
        reply=_reply(scene),
        actions=_actions(scene),
        navigation=_navigation(scene),
        turns=_turns(scene),
        last_move=str(match.moves[scene.ply - 1]) if scene.ply else None,
        message=message or _note(scene),
        hint=hint,
        analysis=analysis,
        story=story,
        values=look.values,
        values_url=with_query(scene.path, replace(look, values=not look.values, hint=False)),
        present=look.present,
        present_url=with_query(scene.path, replace(look, present=not look.present)),
        share_url=request.host_url.rstrip("/") + with_query(scene.path, Look(ply=scene.ply)),
        json_url=url_for("exchange.as_json", match_id=record.id),
        text_url=url_for("exchange.as_text", match_id=record.id),
    )


def _board(scene: Viewing, values: Mapping[str, Candidate[Any]] | None, hint: Hint | None) -> Board:
    return board_for(
        scene.match,
        ply=scene.ply,
        may_move=scene.may_move,
        pick=scene.look.pick if scene.may_move else None,
        last_move=scene.match.moves[scene.ply - 1] if scene.ply else None,
        outcome=scene.outcome,
        values=values,
        hint=hint.move if hint else None,
    )


def _status(scene: Viewing, board: Board, *, warming: bool) -> str:
    if not scene.live:
        return f"After {scene.ply} of {scene.match.ply} moves"
    if board.prompt:
        return board.prompt
    mover = next(player for player in scene.players if player.to_move)
    if mover.kind is PlayerKind.YOU:
        return "Your move"
    if mover.kind is PlayerKind.AGENT and scene.record.people and scene.is_owner:
        return f"{mover.title} is {'warming up' if warming else 'thinking'}"
    return f"{mover.title} to move"


def _announcement(scene: Viewing, status: str) -> str:
    if not scene.ply:
        return f"{status}."
    mover = scene.players[scene.match.states[scene.ply - 1].to_move]
    verb = "played" if mover.kind is PlayerKind.YOU else "plays"
    return f"{mover.title} {verb} {scene.match.moves[scene.ply - 1]}. {status}."


def _reply(scene: Viewing) -> Reply | None:
    if not (scene.is_owner and scene.live and referee.agent_is_to_move(scene.record)):
        return None
    mover = next(player for player in scene.players if player.to_move)
    automatic = bool(scene.record.people)
    return Reply(scene.child("reply"), mover.title, automatic, SOON, still=False)


def _actions(scene: Viewing) -> Actions:
    record = scene.record
    over = record.outcome is not None
    open_here = scene.match.states[scene.ply].outcome() is None
    going_on = scene.is_owner and scene.live and not over
    play_on = scene.child("play-on") if open_here and not going_on else None
    story = scene.child("story") if over and scene.match.ply else None
    if not scene.is_owner:
        return Actions(play_on=play_on, story=story)
    one_each = len(record.people) == 1
    return Actions(
        undo=scene.child("undo") if referee.last_own_turn(record) is not None else None,
        hint=scene.child("hint") if scene.may_move else None,
        resign=scene.child("resign") if record.people and not over else None,
        rematch=scene.child("rematch") if over else None,
        swap=scene.child("swap") if one_each or over else None,
        play_on=play_on,
        story=story,
    )


def _navigation(scene: Viewing) -> Navigation:
    ply, last = scene.ply, scene.match.ply
    waits = scene.is_owner and scene.live and referee.agent_is_to_move(scene.record)
    return Navigation(
        first=scene.url(0) if ply > 0 else None,
        previous=scene.url(ply - 1) if ply > 0 else None,
        next=scene.url(ply + 1) if ply < last else None,
        last=scene.url(last) if ply < last else None,
        reply=scene.child("reply") if waits and not scene.record.people else None,
    )


def _turns(scene: Viewing) -> tuple[Turn, ...]:
    plies = [
        Ply(number, str(move), scene.url(number), shown=number == scene.ply)
        for number, move in enumerate(scene.match.moves, start=1)
    ]
    return tuple(
        Turn(at // 2 + 1, (plies[at], plies[at + 1] if at + 1 < len(plies) else None))
        for at in range(0, len(plies), 2)
    )


def _note(scene: Viewing) -> Message | None:
    """Where a substitute had to move, the board says so."""
    note = scene.record.plies[scene.ply - 1].note if scene.ply else None
    if note is None:
        return None
    mover = scene.players[scene.match.states[scene.ply - 1].to_move]
    return Message(Tone.WARNING, f"{says(mover, 'fail')} to answer: {note}.")
