"""Routes of the position editor; a position is stored nowhere but in its address."""

from __future__ import annotations

from dataclasses import replace

from flask import Blueprint, Response, request

from agents.roster import player_spec, ready_spec
from engine import Match, Seat
from webapp.matches.changes import start
from webapp.positions.page import PositionPage
from webapp.positions.query import Draft
from webapp.replays.models import INVITED, PERSON, FinishedError, new_record
from webapp.replays.page import MatchPage
from webapp.replays.query import MatchQuery, PictureQuery
from webapp.replays.routes import Search, advice_for, no_content, search_response, visit_for
from webapp.replays.tree_page import TreePage
from webapp.replays.uct_page import UctPage
from webapp.replays.view import MatchView
from webapp.services import service
from webapp.web.cookies import player_of_this_request
from webapp.web.downloads import svg_response
from webapp.web.errors import InvalidFormError, show_errors_on, status_of
from webapp.web.forms import Fields
from webapp.web.htmx import render
from webapp.web.messages import Message
from webapp.web.rate_limits import RateLimits
from webapp.workers.analyses import MAX_INLINE_TRAINING_S

positions = Blueprint("positions", __name__, url_prefix="/positions")
images = Blueprint("position_images", __name__)
BLUEPRINTS = (positions, images)


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


@images.get("/positions.svg")
def picture() -> Response:
    """The position in the address as an image."""
    draft, query = Draft.parse(request.args), PictureQuery.parse(request.args)
    return svg_response(Match.begin(draft.game, draft.state).svg(query.theme))


@positions.get("/tree")
def tree() -> Response:
    """The search tree of the position."""
    return _search(TreePage)


@positions.get("/uct")
def uct() -> Response:
    """UCT's search of the position, step by step."""
    return _search(UctPage)


def _search(kind: type[Search]) -> Response:
    draft, query = Draft.parse(request.args), kind.query_type.parse(request.args)
    if draft.error is not None:
        raise draft.error
    return search_response(kind, draft.record, 0, replace(query, ply=0))


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
    record = new_record(player_of_this_request(), match, _seats(fields, draft))
    return start(record, MatchQuery(lesson=query.lesson).url(""))


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
    return MatchQuery(present=query.present, aid=query.aid, lesson=query.lesson)


def _page(
    draft: Draft, query: MatchQuery, message: Message | None = None, status: int | None = None
) -> Response:
    visit, match = visit_for(query), None
    if draft.error is None:
        advice = advice_for(MatchView(draft.record, visit), message)
        if advice is None:
            return no_content()
        match = MatchPage(draft.record, visit, advice.panel, comparison=advice.comparison)
    elif status is None and not draft.is_drawn:
        status = status_of(draft.error)
    context = {"position": PositionPage(draft, visit, match, message), "match": match}
    return render("positions/page.html", "positions/_position.html", status or 200, **context)
