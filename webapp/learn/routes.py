"""Routes of the lessons: the list, and a page for each."""

from __future__ import annotations

from flask import Blueprint, Response, abort, make_response, redirect, render_template, request

from webapp.learn.lesson import find_lesson, lessons
from webapp.learn.page import LessonPage
from webapp.learn.query import PRESSED, LessonQuery
from webapp.web.htmx import partial_is_wanted, vary

learn = Blueprint("learn", __name__)
BLUEPRINTS = (learn,)


@learn.get("/learn")
def front() -> Response:
    """The list of lessons."""
    return make_response(render_template("learn/front.html", entries=lessons()))


@learn.get("/learn/<slug>")
def lesson(slug: str) -> Response:
    """A lesson in the state that its query says.

    A button leads to the canonical URL; htmx receives the changed block and that URL.
    """
    found = find_lesson(slug)
    if found is None:
        abort(404)
    query = LessonQuery.of(found, request.args)
    swaps = partial_is_wanted() and query.pressed
    if PRESSED in request.args and not swaps:
        return vary(make_response(redirect(query.url(found.url), 303)))
    page = LessonPage(found, query)
    if swaps:
        block = page.block(query.pressed)
        response = make_response(render_template(block.template, block=block, lesson=page))
        response.headers["HX-Push-Url"] = query.url(found.url)
        return vary(response)
    query_string = request.query_string.decode("latin-1")  # as the browser sent it
    address = f"{request.path}?{query_string}" if query_string else request.path
    return vary(make_response(render_template("learn/page.html", lesson=page, address=address)))
