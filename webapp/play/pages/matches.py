"""A match: begun, shown at every ply, and changed by moves, replies and second thoughts."""

from __future__ import annotations

from flask import Blueprint, Response, request, url_for

from engine import Seat
from engine.catalog import find_entry
from webapp.lobby.pages import render_lobby
from webapp.lobby.setup import chosen_game, chosen_seats
from webapp.play import referee
from webapp.play.asking import begin_reply, reply_to
from webapp.play.look import Look
from webapp.play.pages.showing import (
    begin_change,
    change,
    changed,
    find,
    form_revision,
    show_match,
    still_thinking,
)
from webapp.play.records import Record
from webapp.services import services
from webapp.web.errors import show_errors_on
from webapp.web.htmx import go_to
from webapp.web.players import current_player, player_of_this_request

matches = Blueprint("matches", __name__, url_prefix="/matches")


@matches.post("")
def create() -> Response:
    """Begin a match as the form says; what is wrong with it is said on its card."""
    fields = request.form.to_dict()
    find_entry(fields.get("game", ""))  # without a game there is no card to say it on
    show_errors_on(lambda message, status: render_lobby(fields, message, status))
    services().spend()
    game = chosen_game(fields)
    seats = chosen_seats(fields, game)
    return started(services().store.create(player_of_this_request(), game.spec, seats))


@matches.get("/<match_id>")
def show(match_id: str) -> Response:
    """The match at the ply in the address, or as it stands."""
    look = Look.of(request.args)
    return show_match(find(match_id, look), look)


@matches.post("/<match_id>/moves")
def move(match_id: str) -> Response:
    """A person's move. A form may build it from several fields, such as a row and a count."""
    text = "".join(request.form.getlist("move"))
    return changed(
        change(match_id, lambda record, player, at: referee.moved(record, player, text, at))
    )


@matches.post("/<match_id>/reply")
def reply(match_id: str) -> Response:
    """The agent's move, as soon as it has made up its mind."""
    begin_change(match_id)
    record, player, at = services().store.find(match_id), current_player(), form_revision()
    if not referee.reply_is_due(record, player, at):
        return changed(record)
    answer = reply_to(record)
    if answer is None:
        return still_thinking(record)
    return changed(
        services().store.change(
            match_id, lambda now: referee.answered(now, player, answer.move, at, answer.note)
        )
    )


@matches.post("/<match_id>/undo")
def undo(match_id: str) -> Response:
    """Back to the person's last turn."""
    return changed(change(match_id, referee.taken_back))


@matches.post("/<match_id>/resign")
def resign(match_id: str) -> Response:
    """Give up."""
    return changed(change(match_id, referee.resigned))


@matches.post("/<match_id>/swap")
def swap(match_id: str) -> Response:
    """Change seats: here while the match goes on, in a new one when it is over."""
    record = services().store.find(match_id)
    if record.outcome is None:
        return changed(change(match_id, referee.swapped))
    begin_change(match_id)
    return _again(record, (record.seats[Seat.SECOND], record.seats[Seat.FIRST]))


@matches.post("/<match_id>/rematch")
def rematch(match_id: str) -> Response:
    """The same once more."""
    begin_change(match_id)
    record = services().store.find(match_id)
    return _again(record, record.seats)


def _again(record: Record, seats: tuple[str, str]) -> Response:
    referee.check_owner(record, current_player())
    return started(services().store.create(record.owner, record.game, seats))


def started(record: Record) -> Response:
    """Go to a match that has just begun; an agent that moves first is already thinking."""
    begin_reply(record)
    return go_to(url_for("matches.show", match_id=record.id))
