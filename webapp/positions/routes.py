"""Any position: shown, looked into, and played on from. Its address is all there is of it."""

from __future__ import annotations

from dataclasses import replace

from flask import Blueprint, Response, request

from agents.roster import player_spec, ready_spec
from engine import Match, Seat
from webapp.matches.changes import start
from webapp.positions.page import position_view
from webapp.positions.query import Draft
from webapp.replays.models import INVITED, PERSON, new_record
from webapp.replays.ply_view import Viewing
from webapp.replays.query import Look
from webapp.replays.trees.query import TreeLook
from webapp.replays.trees.requests import tree_view
from webapp.replays.visits import nothing_new, thoughts_on, visit_to
from webapp.services import services
from webapp.web.cookies import player_of_this_request
from webapp.web.errors import FinishedError, InvalidFormError, show_errors_on, status_of
from webapp.web.forms import Fields
from webapp.web.htmx import partial_is_wanted, render
from webapp.web.messages import Message
from webapp.workers.requests import ON_THE_SPOT

positions = Blueprint("positions", __name__, url_prefix="/positions")
BLUEPRINTS = (positions,)


@positions.get("")
@positions.get("/analysis")
@positions.get("/compare")
def show() -> Response:
    """The position in the address, with what is thought of it where that is asked for."""
    draft = Draft.of(request.args)
    look = _look(request.args)
    if request.path != positions.url_prefix:
        look = replace(look, values=True)
    show_errors_on(lambda message, status: _page(draft, _quiet(look), message, status))
    if look.values and draft.wrong is None:  # someone has to think
        services().spend()
    return _page(draft, look)


@positions.get("/tree")
def tree() -> Response:
    """The textbook search from the position, as far as the address says."""
    draft = Draft.of(request.args)
    look = replace(TreeLook.of(request.args), ply=0)
    if draft.wrong is not None:
        raise draft.wrong
    services().spend()
    visit = replace(visit_to(Look()), place=draft.path)
    view = tree_view(draft.record, 0, look, visit)
    if view.pending and partial_is_wanted() and "known" in request.args:
        return nothing_new()
    return render("replays/trees/page.html", "replays/trees/_tree.html", tree=view)


@positions.post("")
def begin() -> Response:
    """A match of one's own from the position, against whom and on which seat the form says."""
    fields = request.form.to_dict()
    draft = Draft.of(fields)
    look = _quiet(_look(fields))
    show_errors_on(lambda message, status: _page(draft, look, message, status))
    services().spend()
    match = Match.begin(draft.game, draft.state)
    if match.outcome() is not None:
        raise FinishedError("the game is over here: there is nothing to play on from")
    return start(new_record(player_of_this_request(), match, _seats(fields, draft)))


def _seats(fields: Fields, draft: Draft) -> tuple[str, str]:
    """Who sits where; raises for a seat there is none of, and who cannot play this."""
    mark = fields.get("seat") or draft.state.to_move.mark
    if mark not in [seat.mark for seat in Seat]:
        raise InvalidFormError(mark, "you play x or o")
    spec = fields.get("opponent") or PERSON
    opponent = spec
    if spec not in (PERSON, INVITED):
        opponent = ready_spec(player_spec(spec, draft.game), draft.game, ON_THE_SPOT)
    return (PERSON, opponent) if mark == Seat.FIRST.mark else (opponent, PERSON)


def _look(fields: Fields) -> Look:
    """There is one ply, and nothing of a match."""
    return replace(Look.of(fields), ply=None, pick=None, hint=False, story=False)


def _quiet(look: Look) -> Look:
    """Without a thought, for a page that says what went wrong."""
    return Look(present=look.present, aid=look.aid)


def _page(
    draft: Draft, look: Look, message: Message | None = None, status: int | None = None
) -> Response:
    visit = replace(visit_to(look), place=draft.path)
    thoughts = None
    if draft.wrong is None:
        thoughts = thoughts_on(Viewing(draft.record, visit), message)
        if thoughts is None:
            return nothing_new()
    elif status is None and not draft.is_drawn:
        status = status_of(draft.wrong)
    view = position_view(draft, visit, thoughts.panel if thoughts else None, message)
    if view.match is not None and thoughts is not None:
        view = replace(view, match=replace(view.match, comparison=thoughts.comparison))
    context = {"position": view, "match": view.match}
    return render("positions/page.html", "positions/_position.html", status or 200, **context)
