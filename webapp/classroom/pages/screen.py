"""The projector: address, code, the question, and the result when its phase has come."""

from __future__ import annotations

from flask import Blueprint, Response, request

from webapp.classroom.showing import screen_view
from webapp.services import services
from webapp.web.htmx import partial_is_wanted, render, vary

screen = Blueprint("screen", __name__, url_prefix="/class/<class_id>/screen")


@screen.get("")
def show(class_id: str) -> Response:
    """The screen as it is now; nothing for a page that knows it."""
    view = screen_view(services().classes.find(class_id))
    if partial_is_wanted() and view.follow.endswith(f"?known={request.args.get('known', '')}"):
        return vary(Response(status=204))
    return render("classroom/screen.html", "classroom/_screen.html", screen=view)
