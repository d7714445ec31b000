"""Beside the board: what an agent thinks, a hint, and where a match turned."""

from __future__ import annotations

from dataclasses import replace

from flask import Blueprint, Response, request

from webapp.play.asking import insight_for, thoughts_on
from webapp.play.look import Look
from webapp.play.pages.showing import find, show_match, view_of
from webapp.play.viewing import scene_of
from webapp.web.htmx import partial_is_wanted, render
from webapp.web.players import current_player

asides = Blueprint("asides", __name__, url_prefix="/matches/<match_id>")


@asides.get("/analysis")
def analysis(match_id: str) -> Response:
    """What the agent in the address thinks of the ply in the address."""
    look = replace(Look.of(request.args), values=True)
    record = find(match_id, look)
    if not partial_is_wanted():
        return show_match(record, look)
    scene = scene_of(record, current_player(), look)
    insight = insight_for(scene, asked=True, target="#analysis")
    return render("play/page.html", "play/_analysis.html", analysis=insight.panel)


@asides.get("/hint")
def hint(match_id: str) -> Response:
    """The match with a move worth considering."""
    look = replace(Look.of(request.args), hint=True)
    record = find(match_id, look)
    return show_match(record, look)


@asides.get("/story")
def story(match_id: str) -> Response:
    """How the match went; the whole page without htmx."""
    look = replace(Look.of(request.args), story=True)
    record = find(match_id, look)
    scene = scene_of(record, current_player(), look)
    view = view_of(scene, thoughts_on(scene))
    return render("play/page.html", "play/_story.html", match=view, story=view.story)
