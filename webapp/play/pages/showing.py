"""What the pages of a match share: finding it, showing it, and answering after a change."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from urllib.parse import urlsplit

from flask import Response, make_response, request

from webapp.play.asking import Thoughts, begin_reply, is_warming, thoughts_on
from webapp.play.look import Look, address
from webapp.play.records import Record
from webapp.play.story import story_for
from webapp.play.viewing import Viewing, match_view, scene_of
from webapp.play.views import MatchView
from webapp.services import services
from webapp.web.errors import InvalidFormError, UnknownMatchError, show_errors_on
from webapp.web.htmx import go_to, partial_is_wanted, render, vary
from webapp.web.messages import Message
from webapp.web.players import current_player


def find(match_id: str, look: Look) -> Record:
    """The match, and whatever goes wrong from here on is said on it; raises UnknownMatchError."""
    record = services().store.find(match_id)
    if look.ply is not None and not 0 <= look.ply <= len(record.plies):
        raise UnknownMatchError(f"this match has no such ply: {len(record.plies)} were played")
    _say_errors_on(match_id, lambda: look)
    if look.hint or look.values or look.story:  # someone has to think
        services().spend()
    return record


def change(match_id: str, decide: Callable[[Record, str | None, int], Record]) -> Record:
    """What `decide` makes of the match, the player and the revision in the form, stored."""
    begin_change(match_id)
    player, revision = current_player(), form_revision()
    return services().store.change(match_id, lambda record: decide(record, player, revision))


def begin_change(match_id: str) -> None:
    """Count this request; what goes wrong with it is said on the board as it then stands."""
    _say_errors_on(match_id, Look.after_change)
    services().spend()


def _say_errors_on(match_id: str, look_then: Callable[[], Look]) -> None:
    def show_message(message: Message, status: int) -> Response:
        look = look_then()
        plain = replace(look, hint=False, values=False, story=False, agent=None)
        current = services().store.find(match_id)
        beyond = (look.ply or 0) > len(current.plies)
        return show_match(current, replace(plain, ply=None) if beyond else plain, message, status)

    show_errors_on(show_message)


def show_match(
    record: Record, look: Look, message: Message | None = None, status: int = 200
) -> Response:
    """The match as a page or as the partial `#match`; nothing for whoever knows it all."""
    scene = scene_of(record, current_player(), look)
    thoughts = thoughts_on(scene)
    if partial_is_wanted() and request.args.get("known") == thoughts.known and not message:
        return nothing_new()
    view = view_of(scene, thoughts, message)
    return render("play/page.html", "play/_match.html", status, match=view)


def view_of(scene: Viewing, thoughts: Thoughts, message: Message | None = None) -> MatchView:
    """Everything about the match as this visitor looks at it."""
    return match_view(
        scene,
        analysis=thoughts.insight.panel,
        values=thoughts.insight.values,
        hint=thoughts.hint,
        story=story_for(scene) if scene.look.story else None,
        message=message,
        warming=is_warming(scene.record),
    )


def changed(record: Record) -> Response:
    """After a change: the board for htmx, the match's page for a browser."""
    begin_reply(record)
    look = Look.after_change()
    here = address(record.id, look)
    if not partial_is_wanted():
        return go_to(here)
    response = show_match(record, look)
    current = urlsplit(request.headers.get("HX-Current-URL", ""))
    if current.path and f"{current.path}?{current.query}".rstrip("?") != here:
        response.headers["HX-Replace-Url"] = here
    return response


def still_thinking(record: Record) -> Response:
    """Nothing to show yet: htmx asks again by itself, a browser gets its page back."""
    if partial_is_wanted():
        return nothing_new()
    return go_to(address(record.id, Look.after_change()))


def nothing_new() -> Response:
    """The page stays as it is: swapping in the same again would take the focus, and time."""
    return vary(make_response("", 204))


def form_revision() -> int:
    """The revision this form was made in; raises InvalidFormError."""
    text = request.form.get("revision", "")
    if not (text.isascii() and text.isdecimal() and len(text) <= 9):
        raise InvalidFormError(text, "the form does not say which board it was made for")
    return int(text)
