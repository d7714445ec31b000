"""Routes of the position editor; a position is stored nowhere but in its address."""

from __future__ import annotations

from dataclasses import replace

from flask import Blueprint, Response, request

from agents.roster import player_spec, ready_spec
from engine import Match, Seat
from webapp.matches.changes import start
from webapp.positions.page import position_view
from webapp.positions.query import Draft
from webapp.replays.errors import FinishedError
from webapp.replays.models import INVITED, PERSON, new_record
from webapp.replays.ply_view import Viewing
from webapp.replays.query import MatchQuery
from webapp.replays.trees.query import TreeQuery
from webapp.replays.trees.requests import tree_view
from webapp.replays.visits import advice_for, no_content, visit_for
from webapp.services import service
from webapp.web.cookies import player_of_this_request
from webapp.web.errors import InvalidFormError, show_errors_on, status_of
from webapp.web.forms import Fields
from webapp.web.htmx import partial_is_wanted, render
from webapp.web.messages import Message
from webapp.web.rate_limits import RateLimits
from webapp.workers.requests import MAX_INLINE_TRAINING_S

positions = Blueprint("positions", __name__, url_prefix="/positions")
BLUEPRINTS = (positions,)


@positions.get("")
@positions.get("/analysis")
@positions.get("/compare")
def show() -> Response:
    """The position in the address, with the requested panels."""
    draft = Draft.parse(request.args)
    query = _parse_query(request.args)
    if request.path != positions.url_prefix:
        query = replace(query, values=True)
    show_errors_on(lambda message, status: _page(draft, _without_panels(query), message, status))
    if query.values and draft.error is None:  # takes a worker
        service(RateLimits).spend()
    return _page(draft, query)


@positions.get("/tree")
def tree() -> Response:
    """The search tree of the position."""
    draft = Draft.parse(request.args)
    query = replace(TreeQuery.parse(request.args), ply=0)
    if draft.error is not None:
        raise draft.error
    service(RateLimits).spend()
    visit = replace(visit_for(MatchQuery()), place=draft.path)
    view = tree_view(draft.record, 0, query, visit)
    if view.pending and partial_is_wanted() and "known" in request.args:
        return no_content()
    return render("replays/trees/page.html", "replays/trees/_tree.html", tree=view)


@positions.post("")
def begin() -> Response:
    """Start a match from the position with the form's opponent and seat."""
    fields = request.form.to_dict()
    draft = Draft.parse(fields)
    query = _without_panels(_parse_query(fields))
    show_errors_on(lambda message, status: _page(draft, query, message, status))
    service(RateLimits).spend()
    match = Match.begin(draft.game, draft.state)
    if match.outcome() is not None:
        raise FinishedError("the game is over here: there is nothing to play on from")
    return start(new_record(player_of_this_request(), match, _seats(fields, draft)))


def _seats(fields: Fields, draft: Draft) -> tuple[str, str]:
    """The players of both seats; raises for an invalid seat or opponent."""
    mark = fields.get("seat") or draft.state.to_move.mark
    if mark not in [seat.mark for seat in Seat]:
        raise InvalidFormError(mark, "you play x or o")
    spec = fields.get("opponent") or PERSON
    opponent = spec
    if spec not in (PERSON, INVITED):
        opponent = ready_spec(player_spec(spec, draft.game), draft.game, MAX_INLINE_TRAINING_S)
    return (PERSON, opponent) if mark == Seat.FIRST.mark else (opponent, PERSON)


def _parse_query(fields: Fields) -> MatchQuery:
    """The query without what only a match has."""
    return replace(MatchQuery.parse(fields), ply=None, pick=None, hint=False, story=False)


def _without_panels(query: MatchQuery) -> MatchQuery:
    """The query of a page that shows an error."""
    return MatchQuery(present=query.present, aid=query.aid)


def _page(
    draft: Draft, query: MatchQuery, message: Message | None = None, status: int | None = None
) -> Response:
    visit = replace(visit_for(query), place=draft.path)
    advice = None
    if draft.error is None:
        advice = advice_for(Viewing(draft.record, visit), message)
        if advice is None:
            return no_content()
    elif status is None and not draft.is_drawn:
        status = status_of(draft.error)
    view = position_view(draft, visit, advice.panel if advice else None, message)
    if view.match is not None and advice is not None:
        view = replace(view, match=replace(view.match, comparison=advice.comparison))
    context = {"position": view, "match": view.match}
    return render("positions/page.html", "positions/_position.html", status or 200, **context)
