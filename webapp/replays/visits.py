"""Request handling shared by the pages of a match: open it, ask for advice, render."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from urllib.parse import parse_qs, urlsplit

from flask import Response, make_response, request

from webapp.replays.comparison import comparison_for
from webapp.replays.friends import company_view
from webapp.replays.models import Record
from webapp.replays.page import match_view
from webapp.replays.panel import advice_key
from webapp.replays.permissions import check_advice, check_ply
from webapp.replays.ply_view import Viewing
from webapp.replays.query import MatchQuery, Visit, with_query
from webapp.replays.requests import hint_for, is_warming, panel_for
from webapp.replays.review import story_for
from webapp.replays.seats import MatchAttendance
from webapp.replays.trees.query import TreeQuery
from webapp.replays.trees.requests import tree_view
from webapp.replays.views import Comparison, Hint, MatchView, Panel
from webapp.services import Clock, service
from webapp.web.cookies import Actor, current_actor, games_met, remember_game
from webapp.web.errors import show_errors_on
from webapp.web.htmx import go_to, partial_is_wanted, render, vary
from webapp.web.messages import Message
from webapp.web.rate_limits import RateLimits


def visit_for(query: MatchQuery) -> Visit:
    """Build the visit from the current request."""
    encoded = request.query_string.decode("latin-1")
    address = f"{request.path}?{encoded}" if encoded else request.path
    site, now = request.host_url.rstrip("/"), int(service(Clock).now())
    return Visit(current_actor(), query, address, site, games_met(), now)


def open_record(found: Callable[[], Record], query: MatchQuery) -> Viewing:
    """Load a record with `found`; later errors of this request are shown on its page."""
    record = found()
    check_ply(record, query.ply)
    show_errors_on_match(found, query)
    if query.hint or query.values or query.story:  # takes a worker
        service(RateLimits).spend()
    visit = visit_for(query)
    note_presence(record, visit.actor)
    return Viewing(record, visit)


def note_presence(record: Record, actor: Actor) -> None:
    """Note that the actor is present in a match with a friend."""
    if record.is_shared:
        for seat in record.held_by(actor):
            service(MatchAttendance).note((record.id, seat))


def query_after_change() -> MatchQuery:
    """The query after a change, from the form's fields and the address in htmx's header."""
    page = parse_qs(_current_page()[1])
    fields = {name: values[0] for name, values in page.items()} | request.form.to_dict()
    return MatchQuery.parse(fields).after_change


def show_errors_on_match(found: Callable[[], Record], query: MatchQuery) -> None:
    """Show errors of this request on the current page of the match."""

    def show_message(message: Message, status: int) -> Response:
        plain = replace(query, hint=False, values=False, story=False, agent=None)
        current = found()
        beyond = (query.ply or 0) > len(current.plies)
        visit = visit_for(replace(plain, ply=None) if beyond else plain)
        return show_match(Viewing(current, visit), message, status)

    show_errors_on(show_message)


@dataclass(frozen=True, slots=True)
class Advice:
    """The panels with which agents advise, as far as they are requested and ready."""

    panel: Panel
    hint: Hint | None
    comparison: Comparison | None


def advice_for(viewing: Viewing, message: Message | None = None) -> Advice | None:
    """The advice on the shown ply; None if htmx's page already has all of it."""
    panel = panel_for(viewing, asked=viewing.query.values)
    hint = hint_for(viewing)
    comparison = comparison_for(viewing)
    key = advice_key(viewing, panel, hint, comparison)
    if partial_is_wanted() and request.args.get("known") == key and not message:
        return None
    if panel.pending:
        panel = replace(panel, retry=f"{panel.retry}&known={key}")
    if hint is not None and hint.retry is not None:
        hint = replace(hint, retry=f"{hint.retry}&known={key}")
    if comparison is not None and comparison.pending:
        comparison = replace(comparison, retry=f"{comparison.retry}&known={key}")
    return Advice(panel, hint, comparison)


def show_match(viewing: Viewing, message: Message | None = None, status: int = 200) -> Response:
    """The match as a page or as the partial `#match`; 204 if that has not changed."""
    advice = advice_for(viewing, message)
    if advice is None:
        return no_content()
    view = view_of(viewing, advice.panel, advice.hint, message)
    view = replace(view, comparison=advice.comparison)
    return render("replays/page.html", "replays/_answer.html", status, match=view)


def show_analysis(viewing: Viewing) -> Response:
    """The analysis panel, as a page or as the partial `#analysis`."""
    if not partial_is_wanted():
        return show_match(viewing)
    panel = panel_for(viewing, asked=True, target="#analysis")
    return render("replays/page.html", "replays/_analysis.html", analysis=panel)


def show_story(viewing: Viewing) -> Response:
    """The story of the match, as a page or as the partial `#story`."""
    check_advice(viewing.record, viewing.visit.actor)
    panel = panel_for(viewing, asked=viewing.query.values)
    view = view_of(viewing, panel, hint_for(viewing))
    return render("replays/page.html", "replays/_story.html", match=view, story=view.story)


def view_of(
    viewing: Viewing, panel: Panel, hint: Hint | None, message: Message | None = None
) -> MatchView:
    """Build the page's view of the match around these panels."""
    view = match_view(
        viewing,
        analysis=panel,
        hint=hint,
        story=story_for(viewing) if viewing.query.story and viewing.advice_allowed else None,
        message=message,
        warming=is_warming(viewing.record),
    )
    company = company_view(viewing) if viewing.record.place is None else None
    return replace(view, company=company)


def change_response(record: Record, query: MatchQuery) -> Response:
    """The response to a change: the board for htmx, a redirect for a browser."""
    here = with_query(record.path, query)
    if not partial_is_wanted():
        return remember_game(go_to(here), record.match.game.key)
    response = show_match(Viewing(record, visit_for(query)))
    path, encoded = _current_page()
    if path and f"{path}?{encoded}".rstrip("?") != here:
        response.headers["HX-Replace-Url"] = here
    return remember_game(response, record.match.game.key)


def no_content() -> Response:
    """204, which leaves htmx's page as it is: swapping in the same would move the focus."""
    return vary(make_response("", 204))


def _current_page() -> tuple[str, str]:
    """Path and query string of htmx's page, from a header that may hold anything."""
    try:
        current = urlsplit(request.headers.get("HX-Current-URL", ""))
    except ValueError:
        return "", ""
    return current.path, current.query


def show_tree(record: Record) -> Response:
    """The tree page of any record."""
    query = TreeQuery.parse(request.args)
    ply = check_ply(record, query.ply)
    show_errors_on_match(lambda: record, MatchQuery(ply=ply))
    check_advice(record, current_actor())
    service(RateLimits).spend()
    view = tree_view(record, ply, query, visit_for(MatchQuery(ply=ply)))
    if view.pending and partial_is_wanted() and "known" in request.args:
        return no_content()
    return render("replays/trees/page.html", "replays/trees/_tree.html", tree=view)
