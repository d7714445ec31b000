"""The pages of games shown move by move, wherever they are stored, and what they share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any
from urllib.parse import parse_qs, urlsplit

from flask import Blueprint, Response, jsonify, make_response, request

from webapp.analysis.panel import Panel
from webapp.config import Config
from webapp.replays.advice import Adviser, Hint, Why
from webapp.replays.analysis_store import AnalysisStore
from webapp.replays.comparison import Comparison, comparison_for
from webapp.replays.documents import current_document
from webapp.replays.models import Record
from webapp.replays.page import MatchPage
from webapp.replays.presence import MatchAttendance, seats_of
from webapp.replays.query import MatchQuery, PictureQuery, SearchQuery
from webapp.replays.score_sheet import ScoreSheet, SheetQuery
from webapp.replays.search_page import SearchPage
from webapp.replays.story import Story, story_analyses
from webapp.replays.tree_page import TreePage
from webapp.replays.uct_page import UctPage
from webapp.replays.view import MatchView, Visit
from webapp.services import Clock, service
from webapp.web.cookies import Actor, current_actor, current_player, games_met, remember_game
from webapp.web.downloads import svg_response
from webapp.web.errors import show_errors_on
from webapp.web.htmx import go_to, partial_is_wanted, render, vary
from webapp.web.messages import Message
from webapp.web.rate_limits import RateLimits
from webapp.workers.client import WorkerClient
from webapp.workers.pool import WorkerPool
from webapp.workers.queue import Rank

SEARCH_TIMEOUT_S = 15.0  # enough for the largest search that is recorded

Find = Callable[..., Record]  # called with the variables of the URL rule
Found = Callable[[], Record]
Search = SearchPage[Any, Any, Any]
Show = Callable[[MatchView], Response]


def add_pages(
    pages: Blueprint,
    rule: str,
    find: Find,
    play_on: Callable[[Found], Response],
    panels: Mapping[str, tuple[Show, str]] | None = None,
) -> None:
    """Add the pages of games that `find` finds; `play_on` starts a match from a ply of one."""

    def page(show: Show, *switches: str) -> Callable[..., Response]:
        def view(**names: Any) -> Response:
            sent = request.args.to_dict() | dict.fromkeys(switches, "1")
            return show(open_view(partial(find, **names), MatchQuery.parse(sent)))

        return view

    def of_record(show: Callable[[Found], Response]) -> Callable[..., Response]:
        return lambda **names: show(partial(find, **names))

    views = {"": page(show_match)}
    views |= {f"/{name}": page(*panel) for name, panel in (panels or PANELS).items()}
    views |= {
        "/tree": of_record(partial(show_search, TreePage)),
        "/uct": of_record(partial(show_search, UctPage)),
        ".json": of_record(show_json),
        ".txt": of_record(show_text),
        ".svg": of_record(show_svg),
        "/sheet": of_record(show_sheet),
    }
    for ending, view in views.items():
        name = f"replay_{ending[1:]}" if ending else "replay"
        pages.add_url_rule(f"{rule}{ending}", name, view)
    pages.add_url_rule(f"{rule}/play-on", "replay_play_on", of_record(play_on), methods=["POST"])


def visit_for(query: MatchQuery) -> Visit:
    """Build the visit from the current request."""
    encoded = request.query_string.decode("latin-1")
    address = f"{request.path}?{encoded}" if encoded else request.path
    return Visit(
        actor=current_actor(),
        query=query,
        address=address,
        site=request.host_url.rstrip("/"),
        games_met=games_met(),
        now=int(service(Clock).now()),
        known=request.args.get("known"),
    )


def open_view(found: Found, query: MatchQuery) -> MatchView:
    """Load a record with `found`; later errors of this request are shown on its page."""
    record = found()
    record.check_ply(query.ply)
    show_errors_on_match(found, query)
    if query.hint or query.values or query.story:  # takes a worker
        service(RateLimits).spend()
    view = MatchView(record, visit_for(query))
    if record.is_shared:
        note_presence(record.id, record.holders)
    return view


def note_presence(match_id: str, holders: tuple[str | None, str | None]) -> None:
    """Note that the current player is present in a match with a friend."""
    for seat in seats_of(current_player(), holders):
        service(MatchAttendance).note((match_id, seat))


def form_query() -> MatchQuery:
    """The query of a form: its fields, and those of the address in htmx's header."""
    page = parse_qs(_current_page()[1])
    return MatchQuery.parse(
        {name: values[0] for name, values in page.items()} | request.form.to_dict()
    )


def show_errors_on_match(found: Found, query: MatchQuery) -> None:
    """Show errors of this request on the current page of the match, without its panels."""

    def show_message(message: Message, status: int) -> Response:
        plain = query.without_panels
        current = found()
        beyond = (query.ply or 0) > len(current.plies)
        visit = visit_for(replace(plain, ply=None) if beyond else plain)
        return show_match(MatchView(current, visit), message, status)

    show_errors_on(show_message)


@dataclass(frozen=True, slots=True)
class Advice:
    """The panels with which agents advise, as far as they are requested and ready."""

    panel: Panel
    hint: Hint | None = None
    comparison: Comparison | None = None
    why: Why | None = None


def adviser() -> Adviser:
    return Adviser(service(WorkerClient), service(AnalysisStore), service(Config).think_seconds)


def advice_for(view: MatchView, error: Message | None = None) -> Advice | None:
    """The advice on the shown ply; None if htmx's page already has all of it."""
    panel = adviser().panel(view, asked=view.query.values)
    hint = adviser().hint(view)
    comparison = None
    if view.query.versus is not None:
        comparison = comparison_for(view, view.query.versus, service(WorkerClient))
    key = _advice_key(view, panel, hint, comparison)
    if partial_is_wanted() and view.visit.known == key and not error:
        return None
    if panel.pending:
        retry = f"{panel.links.retry}&known={key}"
        panel = replace(panel, links=replace(panel.links, retry=retry))
    if hint is not None and hint.retry is not None:
        hint = replace(hint, retry=f"{hint.retry}&known={key}")
    if comparison is not None and comparison.pending:
        comparison = replace(comparison, retry=f"{comparison.retry}&known={key}")
    return Advice(panel, hint, comparison, adviser().why(view))


def _advice_key(
    view: MatchView, panel: Panel, hint: Hint | None, comparison: Comparison | None
) -> str:
    """A key of what is ready and what is pending: the page has to change when it does."""
    hinting = hint is not None and hint.retry is not None
    comparing = "c" if comparison is not None and comparison.pending else ""
    return f"{view.record.revision}-{int(panel.pending)}{int(hinting)}{comparing}"


def match_page(view: MatchView, advice: Advice, error: Message | None = None) -> MatchPage:
    """Gather what the page shows around the match."""
    record, story, warming = view.record, None, False
    if view.query.story and view.advice_allowed:
        story = Story(view, story_analyses(record, service(WorkerClient)))
    if record.agent_is_to_move:
        agent = record.seats[record.match.state.to_move]
        warming = not service(WorkerPool).has_answered(agent)
    panels = (advice.panel, advice.hint, advice.comparison, story, advice.why)
    return MatchPage(record, view.visit, *panels, error, warming)


def show_match(view: MatchView, error: Message | None = None, status: int = 200) -> Response:
    """The match as a page or as the partial `#match`; 204 if that has not changed."""
    advice = advice_for(view, error)
    if advice is None:
        return no_content()
    page = match_page(view, advice, error)
    return render("replays/page.html", "replays/_answer.html", status, match=page)


def show_analysis(view: MatchView) -> Response:
    """The analysis panel, as a page or as the partial `#analysis`."""
    if not partial_is_wanted():
        return show_match(view)
    panel = adviser().panel(view, asked=True, target="#analysis")
    return render("replays/page.html", "replays/_analysis.html", analysis=panel)


def show_story(view: MatchView) -> Response:
    """The story of the match, as a page or as the partial `#story`."""
    view.record.check_advice(view.visit.actor)
    panel = adviser().panel(view, asked=view.query.values)
    page = match_page(view, Advice(panel, adviser().hint(view)))
    return render("replays/page.html", "replays/_story.html", match=page, story=page.story)


# Panels beside the board: how each is rendered, and the switch of the query it turns on.
PANELS: Mapping[str, tuple[Show, str]] = {
    "analysis": (show_analysis, "values"),
    "compare": (show_match, "values"),
    "story": (show_story, "story"),
}


def show_search(kind: type[Search], found: Found) -> Response:
    """The recorded search of a ply; errors are shown on the page of the match."""
    record, query = found(), kind.query_type.parse(request.args)
    ply = record.check_ply(query.ply)
    show_errors_on_match(lambda: record, MatchQuery(ply=ply))
    record.check_advice(current_actor())
    return search_response(kind, record, ply, query)


def search_response(kind: type[Search], record: Record, ply: int, query: SearchQuery) -> Response:
    """The page of a search; 204 where htmx's page knows that the search is pending."""
    service(RateLimits).spend()
    view = MatchView(record, visit_for(MatchQuery(ply=ply)))
    plan, recording, pending = kind.plan_for(record, ply, query), None, False
    if view.state.outcome() is None:
        moves = tuple(done.text for done in record.plies[:ply])
        wanted = kind.request_for(record.game, record.start, moves, plan)
        answer = service(WorkerClient).answer(wanted, Rank.STORY, SEARCH_TIMEOUT_S)
        pending = answer is None
        recording = None if answer is None else answer.result
    if pending and partial_is_wanted() and view.visit.known is not None:
        return no_content()
    page = kind(view, query, plan, recording, pending)
    return render("replays/search.html", page.template, tree=page)


def show_json(found: Found) -> Response:
    """A record as JSON."""
    return jsonify(current_document(found(), request.host_url.rstrip("/")))


def show_text(found: Found) -> Response:
    """A record as a transcript."""
    response = make_response(found().match.transcript())
    response.mimetype = "text/plain"
    return response


def show_svg(found: Found) -> Response:
    """The position after a ply of a record as an image."""
    record, query = found(), PictureQuery.parse(request.args)
    ply = record.check_ply(query.ply)
    match = record.match if query.ply is None else record.match.at(ply)
    return svg_response(match.svg(query.theme))


def show_sheet(found: Found) -> Response:
    """A record as a printable sheet."""
    view = MatchView(found(), Visit(Actor(), MatchQuery()))
    page = ScoreSheet(view, SheetQuery.parse(request.args))
    return render("replays/score_sheet.html", "replays/score_sheet.html", score=page)


def change_response(record: Record, query: MatchQuery) -> Response:
    """The response to a change: the board for htmx, a redirect for a browser."""
    here = query.url(record.path)
    if not partial_is_wanted():
        return remember_game(go_to(here), record.match.game.key)
    response = show_match(MatchView(record, visit_for(query)))
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
