"""Beside the board: what an agent thinks, a hint, and where a match turned."""

from __future__ import annotations

from dataclasses import replace

from flask import Blueprint, Response, request

from webapp.play.asking import hint_for, panel_for
from webapp.play.look import Look
from webapp.play.pages.showing import find, show_match, view_of
from webapp.web.htmx import partial_is_wanted, render

asides = Blueprint("asides", __name__, url_prefix="/matches/<match_id>")


@asides.get("/analysis")
def analysis(match_id: str) -> Response:
    """What the agent in the address thinks of the ply in the address."""
    viewing = find(match_id, replace(Look.of(request.args), values=True))
    if not partial_is_wanted():
        return show_match(viewing)
    panel = panel_for(viewing, asked=True, target="#analysis")
    return render("play/page.html", "play/_analysis.html", analysis=panel)


@asides.get("/compare")
def compare(match_id: str) -> Response:
    """Two agents, `agent` and `versus`, on the ply in the address."""
    return show_match(find(match_id, replace(Look.of(request.args), values=True)))


@asides.get("/hint")
def hint(match_id: str) -> Response:
    """The match with a move worth considering."""
    return show_match(find(match_id, replace(Look.of(request.args), hint=True)))


@asides.get("/story")
def story(match_id: str) -> Response:
    """How the match went; the whole page without htmx."""
    viewing = find(match_id, replace(Look.of(request.args), story=True))
    panel = panel_for(viewing, asked=viewing.look.values)
    view = view_of(viewing, panel, hint_for(viewing))
    return render("play/page.html", "play/_story.html", match=view, story=view.story)
