"""The lessons' pages: the list, and one for each."""

from __future__ import annotations

from flask import Blueprint, Response, abort, make_response, redirect, render_template, request

from webapp.learn.catalogue import find_lesson
from webapp.learn.page import entries, lesson_view
from webapp.learn.query import PRESSED, HeldState
from webapp.web.htmx import partial_is_wanted, vary

learn = Blueprint("learn", __name__)
BLUEPRINTS = (learn,)


@learn.get("/learn")
def front() -> Response:
    """All lessons."""
    return make_response(render_template("learn/front.html", entries=entries()))


@learn.get("/learn/<slug>")
def lesson(slug: str) -> Response:
    """A lesson as its address has it. A press leads to the address of what it leads to; htmx is
    given the one block that changed, and that address to show."""
    found = find_lesson(slug)
    if found is None:
        abort(404)
    held = HeldState.of(found, request.args)
    swaps = partial_is_wanted() and held.pressed
    if PRESSED in request.args and not swaps:
        return vary(make_response(redirect(held.url, 303)))
    view = lesson_view(found, held)
    if swaps:
        block = view.block(held.pressed)
        response = make_response(render_template(block.template, block=block, lesson=view))
        response.headers["HX-Push-Url"] = held.url
        return vary(response)
    query = request.query_string.decode("latin-1")  # as the browser wrote it
    address = f"{request.path}?{query}" if query else request.path
    return vary(make_response(render_template("learn/page.html", lesson=view, address=address)))
