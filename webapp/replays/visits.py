"""What the pages of a match share: who visits it and how, and what they are shown."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from urllib.parse import parse_qs, urlsplit

from flask import Response, make_response, request

from webapp.replays.comparison import comparison_for
from webapp.replays.friends import company_of
from webapp.replays.models import Record
from webapp.replays.page import match_view
from webapp.replays.panel import known_of
from webapp.replays.permissions import check_advised, check_ply
from webapp.replays.ply_view import Viewing
from webapp.replays.query import Look, Visit, with_query
from webapp.replays.requests import hint_for, is_warming, panel_for
from webapp.replays.review import story_for
from webapp.replays.views import Comparison, Hint, MatchView, Panel
from webapp.services import services
from webapp.web.cookies import Actor, current_actor, games_met, remember_game
from webapp.web.errors import show_errors_on
from webapp.web.htmx import go_to, partial_is_wanted, render, vary
from webapp.web.messages import Message


def visit_to(look: Look) -> Visit:
    """Who asks, for what, and by which address: all that views know of a request."""
    query = request.query_string.decode("latin-1")
    address = f"{request.path}?{query}" if query else request.path
    site, now = request.host_url.rstrip("/"), int(services().clock())
    return Visit(current_actor(), look, address, site, games_met(), now)


def find(match_id: str, look: Look) -> Viewing:
    """The match looked at; whatever goes wrong from here on is said on it."""
    return looked_at(partial(services().store.find, match_id), look)


def looked_at(found: Callable[[], Record], look: Look) -> Viewing:
    """The same for a record, wherever it is kept."""
    record = found()
    check_ply(record, look.ply)
    say_errors_on(found, look)
    if look.hint or look.values or look.story:  # someone has to think
        services().spend()
    visit = visit_to(look)
    note_presence(record, visit.actor)
    return Viewing(record, visit)


def note_presence(record: Record, actor: Actor) -> None:
    """Whoever looks at a match with a friend is there."""
    if record.is_shared:
        for seat in record.held_by(actor):
            services().attendance.note((record.id, seat))


def look_after_change() -> Look:
    """How the match is looked at once it has changed.

    Forms say so in fields; htmx in the header with the address it is on.
    """
    query = parse_qs(_current_page()[1])
    fields = {name: values[0] for name, values in query.items()} | request.form.to_dict()
    return Look.of(fields).going_on


def say_errors_on(found: Callable[[], Record], look: Look) -> None:
    """What goes wrong with this request is said on the board as it then stands."""

    def show_message(message: Message, status: int) -> Response:
        plain = replace(look, hint=False, values=False, story=False, agent=None)
        current = found()
        beyond = (look.ply or 0) > len(current.plies)
        visit = visit_to(replace(plain, ply=None) if beyond else plain)
        return show_match(Viewing(current, visit), message, status)

    show_errors_on(show_message)


@dataclass(frozen=True, slots=True)
class Thoughts:
    """What agents say beside the board, as far as they were asked and are ready."""

    panel: Panel
    hint: Hint | None
    comparison: Comparison | None


def thoughts_on(viewing: Viewing, message: Message | None = None) -> Thoughts | None:
    """What is thought of it; None where that is no more than the page says it knows."""
    panel = panel_for(viewing, asked=viewing.look.values)
    hint = hint_for(viewing)
    comparison = comparison_for(viewing)
    known = known_of(viewing, panel, hint, comparison)
    if partial_is_wanted() and request.args.get("known") == known and not message:
        return None
    if panel.pending:
        panel = replace(panel, retry=f"{panel.retry}&known={known}")
    if hint is not None and hint.retry is not None:
        hint = replace(hint, retry=f"{hint.retry}&known={known}")
    if comparison is not None and comparison.pending:
        comparison = replace(comparison, retry=f"{comparison.retry}&known={known}")
    return Thoughts(panel, hint, comparison)


def show_match(viewing: Viewing, message: Message | None = None, status: int = 200) -> Response:
    """The match as a page or as the partial `#match`; nothing for whoever knows it all."""
    thoughts = thoughts_on(viewing, message)
    if thoughts is None:
        return nothing_new()
    view = view_of(viewing, thoughts.panel, thoughts.hint, message)
    view = replace(view, comparison=thoughts.comparison)
    return render("replays/page.html", "replays/_answer.html", status, match=view)


def show_analysis(viewing: Viewing) -> Response:
    """What the chosen agent thinks, as a page or as the partial `#analysis`."""
    if not partial_is_wanted():
        return show_match(viewing)
    panel = panel_for(viewing, asked=True, target="#analysis")
    return render("replays/page.html", "replays/_analysis.html", analysis=panel)


def show_story(viewing: Viewing) -> Response:
    """Where it turned, as a page or as the partial `#story`."""
    check_advised(viewing.record, viewing.visit.actor)
    panel = panel_for(viewing, asked=viewing.look.values)
    view = view_of(viewing, panel, hint_for(viewing))
    return render("replays/page.html", "replays/_story.html", match=view, story=view.story)


def view_of(
    viewing: Viewing, panel: Panel, hint: Hint | None, message: Message | None = None
) -> MatchView:
    """Everything about the match as this visitor looks at it."""
    view = match_view(
        viewing,
        analysis=panel,
        hint=hint,
        story=story_for(viewing) if viewing.look.story and viewing.is_advised else None,
        message=message,
        warming=is_warming(viewing.record),
    )
    company = company_of(viewing) if viewing.record.place is None else None
    return replace(view, company=company)


def changed(record: Record, look: Look) -> Response:
    """After a change: the board for htmx, the match's page for a browser."""
    here = with_query(record.path, look)
    if not partial_is_wanted():
        return remember_game(go_to(here), record.match.game.key)
    response = show_match(Viewing(record, visit_to(look)))
    path, query = _current_page()
    if path and f"{path}?{query}".rstrip("?") != here:
        response.headers["HX-Replace-Url"] = here
    return remember_game(response, record.match.game.key)


def nothing_new() -> Response:
    """The page stays as it is: swapping in the same again would take the focus, and time."""
    return vary(make_response("", 204))


def _current_page() -> tuple[str, str]:
    """Path and query of the page htmx is on, as it says itself: anything may stand there."""
    try:
        current = urlsplit(request.headers.get("HX-Current-URL", ""))
    except ValueError:
        return "", ""
    return current.path, current.query
